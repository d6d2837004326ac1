"""Our result beside another checker's, row by row."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum

from cmxverify.checking.crosscheck.peer import NotRun, Peer, PeerFinding, PeerLimits
from cmxverify.checking.crosscheck.rumur import Rumur
from cmxverify.checking.exploration import BreachKind, Ending, Exploration, Request
from cmxverify.checking.export.exporter import ExportChoices
from cmxverify.checking.export.murphi.program import DEADLOCK
from cmxverify.checking.export.murphi.rules import obligation_text
from cmxverify.checking.findings import obligation_of
from cmxverify.errors import InputError
from cmxverify.modeling.ir.system import System


class Agreement(Enum):
    """What a row says."""

    SAME = "same"
    DIFFERENT = "DIFFERENT"
    NOT_COMPARED = "not compared"


@dataclass(frozen=True, slots=True)
class Row:
    """One quantity as both see it; ``note`` says why it is not compared, or what to bear in mind."""

    quantity: str
    ours: str
    theirs: str
    agreement: Agreement
    note: str = ""


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """The table of one peer. Without rows it did not run, and ``not_run`` says why."""

    peer: str
    counting: str
    rows: tuple[Row, ...] = ()
    not_run: str = ""
    seconds: float = 0.0

    @property
    def agrees(self) -> bool:
        """Whether the peer ran and nothing is different."""
        return bool(self.rows) and all(row.agreement is not Agreement.DIFFERENT for row in self.rows)

    @property
    def exit_code(self) -> int:
        """0: ran and agrees. 1: something is different. 3: not run, so nothing is confirmed."""
        return 3 if not self.rows else 0 if self.agrees else 1

    def text(self) -> str:
        """For the terminal."""
        if not self.rows:
            return f"{self.peer}: not run: {self.not_run}"
        cells = [("", "cmxverify", self.peer, "")]
        cells += [(row.quantity, row.ours, row.theirs, _remark(row)) for row in self.rows]
        widths = [max(len(each[at]) for each in cells) for at in range(3)]
        lines = [
            f"{a:<{widths[0]}}  {b:>{widths[1]}}  {c:>{widths[2]}}  {d}".rstrip() for a, b, c, d in cells
        ]
        return "\n".join([*lines, f"Counting: {self.counting}."])


def crosscheck(
    system: System,
    exploration: Exploration,
    request: Request,
    *,
    peer: Peer | None = None,
    limits: PeerLimits | None = None,
) -> CrossCheck:
    """Search the system with another checker (rumur unless given) and compare.

    Args:
        system: What was searched.
        exploration: What was found; COMPLETE, BREACHED, or STOPPED by a full channel.
        request: What had been asked: properties, deadlock, symmetry.
        peer: The other checker.
        limits: Its time limit and optimisation.

    Raises:
        InputError: If the search had been stopped, or the system cannot be exported.
    """
    other: Peer = Rumur() if peer is None else peer
    if exploration.ending is Ending.STOPPED and exploration.breach is None:
        raise InputError(
            f"the search was stopped ({exploration.reason}), so there is nothing to compare with",
            fix="Give it more time or memory, or smaller bounds.",
        )
    choices = ExportChoices(request.properties, request.deadlock, symmetry=bool(exploration.reduced))
    found = other.search(system, choices, limits or PeerLimits(), depth=len(exploration.levels))
    if isinstance(found, NotRun):
        return CrossCheck(other.name, other.counting, not_run=found.reason)
    rows = tuple(_rows(system, exploration, found))
    return CrossCheck(other.name, other.counting, rows, seconds=sum(found.seconds.values()))


def _rows(system: System, ours: Exploration, theirs: PeerFinding) -> Iterator[Row]:
    yield _verdict(system, ours, theirs)
    ended = ours.breach is not None or bool(theirs.error)
    if not ended:
        yield _row("states", ours.states, theirs.states)
        yield _row("transitions", ours.transitions, theirs.transitions)
        yield _row("depth", len(ours.levels) - 1, len(theirs.levels) - 1)
        yield _levels(ours.levels, theirs.levels, "")
    else:
        note = "the peer stops at the first error, in the middle of a level"
        for quantity, one, other in (
            ("states", ours.states, theirs.states),
            ("transitions", ours.transitions, theirs.transitions),
        ):
            yield Row(quantity, f"{one:,}", f"{other:,}", Agreement.NOT_COMPARED, note)
        steps = ours.breach.steps if ours.breach else -1
        yield _counterexample(system, ours, theirs)
        before = max(min(steps, theirs.steps), 0)
        yield _levels(
            ours.levels[:before], theirs.levels[:before], f"up to depth {before - 1}" if before else ""
        )
    for at, depth in sorted(ours.witnesses.items()):
        yield _witness(system.properties[at].name, depth, theirs, complete=not ended)


def _counterexample(system: System, ours: Exploration, theirs: PeerFinding) -> Row:
    """Lengths. A deadlock and a step that is wrong may be met in one state: the one is told there, the other after."""
    steps = ours.breach.steps if ours.breach else -1
    words = {breach_text(system, ours), theirs.error}
    one_of_each = DEADLOCK in words and len(words) > 1 and "" not in words
    if one_of_each and abs(steps - theirs.steps) == 1:
        note = "a deadlock counts to its state, the other fault to the step after it"
        return Row("counterexample", str(steps), str(theirs.steps), Agreement.NOT_COMPARED, note)
    return _row("counterexample", steps, theirs.steps)


def _verdict(system: System, ours: Exploration, theirs: PeerFinding) -> Row:
    expected = breach_text(system, ours)
    said = theirs.error
    if not expected or not said:
        same = bool(expected) == bool(said)
        agreement = Agreement.SAME if same else Agreement.DIFFERENT
        return Row("verdict", expected or "no error", said or "no error", agreement)
    note = "" if expected in said else "each names the first error it met"
    return Row("verdict", expected, said, Agreement.SAME, note)


def breach_text(system: System, exploration: Exploration) -> str:
    """What is breached, in the words that the exported model says too; empty where nothing is."""
    breach = exploration.breach
    if breach is None:
        return ""
    obligation = obligation_of(system, breach)
    if obligation is not None:
        return obligation_text(obligation)
    return DEADLOCK if breach.kind is BreachKind.DEADLOCK else system.properties[breach.property].name


def _witness(name: str, depth: int | None, theirs: PeerFinding, *, complete: bool) -> Row:
    reached = theirs.reached.get(name)
    ours_text = "never" if depth is None else f"at depth {depth}"
    theirs_text = {None: "-", True: "reached", False: "never"}[reached]
    if not complete:
        return Row(f"reachable {name}", ours_text, theirs_text, Agreement.NOT_COMPARED, "stopped at an error")
    same = reached is (depth is not None)
    return Row(f"reachable {name}", ours_text, theirs_text, Agreement.SAME if same else Agreement.DIFFERENT)


def _row(quantity: str, ours: int, theirs: int) -> Row:
    agreement = Agreement.SAME if ours == theirs else Agreement.DIFFERENT
    return Row(quantity, f"{ours:,}", f"{theirs:,}", agreement)


def _levels(ours: Sequence[int], theirs: Sequence[int], note: str) -> Row:
    """States at each depth: one row, which names the first depth where they differ."""
    if tuple(ours) == tuple(theirs):
        return Row("states by depth", f"{len(ours)} levels", f"{len(theirs)} levels", Agreement.SAME, note)
    pairs = zip([*ours, *[0] * len(theirs)], [*theirs, *[0] * len(ours)], strict=True)
    at, (one, other) = next((at, pair) for at, pair in enumerate(pairs) if pair[0] != pair[1])
    return Row("states by depth", f"{one:,}", f"{other:,}", Agreement.DIFFERENT, f"first at depth {at}")


def _remark(row: Row) -> str:
    return row.agreement.value + (f": {row.note}" if row.note else "")
