"""Does the whole workload still fit after a failure? Asked of every class of parts that fail alike.

What a failed place held is lost unless it has copies elsewhere. KV can be rebuilt, so the question is not what
survives on flash but whether what is left could take everything again, under every limit of the file.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from enum import Enum
from time import monotonic

from cmxverify.errors import InputError
from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.model.demand import WorkingSet, resolve_demand
from cmxverify.placement.solving.feasible import Undecided, find_feasible
from cmxverify.placement.whatif.failures import (
    FailureClass,
    FailureKind,
    find_failure_classes,
    surviving_readers,
    ways_to_lose,
    with_readers,
    without,
)
from cmxverify.placement.whatif.survive_reasons import why_lost
from cmxverify.topology.model import Topology

MOST_WAYS = 100
"""Ways to lose several parts of one class that are tried at most; what is beyond stays undecided."""

_NO_READERS = "only readers of a set"


class Verdict(Enum):
    """What was found of a failure; the value is its first word in print."""

    SURVIVED = "survived"
    LOST = "not survived"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True)
class Judged:
    """One class of failures: how many of its parts were lost at once, and what became of it.

    ``example`` are the parts whose loss was not survived or not decided; ``tried`` counts the ways that were
    looked at; ``bereft`` are sets that no GPU is left to read.
    """

    failure: FailureClass
    lost: int
    verdict: Verdict
    tried: int
    example: tuple[str, ...] = ()
    bereft: tuple[str, ...] = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Survival:
    """All classes of failures, for the loss of ``number`` parts at once (all of a class that has fewer)."""

    number: int
    classes: tuple[Judged, ...]
    interrupted: bool = False
    """Whether Ctrl-C cut it short: classes that it left no time for are undecided."""

    @property
    def verdict(self) -> Verdict:
        """Survived only if each class is; not survived if one is not, whatever is undecided."""
        found = {each.verdict for each in self.classes}
        return next((v for v in (Verdict.LOST, Verdict.UNDECIDED) if v in found), Verdict.SURVIVED)


def judge_survival(
    topology: Topology,
    *,
    number: int = 1,
    time_limit_s: float = 60.0,
    progress: Callable[[str, float], None] | None = None,
) -> Survival:
    """Judge the loss of ``number`` parts of every class of failures.

    Args:
        topology: A cluster whose workload fits.
        time_limit_s: Wall clock for everything; classes that it leaves no time for are undecided.
        progress: Called before each class, with its name and the seconds since the start.
    """
    judge = _Judge(topology, number, time_limit_s, progress)
    return Survival(number, tuple(judge.explained(judge.verdicts())), judge.interrupted)


class _Judge:
    def __init__(
        self,
        topology: Topology,
        number: int,
        time_limit_s: float,
        progress: Callable[[str, float], None] | None,
    ) -> None:
        self.topology, self.number, self.progress = topology, number, progress
        self.interrupted = False
        self.start = monotonic()
        self.until = self.start + time_limit_s
        self.sets = resolve_demand(topology)

    def verdicts(self) -> list[Judged]:
        """Every class, without reasons; those that need no solver cost nothing."""
        classes = find_failure_classes(self.topology, self.sets)
        found = []
        for index, failure in enumerate(classes):
            try:
                self._tell(failure.label)
                found.append(self.verdict(failure, self._share(len(classes) - index)))
            except KeyboardInterrupt:
                self.interrupted = True
                lost = [min(self.number, len(each.members)) for each in classes[index:]]
                rest = zip(classes[index:], lost, strict=True)
                return found + [Judged(each, n, Verdict.UNDECIDED, 0, reason="interrupted") for each, n in rest]
        return found

    def verdict(self, failure: FailureClass, until: float) -> Judged:
        """One class: lost with the first way that does not fit, undecided where a way is and none is lost."""
        lost = min(self.number, len(failure.members))
        judged = Judged(failure, lost, Verdict.SURVIVED, 0)
        for tried, parts in enumerate(_ways(self.topology, self.sets, failure.members, lost)):
            if tried == MOST_WAYS:
                return replace(judged, verdict=Verdict.UNDECIDED, reason=f"{tried} ways fit, there are more")
            judged = self._way(judged, parts, until)
            if judged.verdict is Verdict.LOST or (tried and monotonic() > until):
                break
        return judged

    def explained(self, judged: list[Judged]) -> Iterator[Judged]:
        """The same with a reason for each class that is lost, while there is time."""
        waiting = sum(each.verdict is Verdict.LOST and not each.reason for each in judged)
        for each in judged:
            if each.verdict is not Verdict.LOST or each.reason:
                yield each
                continue
            self._tell(f"why not {each.failure.label}")
            left = self._share(waiting) - monotonic()
            waiting -= 1
            reduced, kind = self._reduced(each.example), each.failure.kind
            reason = self._why(reduced, kind, left) if left > 0 and not self.interrupted else ""
            yield replace(each, reason=reason or "the workload does not fit; no reason was found in the time")

    def _why(self, reduced: Topology, kind: FailureKind, time_limit_s: float) -> str:
        try:
            return why_lost(reduced, kind, time_limit_s=time_limit_s)
        except KeyboardInterrupt:
            self.interrupted = True
            return ""

    def _way(self, judged: Judged, parts: tuple[str, ...], until: float) -> Judged:
        """The class with one more way looked at; a way that is not decided stays its example."""
        more = replace(judged, tried=judged.tried + 1)
        reduced = without(self.topology, parts)
        bereft = tuple(each.name for each in self.sets if not surviving_readers(reduced, each))
        if bereft:
            return replace(more, verdict=Verdict.LOST, example=parts, bereft=bereft, reason=_NO_READERS)
        left = until - monotonic()
        if left <= 0:
            return replace(judged, verdict=Verdict.UNDECIDED, example=parts, reason="not decided in the time")
        try:
            answer = find_feasible(compile_placement(self._reduced(parts)).program, time_limit_s=left)
        except InputError as error:  # a line of the file names what is not there any more
            return replace(more, verdict=Verdict.LOST, example=parts, reason=error.what)
        if isinstance(answer, Undecided):
            return replace(more, verdict=Verdict.UNDECIDED, example=parts, reason="not decided in the time")
        return more if answer is not None else replace(more, verdict=Verdict.LOST, example=parts, reason="")

    def _reduced(self, parts: Iterable[str]) -> Topology:
        return with_readers(without(self.topology, parts), self.sets)

    def _share(self, waiting: int) -> float:
        """Until when one of several waiting classes may work: three fair shares, for most need less than one."""
        now = monotonic()
        return now + max(self.until - now, 0.0) * min(3 / waiting, 1)

    def _tell(self, what: str) -> None:
        if self.progress is not None:
            self.progress(what, monotonic() - self.start)


def _ways(
    topology: Topology, sets: tuple[WorkingSet, ...], members: tuple[str, ...], number: int
) -> Iterator[tuple[str, ...]]:
    """Ways to lose some of the members of a class, like ones once: one after another, symmetry looked at anew."""
    if number == 0:
        yield ()
        return
    seen: set[frozenset[str]] = set()
    for way in _ways(topology, sets, members, number - 1):
        reduced = with_readers(without(topology, way), sets) if way else topology
        left = [name for name in members if name not in way]
        for name in ways_to_lose(reduced, resolve_demand(reduced) if way else sets, left):
            longer = (*way, name)
            if frozenset(longer) not in seen:
                seen.add(frozenset(longer))
                yield longer
