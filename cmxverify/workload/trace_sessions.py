"""Which requests of a trace belong to one session, and how long the session's KV is kept.

Two formats, told apart by the keys of the first line:

* *Requests* (Mooncake): ``timestamp`` in ms, ``input_length`` in tokens, ``hash_ids`` of blocks of 512 tokens; an
  id stands for its block and all before it. No line names its session, so sessions are found by prefix. The last
  full block of a session's latest request is its *tip*. A request that contains the tip of a session goes on
  with that session (the deepest tip, if it contains several) and moves the tip; any other request begins a
  session. A block that another session had before is no tip: so a common system prompt joins nobody.
* *Conversations* (agentic traces): one a line, ``requests`` with ``t`` in seconds since it began. A sub-agent
  has a context of its own and counts as a conversation of its own.

What that cannot see: a turn that edits an earlier one begins a new session, for it shares only a part; so does
a turn after one that had no full block of its own; what lies before or after the trace.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from cmxverify.errors import InputError, Location
from cmxverify.workload.trace_lines import read_trace_lines

BLOCK_TOKENS = 512
"""Tokens of a block of the Mooncake traces."""
MAX_BLOCKS = 20_000_000
"""Different blocks held in memory at most, about 2 GB."""
_MAX_MICROSECONDS = 10**16
"""Three centuries; a float still tells microseconds at half of it."""

Line = tuple[Location, dict[str, Any]]


@dataclass(frozen=True, slots=True)
class Session:
    """A session of a trace: ``turns`` in the ``kept`` seconds for which its KV is held.

    ``once`` marks one that the trace never sees come back.
    """

    turns: int
    kept: Fraction
    once: bool

    @property
    def interval(self) -> Fraction:
        """Mean seconds between two turns."""
        return self.kept / self.turns


class PrefixChains:
    """Sessions of requests that are known by the blocks of their prompts alone; feed them in order of time."""

    def __init__(self) -> None:
        self.turns: list[int] = []
        """Requests of each session so far."""
        self._tips: dict[int | str, int] = {}
        self._seen: set[int | str] = set()

    @property
    def block_count(self) -> int:
        """Different full blocks seen."""
        return len(self._seen)

    def add(self, blocks: Sequence[int | str]) -> int:
        """Take in a request by its full blocks; returns the number of its session.

        >>> chains = PrefixChains()
        >>> [chains.add(blocks) for blocks in ([0, 1], [0, 2], [0, 1, 3], [0, 1, 4], [0])]
        [0, 1, 0, 2, 3]
        """
        tip = next((block for block in reversed(blocks) if block in self._tips), None)
        if tip is None:
            session = len(self.turns)
            self.turns.append(1)
        else:
            session = self._tips.pop(tip)
            self.turns[session] += 1
        if blocks and (blocks[-1] == tip or blocks[-1] not in self._seen):
            self._tips[blocks[-1]] = session
        self._seen.update(blocks)
        return session


def read_sessions(path: Path, at: Location) -> list[Session]:
    """All sessions of a trace, in order of appearance; ``at`` is the line that names the trace.

    Sessions of requests are all kept for the whole trace, since nothing says that one is over. A conversation is
    kept from its first turn to its last, and its first turn is no return; one that has no length is kept for
    as long as the longest, and counts as one turn.

    Raises:
        InputError: If the trace cannot be read, is of neither format, or spans no time.
    """
    lines = read_trace_lines(path, at)
    first = next(lines, None)
    if first is None:
        raise InputError("the trace is empty", at=Location(str(path)), fix="Give a trace with requests.")
    whole = _chain(first, lines)
    if "requests" in first[1]:
        sessions = _from_conversations(whole)
    elif {"timestamp", "hash_ids"} <= first[1].keys():
        sessions = _from_requests(whole)
    else:
        fix = "Known: lines with timestamp, input_length, hash_ids; or conversations with requests."
        raise InputError("not a trace of a known format", at=first[0], fix=fix)
    if not sessions or not all(session.kept for session in sessions):
        fix = "Intervals need requests at different times."
        raise InputError("the trace spans no time", at=Location(str(path)), fix=fix)
    return sessions


def _chain(first: Line, rest: Iterator[Line]) -> Iterator[Line]:
    yield first
    yield from rest


def _from_requests(lines: Iterator[Line]) -> list[Session]:
    chains = PrefixChains()
    times: list[int] = []
    for here, request in lines:
        times.append(_microseconds(request, "timestamp", here, per_unit=1000))
        if sorted(times[-2:]) != times[-2:]:
            raise InputError("an earlier timestamp than the line before", at=here, fix="Sort the trace by time.")
        chains.add(_full_blocks(request, here))
        if chains.block_count > MAX_BLOCKS:
            raise InputError(f"more than {MAX_BLOCKS:,} blocks", at=here, fix="Take a part of the trace.")
    length = Fraction(times[-1] - times[0], 10**6)
    return [Session(turns, length, once=turns == 1) for turns in chains.turns]


def _full_blocks(request: dict[str, Any], here: Location) -> list[int | str]:
    """Ids of the blocks that the prompt fills; the last, partial one changes with the next turn."""
    tokens, ids = request.get("input_length"), request.get("hash_ids")
    if type(tokens) is not int or not 0 <= tokens <= MAX_BLOCKS * BLOCK_TOKENS:
        raise InputError("'input_length' is no count of tokens", at=here, fix="Write the tokens of the prompt.")
    if not isinstance(ids, list) or not {int, str}.issuperset(map(type, ids)):
        raise InputError("'hash_ids' is no list of block ids", at=here, fix="Write a list of whole numbers.")
    if len(ids) != -(-tokens // BLOCK_TOKENS):
        what = f"{len(ids):,} 'hash_ids' for {tokens:,} tokens"
        raise InputError(what, at=here, fix=f"One id for each {BLOCK_TOKENS} tokens, the last may be partial.")
    return ids[: tokens // BLOCK_TOKENS]


def _from_conversations(lines: Iterator[Line]) -> list[Session]:
    visits = [times for here, line in lines for times in _conversations(line, here)]
    spans = [Fraction(max(times) - min(times), 10**6) for times in visits]
    longest = max(spans, default=Fraction(0))
    return [
        Session(len(times) - 1, span, once=False) if span else Session(1, longest, once=True)
        for times, span in zip(visits, spans, strict=True)
    ]


def _conversations(line: dict[str, Any], here: Location) -> Iterator[list[int]]:
    """Times of the requests of a conversation, then of each sub-agent's; those without requests are left out."""
    waiting = [line]
    while waiting:
        requests = waiting.pop().get("requests")
        if not isinstance(requests, list) or not all(isinstance(each, dict) for each in requests):
            raise InputError("'requests' is no list of requests", at=here, fix="Write one conversation a line.")
        own = [each for each in requests if "requests" not in each]
        waiting += [each for each in requests if "requests" in each]
        if own:
            yield [_microseconds(each, "t", here, per_unit=10**6) for each in own]


def _microseconds(request: dict[str, Any], key: str, here: Location, *, per_unit: int) -> int:
    """A time to the microsecond, so that decimal times stay short fractions; ``per_unit`` of them make its unit."""
    value = request.get(key)
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise InputError(f"'{key}' is no time", at=here, fix="Write a number.")
    if not 0 <= value * per_unit <= _MAX_MICROSECONDS:
        raise InputError(f"'{key}' is out of range", at=here, fix="Count from the beginning of the trace.")
    return round(value * per_unit)
