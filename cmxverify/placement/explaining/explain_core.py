"""An explanation's facts beside the model that they are from: its sets, names, amounts and minima."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction

from cmxverify.errors import Location
from cmxverify.placement.explaining.minima import fewest_on, least, on_variables, with_any_number
from cmxverify.placement.model.compile import PlacementModel
from cmxverify.placement.model.demand import WorkingSet
from cmxverify.placement.model.plan import unit_noun
from cmxverify.placement.model.resources import Resource, ResourceKind
from cmxverify.placement.proof.program import Program
from cmxverify.units import Dimension, format_quantity

MOST_NAMED = 4
"""Sets that a sentence names."""


class Core:
    """Questions that sentences and conclusions ask; ``facts`` are those of the core, ``sets`` in the file's order."""

    def __init__(self, model: PlacementModel, facts: Sequence[str], time_limit_s: float) -> None:
        self.model, self.facts, self.time_limit_s = model, tuple(facts), time_limit_s
        self.working_sets = {each.name: each for each in model.sets}
        self.sets = [each.name for each in model.sets if f"set:{each.name}" in facts]
        every = (*model.table.allowed, *(rejected.chain for rejected in model.table.rejected))
        self.set_of = {chain.name: chain.part.working_set.name for chain in every}

    def working_set(self, name: str) -> WorkingSet:
        """A set by its full name."""
        return self.working_sets[name]

    def owned(self, name: str) -> bool:
        """Whether the core says that a set keeps to units of its own."""
        return bool(self.working_set(name).isolation) and f"iso:{name.partition('/')[0]}" in self.facts

    def named(self, names: Sequence[str]) -> str:
        """``acme/chat (:41) and acme/agents (:53)``; the file, too, if it is not the topology's; many are counted."""
        if len(names) > MOST_NAMED:
            return f"{len(names)} sets"
        texts = [f"{name} ({self.line(name)})" for name in names]
        return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"

    def line(self, name: str) -> str:
        """Line of a set: ``:41``."""
        return self.where(self.working_set(name).entry.at)

    def where(self, at: Location) -> str:
        """A line as sentences name it: ``:41``; the file, too, if it is not the topology's."""
        return f":{at.line}" if at.file == self.model.topology.file else f"{at.file}:{at.line}"

    def units(self, count: int) -> str:
        """``3 enclosures``, ``1 enclosure``; ``places`` where units are of several kinds."""
        return f"{count} {unit_noun(self.model, count)}"

    def least(self, program: Program, resource: Resource, names: Iterable[str]) -> Fraction | None:
        """Proved minimum of some columns' load on a resource."""
        return least(program, {name: resource.loads[name] for name in names}, time_limit_s=self.time_limit_s)

    def unbudgeted(self) -> list[str]:
        """The core without its power budgets."""
        return [fact for fact in self.facts if not fact.startswith("power:")]

    def relaxed(self) -> Program:
        """The core's program without its power budgets, with pools of any size."""
        return with_any_number(self.model, self.unbudgeted())

    def fewest_by_owner(self) -> list[int]:
        """Units for those who share, and for each tenant that the core keeps apart: minima, each on its own."""
        owners: dict[str, list[str]] = {"": []}
        for name in self.on_variables():
            owner = name.partition(" for ")[2]
            owners.setdefault(owner if f"iso:{owner}" in self.facts else "", []).append(name)
        counts = (self.fewest(names) for names in owners.values())
        return [count for count in counts if count]

    def on_variables(self) -> tuple[str, ...]:
        """Names of the variables that count units that are on."""
        return on_variables(self.model)

    def fewest(self, names: Iterable[str], facts: Sequence[str] | None = None) -> int | None:
        """Proved minimum of units on under some facts (the core's but its budgets), whatever there are."""
        kept = self.unbudgeted() if facts is None else facts
        return fewest_on(self.model, kept, names, time_limit_s=self.time_limit_s)


def shown_quantity(value: Fraction, resource: Resource) -> str:
    """A load in the unit of its resource."""
    if resource.kind is ResourceKind.POWER:
        return format_quantity(value, Dimension.POWER, 4)
    dimension = Dimension.SIZE if resource.kind is ResourceKind.CAPACITY else Dimension.RATE
    return format_quantity(value, dimension, 4)
