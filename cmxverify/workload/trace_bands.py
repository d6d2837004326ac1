"""``turns: {from: trace, bands: n}``: heat bands measured from a request trace.

Sessions (see ``trace_sessions``) are put in order of their mean time between turns and divided so that

* sessions that never come back are the coldest band of their own: nothing shows when they would;
* the other bands bring *equal numbers of turns*. Bands of equal numbers of sessions would hide the few sessions
  that bring most turns in a wide band, and it is those that a fast tier is for.

A band's ``share`` is its part of all the time for which sessions are kept, which is its part of the sessions held
at a moment; ``every`` is its kept time over its turns. So shares add up to one and the rate of all turns is
that of the trace, both exactly; and no band is hotter than the one before.

Within a band all sessions count alike at all times. A session that takes ten turns in five minutes of an hour's
trace has one every six minutes: bursts are averaged out, which understates what a fast tier catches.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from pathlib import Path

from cmxverify.errors import InputError, Location
from cmxverify.workload.trace_sessions import Session, read_sessions

_NAMES = {1: ("all",), 2: ("hot", "cold"), 3: ("hot", "warm", "cold")}


def measure_bands(path: Path, bands: int, at: Location) -> dict[str, tuple[Fraction, Fraction]]:
    """Share of the sessions and seconds between turns of each band, hottest first.

    Bands are called hot and cold, or hot, warm and cold; a single one all, more than three band1, band2, ...

    Args:
        at: The line that asks for it, for a trace that is not there or cannot be divided so.

    Raises:
        InputError: If the trace cannot be read or understood, or has too few sessions that come back.
    """
    groups = divide_sessions(read_sessions(path, at), bands, at)
    names = _NAMES.get(bands, tuple(f"band{number}" for number in range(1, bands + 1)))
    whole = sum((_kept(group) for group in groups), Fraction(0))
    return {
        name: (_kept(group) / whole, _kept(group) / sum(session.turns for session in group))
        for name, group in zip(names, groups, strict=True)
    }


def divide_sessions(sessions: Sequence[Session], bands: int, at: Location) -> list[list[Session]]:
    """The sessions of each of ``bands`` bands, hottest first, none empty.

    Raises:
        InputError: If too few sessions come back to make so many bands.
    """
    once = [session for session in sessions if session.once]
    returning = sorted((s for s in sessions if not s.once), key=lambda session: session.interval)
    if bands == 1:
        return [[*returning, *once]]
    most = len(returning) + bool(once)
    if bands > most:
        counted = f"{len(returning):,} session{'s' if len(returning) != 1 else ''}"
        what = f"{counted} of the trace come back, too few for {bands} bands"
        raise InputError(what, at=at, fix=f"Write bands: {most} or fewer, or take a longer trace.")
    return [*_equal_turns(returning, bands - bool(once)), *([once] if once else [])]


def _equal_turns(ordered: Sequence[Session], parts: int) -> list[list[Session]]:
    """Cut a sequence into ``parts`` runs, each closed by the session that brings the next equal share of turns."""
    total = sum(session.turns for session in ordered)
    groups: list[list[Session]] = [[]]
    turns = 0
    for index, session in enumerate(ordered):
        groups[-1].append(session)
        turns += session.turns
        missing = parts - len(groups)
        reached = turns * parts >= total * len(groups)
        if missing and (reached or len(ordered) - index - 1 == missing):
            groups.append([])
    return groups


def _kept(group: Sequence[Session]) -> Fraction:
    return sum((session.kept for session in group), Fraction(0))
