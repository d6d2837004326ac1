"""The search for explanations in one independent part of a program.

Two kinds of findings carry it. A *correction* is a satisfiable choice of facts, seen from its other side: the
facts it drops, and a point that satisfies the rows of all others. A *core* is an impossible choice. Every core
contains a fact of every correction (implicit hitting sets): the lightest choice that meets all corrections
found so far is either impossible, then no explanation is lighter, or it yields a further correction.

A. Ignatiev, A. Previti, M. Liffiton, J. Marques-Silva, "Smallest MUS extraction with minimal hitting set
dualization", CP 2015; the enumeration is MARCO: M. Liffiton, A. Previti, A. Malik, J. Marques-Silva, "Fast,
flexible MUS enumeration", Constraints 21, 2016.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from time import monotonic

from cmxverify.placement.explaining.cores_hitting import Facts, OutOfTime, minimum_hitting_set
from cmxverify.placement.explaining.cores_oracle import Impossible, Oracle, OracleMaker, Possible, Values
from cmxverify.placement.proof.program import Program


@dataclass(frozen=True, slots=True)
class Correction:
    """``values`` satisfies the rows of every fact of the part but ``dropped``; no core avoids ``dropped``."""

    dropped: Facts
    values: Values


class PartSearch:
    """Findings about one part.

    Attributes:
        bound: Proved lower bound on the weight of its explanations.
        shares: How much each fact adds to some proof; facts that add little are dropped first. Only a hint.
    """

    def __init__(
        self, part: Program, make_oracle: OracleMaker, weights: Mapping[str, int], *, patience_s: float
    ) -> None:
        self.part = part
        self.facts = frozenset(fact for row in part.rows for fact in row.facts)
        self.corrections: list[Correction] = []
        self.cores: list[Facts] = []
        self.bound = 0
        self.shares: Mapping[str, int] = {}
        self._impossible: list[Facts] = []
        self._make_oracle = make_oracle
        self._weights = weights
        self._patience_s = patience_s
        self._remember(frozenset(), {v.name: min(max(v.lower, 0), v.upper) for v in part.variables})

    @cached_property
    def _oracle(self) -> Oracle:
        """Made late: in most parts the empty placement or a remembered point already answers."""
        return self._make_oracle(self.part)

    def weight(self, facts: Facts) -> int:
        """Total weight of some facts."""
        return sum(self._weights[fact] for fact in facts)

    @property
    def satisfiable(self) -> bool:
        """Whether all facts together are known to leave a point, so that the part explains nothing."""
        return any(not correction.dropped for correction in self.corrections)

    def judge(self, facts: Facts, *, deadline: float) -> Possible | Impossible | None:
        """The verdict on these facts of the part: remembered, else asked for; None if undecided.

        A point is believed only after an exact check, and then remembered with all facts that it satisfies.

        Raises:
            OutOfTime: If the deadline has passed.
        """
        for correction in self.corrections:
            if not facts & correction.dropped:
                return Possible(correction.values)
        for impossible in self._impossible:
            if impossible <= facts:
                return Impossible(impossible)
        left = deadline - monotonic()
        if left <= 0:
            raise OutOfTime
        verdict = self._oracle.judge(facts, time_limit_s=min(left, self._patience_s))
        if isinstance(verdict, Impossible):
            self._impossible.append(verdict.facts)
        if isinstance(verdict, Possible) and not self._remember(facts, verdict.values):
            return None
        return verdict

    def find_irreducible(self, impossible: Facts, *, deadline: float) -> Facts:
        """Drop facts from an impossible choice, heavy ones and then those of small share first.

        In halves, since mostly many can go at once. A fact stays when the others are not known to be
        impossible without it.

        Raises:
            OutOfTime: If the deadline passes first.
        """
        core = impossible
        waiting = [sorted(impossible, key=lambda fact: (-self._weights[fact], self._rank(fact)))]
        while waiting:
            batch = waiting.pop()
            if isinstance(self.judge(core.difference(batch), deadline=deadline), Impossible):
                core = core.difference(batch)  # not the oracle's own smaller core: that would lose the order
            elif len(batch) > 1:
                waiting += [batch[len(batch) // 2 :], batch[: len(batch) // 2]]
        self._add_core(core)
        return core

    def shown_irreducible(self, core: Facts) -> bool:
        """Whether for each fact a point is known that satisfies the rows of the others."""
        return all(any(not (core - {f}) & c.dropped for c in self.corrections) for f in core)

    def find_smallest(self, *, deadline: float) -> Facts | None:
        """The lightest core, first in order of sorted ids; None if the part is satisfiable or undecided.

        The answer does not depend on which points the oracle happens to give.

        Raises:
            OutOfTime: If the deadline passes; ``bound`` then holds what was proved.
        """
        while not self.satisfiable:
            dropped = [correction.dropped for correction in self.corrections]
            candidate = minimum_hitting_set(dropped, self._weights, at_least=self.bound, deadline=deadline)
            self.bound = self.weight(candidate)
            match self.judge(candidate, deadline=deadline):
                case Impossible():
                    self._add_core(candidate)
                    return candidate
                case Possible(values=values):
                    self._extend(candidate, values, deadline=deadline)
                case None:
                    return None
        return None

    def find_all(self, *, deadline: float) -> None:
        """Find every irreducible core; ``cores`` grows as they are found.

        Raises:
            OutOfTime: If the deadline passes first, or a verdict is missing.
        """
        from cmxverify.placement.explaining.cores_z3 import UnexploredChoices  # z3 loads slowly

        unexplored = UnexploredChoices(sorted(self.facts))
        for core in self.cores:
            unexplored.exclude_supersets(core)
        for correction in self.corrections:
            unexplored.exclude_subsets(self.facts - correction.dropped)
        while (seed := unexplored.next(time_limit_s=max(0.0, deadline - monotonic()))) is not None:
            largest = self._widen(seed)
            match self.judge(largest, deadline=deadline):
                case Impossible(facts=facts):
                    core = self.find_irreducible(facts, deadline=deadline)
                    if not self.shown_irreducible(core):
                        raise OutOfTime
                    unexplored.exclude_supersets(core)
                case Possible():
                    unexplored.exclude_subsets(largest)
                case None:
                    raise OutOfTime

    def _widen(self, seed: Facts) -> Facts:
        """Add facts, in order, as long as the choice contains no known core."""
        for fact in sorted(self.facts - seed, key=self._rank):
            wider = seed | {fact}
            if not any(core <= wider for core in self.cores):
                seed = wider
        return seed

    def _extend(self, facts: Facts, values: Values, *, deadline: float) -> None:
        """Add facts to a satisfiable choice until no further one is known to fit; its rest is a correction.

        Facts of small share go first, so that few are left out, and in halves: mostly many fit at once.
        """
        facts = self._satisfied(facts, values)
        waiting = [sorted(self.facts - facts, key=self._rank)]
        while waiting:
            batch = [fact for fact in waiting.pop() if fact not in facts]
            if not batch:
                continue
            match self.judge(facts.union(batch), deadline=deadline):
                case Possible(values=values):
                    facts = self._satisfied(facts.union(batch), values)
                case _ if len(batch) > 1:
                    waiting += [batch[len(batch) // 2 :], batch[: len(batch) // 2]]

    def _rank(self, fact: str) -> tuple[int, str]:
        return self.shares.get(fact, 0), fact

    def _add_core(self, core: Facts) -> None:
        if core not in self.cores:
            self.cores.append(core)

    def _remember(self, facts: Facts, values: Values) -> bool:
        """Keep a point as a correction, unless it fails the exact check."""
        if self.part.keeping(facts).violations(values):
            return False
        self.corrections.append(Correction(self.facts - self._satisfied(facts, values), values))
        return True

    def _satisfied(self, facts: Facts, values: Values) -> Facts:
        """These facts and, in order of rank, all others whose rows the point satisfies as well."""
        broken = [frozenset(row.facts) for row in self.part.rows if not row.holds(values)]
        for fact in sorted(self.facts - facts, key=self._rank):
            wider = facts | {fact}
            if not any(needs <= wider for needs in broken):
                facts = wider
        return facts
