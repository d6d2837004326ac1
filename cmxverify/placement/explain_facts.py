"""Sentences of an explanation: each fact with its numbers and what it forces, and the conclusion.

Numbers are proved minima: the program of the other facts is solved for the least load or the fewest places on.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from math import ceil

from cmxverify.errors import Location
from cmxverify.placement.compile import PlacementModel
from cmxverify.placement.demand import WorkingSet
from cmxverify.placement.outcome import Status
from cmxverify.placement.program import Objective, Program
from cmxverify.placement.resources import Resource, ResourceKind
from cmxverify.placement.solve import solve_program
from cmxverify.placement.switching import MEMBERS
from cmxverify.placement.symmetry import unit_template
from cmxverify.units import Dimension, format_quantity

_VERBS = {
    ResourceKind.CAPACITY: ("fill", "one holds"),
    ResourceKind.READ: ("read", "one delivers"),
    ResourceKind.WRITE: ("write", "one takes in"),
    ResourceKind.ENDURANCE: ("write", "one endures"),
}
_UNLIMITED = 10**6
"""Members of a pool when it is asked how many would be needed."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One line of an explanation: the facts it covers, where the first of them stands, what it says."""

    facts: tuple[str, ...]
    at: Location | None
    text: str


def describe(model: PlacementModel, core: Sequence[str], *, time_limit_s: float) -> list[Sentence]:
    """A sentence for each fact, in the order of the file; sets are told where their load is, else on their own."""
    writer = _Writer(model, core, time_limit_s)
    sentences = [writer.sentence(fact) for fact in core if not fact.startswith("set:")]
    told = {fact for each in sentences for fact in each.facts}
    sentences += [writer.plain(fact) for fact in core if fact not in told]
    return sorted(sentences, key=lambda each: (each.at or Location(""), each.text))


def conclude(model: PlacementModel, core: Sequence[str], *, time_limit_s: float) -> str:
    """What the facts add up to: the budget that is missed, the places that are missing, or the empty choice."""
    return _Writer(model, core, time_limit_s).conclusion()


def least(program: Program, terms: Mapping[str, Fraction], *, time_limit_s: float) -> Fraction | None:
    """Proved minimum of a sum over a program's points, rounded down to a millionth of its size; None if unknown."""
    biggest = max((abs(value) for value in terms.values()), default=Fraction(0))
    if not biggest:
        return Fraction(0)
    scale = Fraction(10**7) / biggest
    whole = {name: int(value * scale // 1) for name, value in terms.items() if value}
    outcome = solve_program(replace(program, objectives=(Objective("least", whole),)), time_limit_s=time_limit_s)
    if outcome.status not in (Status.OPTIMAL, Status.FEASIBLE) or not outcome.levels:
        return None
    return outcome.levels[0].bound / scale


def with_any_number(model: PlacementModel, facts: Iterable[str]) -> Program:
    """The program that knows only these facts, as if every pool had as many places as one likes."""
    program = model.program.keeping(facts)
    switching = model.switching
    on = {name for pool in switching.pools.values() for name in switching.all_on(pool)}
    variables = tuple(replace(v, upper=_UNLIMITED) if v.name in on else v for v in program.variables)
    rows = tuple(row for row in program.rows if not row.name.startswith(MEMBERS))
    return Program(variables, rows, (), program.facts)


def fewest_on(model: PlacementModel, *, time_limit_s: float) -> int | None:
    """Places that all lines but the power budgets ask for, as if there were as many as one likes."""
    program = with_any_number(model, [fact for fact in model.program.facts if not fact.startswith("power:")])
    on = {v.name: Fraction(1) for v in program.variables if v.upper == _UNLIMITED}
    found = least(program, on, time_limit_s=time_limit_s)
    return None if found is None else ceil(found)


class _Writer:
    def __init__(self, model: PlacementModel, core: Sequence[str], time_limit_s: float) -> None:
        self.model, self.core, self.time_limit_s = model, tuple(core), time_limit_s
        self.facts = model.program.facts
        every = (*model.table.allowed, *(r.chain for r in model.table.rejected))
        self.chains = {chain.name: chain for chain in every}
        self.sets = [fact.partition(":")[2] for fact in core if fact.startswith("set:")]

    def plain(self, fact: str) -> Sentence:
        return Sentence((fact,), self.facts[fact].at, self.facts[fact].text)

    def sentence(self, fact: str) -> Sentence:
        if fact.startswith("iso:"):
            return self.isolation(fact)
        if fact == "hops" or fact.startswith(("restore:", "tiers:")):
            return self.filter(fact)
        resource = next((r for r in self.model.resources if fact in r.facts and r.per_on), None)
        if resource is not None and resource.kind in _VERBS:
            return self.pooled(fact, resource)
        return self.plain(fact)

    def isolation(self, fact: str) -> Sentence:
        tenant = fact.partition(":")[2]
        mine = [name for name in self.sets if self.working_set(name).entry.tenant == tenant]
        if not mine:
            return self.plain(fact)
        text = f"{self.facts[fact].text}, and {self.named(mine)} {'needs' if len(mine) == 1 else 'need'} some"
        count = self.fewest([v for v in self.on_variables() if v.endswith(f" for {tenant}")])
        if count:
            text += f"  -> {count} {self.noun(count)}"
        return Sentence((fact, *(f"set:{name}" for name in mine)), self.facts[fact].at, text)

    def pooled(self, fact: str, resource: Resource) -> Sentence:
        """Load of the sets of the core on one member's limit, and the members that this asks for."""
        verb, of_one = _VERBS[resource.kind]
        own = {c: load for c, load in resource.loads.items() if self.set_of(c) in self.sets}
        owners = {self.model.switching.owner_of[c] for c in own}
        shared = [name for name in self.sets if not self.owned(name)] if "" in owners else self.sets
        loads = {c: load for c, load in own.items() if self.set_of(c) in shared}
        amount = least(self.relaxed(), loads, time_limit_s=self.time_limit_s)
        if not shared or amount is None:
            return self.plain(fact)
        times = resource.shown_times
        total, one = self.quantity(amount * times, resource), self.quantity(resource.limit * times, resource)
        text = f"{self.named(shared)} {verb}{'s' if len(shared) == 1 else ''} {total}; {of_one} {one}"
        count = ceil(amount / resource.limit)
        if count > 1:
            text += f"  -> {count} {self.noun(count)}"
        return Sentence((fact, *(f"set:{name}" for name in shared)), self.facts[fact].at, text)

    def filter(self, fact: str) -> Sentence:
        """A limit that rules pairs out: the nearest that a set of the core would need."""
        ruled = [r for r in self.model.table.rejected if r.fact == fact and r.chain.part.working_set.name in self.sets]
        if not ruled:
            return self.plain(fact)
        nearest = min(ruled, key=lambda r: r.reason)
        name = nearest.chain.part.working_set.name
        text = f"{self.facts[fact].text}, but {self.named([name])} would need {nearest.chain.home_label}: {nearest.reason}"
        return Sentence((fact, f"set:{name}"), self.facts[fact].at, text)

    def conclusion(self) -> str:
        budgets = [r for r in self.model.resources if set(r.facts) & set(self.core)]
        for resource in sorted(budgets, key=lambda r: r.kind is not ResourceKind.POWER):
            if resource.kind is ResourceKind.POWER or not resource.per_on:
                text = self.missed(resource)
                if text:
                    return text
        on = self.on_variables()
        count = self.fewest(on)
        there = sum(pool.size for pool in self.model.switching.by_units())
        if count and count > there:
            return f"so {count} {self.noun(count)} would have to be on, and there are {there}"
        return f"so no place is left for {self.named(self.sets) if self.sets else 'the sets'}"

    def missed(self, resource: Resource) -> str:
        """The least that a budget would have to be under the other facts."""
        others = [fact for fact in self.core if fact not in resource.facts]
        need = least(self.model.program.keeping(others), resource.loads, time_limit_s=self.time_limit_s)
        if need is None or need <= resource.limit:
            return ""
        label = resource.label.removesuffix(" power")
        if resource.kind is not ResourceKind.POWER:
            return f"so {label} would carry at least {self.quantity(need, resource)} of {self.quantity(resource.limit, resource)}"
        on = self.fewest(self.on_variables(), keeping=others)
        idle = self.idle_of(on)
        parts = f"{on} x {float(idle / on):,.0f} W idle + {float(need - idle):,.0f} W of traffic = " if on else ""
        return f"so {label} needs at least {parts}{float(need):,.0f} W > {float(resource.limit):,.0f} W"

    def idle_of(self, on: int | None) -> Fraction:
        pools = list(self.model.switching.pools.values())
        return min((pool.first.idle_w for pool in pools), default=Fraction(0)) * (on or 0)

    def fewest(self, variables: Iterable[str], *, keeping: Sequence[str] | None = None) -> int | None:
        """Proved minimum of places on, as if there were as many as one likes."""
        terms = dict.fromkeys(variables, Fraction(1))
        found = least(self.relaxed(keeping), terms, time_limit_s=self.time_limit_s)
        return None if found is None else ceil(found)

    def relaxed(self, keeping: Sequence[str] | None = None) -> Program:
        """The core's program without its budgets of power, with pools of any size."""
        facts = keeping if keeping is not None else [fact for fact in self.core if not fact.startswith("power:")]
        return with_any_number(self.model, facts)

    def on_variables(self) -> list[str]:
        switching = self.model.switching
        return [name for pool in switching.pools.values() for name in switching.all_on(pool)]

    def set_of(self, column: str) -> str:
        chain = self.chains.get(column)
        return chain.part.working_set.name if chain else ""

    def owned(self, name: str) -> bool:
        return bool(self.working_set(name).isolation) and f"iso:{name.partition('/')[0]}" in self.core

    def working_set(self, name: str) -> WorkingSet:
        return next(each for each in self.model.sets if each.name == name)

    def named(self, names: Sequence[str]) -> str:
        """``acme/chat (:41) and acme/agents (:53)``."""
        texts = [f"{name} (:{self.working_set(name).entry.at.line})" for name in names]
        return texts[0] if len(texts) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"

    def noun(self, count: int) -> str:
        kinds = {unit_template(self.model.topology, p) for p in self.model.switching.pools.values()}
        noun = next(iter(kinds)) if len(kinds) == 1 else "place"
        return noun if count == 1 else f"{noun}s"

    def quantity(self, value: Fraction, resource: Resource) -> str:
        if resource.kind is ResourceKind.POWER:
            return format_quantity(value, Dimension.POWER, 4)
        dimension = Dimension.SIZE if resource.kind is ResourceKind.CAPACITY else Dimension.RATE
        return format_quantity(value, dimension, 4)
