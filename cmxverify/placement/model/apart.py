"""Copies of a chunk lie in different failure domains: rows, and what it takes to count the chunks that are stored.

With M chunks stored and r copies of each, it is enough that no domain holds more than M: the copies can then be
dealt out so that no two of a chunk meet. M is the part's N, less what is recomputed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from cmxverify.placement.model.chains import Chain
from cmxverify.placement.model.stores import LocalStore, Part
from cmxverify.placement.model.switching import Switching, on_name
from cmxverify.placement.proof.program import Row, Sense, Variable


@dataclass(frozen=True)
class _Domains:
    """A domain, or units that are each a domain of their own, with the chains of one part that end there.

    Where units may be on, and chunks be recomputed, M x on is a product of two unknowns. Then each of the first r
    units that are on (more than r are never asked for) has a 0/1 for being on, and a count of its own of at most M.
    """

    part: Part
    where: str
    units: int
    on: str
    """Variable that counts the units that are on; '' for a domain that is not switched."""
    recomputed: str
    """Column of chunks that are not stored; '' where the set is stored whole."""
    columns: dict[str, int] = field(default_factory=dict)

    @property
    def title(self) -> str:
        return f"spread {self.part.name} in {self.where}"

    @property
    def steps(self) -> tuple[tuple[str, str], ...]:
        """The 0/1 and the count of each unit that has them; none where the rows do without."""
        most = min(self.units, self.part.copies) if self.on and self.recomputed else 1
        if most == 1:
            return ()
        return tuple((f"{at} of {self.on}", f"{at} of {self.title}") for at in range(1, most + 1))

    def variables(self) -> Iterator[Variable]:
        for flag, count in self.steps:
            yield Variable(flag, 0, 1)
            yield Variable(count, 0, self.part.chunks)

    def rows(self) -> Iterator[Row]:
        chunks, facts = self.part.chunks, (f"copies:{self.part.working_set.name}",)
        if self.steps:
            counts = dict.fromkeys((count for _, count in self.steps), -1)
            yield Row(self.title, self.columns | counts, Sense.AT_MOST, 0, facts)
            yield from self._step_rows()
            return
        if self.on:
            yield Row(self.title, self.columns | {self.on: -chunks}, Sense.AT_MOST, 0, facts)
        if self.recomputed or not self.on:
            stored = {self.recomputed: 1} if self.recomputed else {}
            title = f"{self.title}, of what is stored" if self.on else self.title
            yield Row(title, self.columns | stored, Sense.AT_MOST, chunks, facts)

    def _step_rows(self) -> Iterator[Row]:
        flags = dict.fromkeys((flag for flag, _ in self.steps), 1)
        yield Row(f"{self.title}, on", flags | {self.on: -1}, Sense.AT_MOST, 0)
        for flag, count in self.steps:
            yield Row(f"{count}, if on", {count: 1, flag: -self.part.chunks}, Sense.AT_MOST, 0)
            yield Row(f"{count}, of what is stored", {count: 1, self.recomputed: 1}, Sense.AT_MOST, self.part.chunks)


class Apart:
    """Rows that keep copies apart, for every part with several copies and every domain."""

    def __init__(self, chains: Iterable[Chain], switching: Switching) -> None:
        chains = tuple(chains)
        recomputed = {chain.part.name: chain.name for chain in chains if chain.home is None}
        self._domains: dict[tuple[str, str], _Domains] = {}
        for chain in chains:
            pool, part = chain.home, chain.part
            if isinstance(pool, LocalStore) or pool is None or part.copies == 1:
                continue
            path = switching.domain(pool, part.working_set.entry)
            where, on = (path, "") if path else (pool.units_label, on_name(pool, chain.owner))
            found = _Domains(part, where, pool.size, on, recomputed.get(part.name, ""))
            self._domains.setdefault((part.name, where), found).columns[chain.name] = 1

    def variables(self) -> list[Variable]:
        """What the products of two unknowns take; none where no set with copies may be recomputed."""
        found = (variable for each in self._domains.values() for variable in each.variables())
        return list({variable.name: variable for variable in found}.values())

    def rows(self) -> list[Row]:
        """At most M in a domain; with k units on that are each a domain, at most M x k."""
        return [row for each in self._domains.values() for row in each.rows()]
