"""Objectives in order of priority: late turns, mean restore, power, cost, spread.

Each is a whole-number sum in a stated unit, its coefficients rounded to the nearest unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from cmxverify.errors import InputError, did_you_mean
from cmxverify.placement.model.chains import Chain
from cmxverify.placement.model.power import Energy
from cmxverify.placement.model.prices import priced_keys, unit_price
from cmxverify.placement.model.resources import Resource, ResourceKind
from cmxverify.placement.model.stores import VOLATILE, tier_of
from cmxverify.placement.model.switching import Switching
from cmxverify.placement.model.symmetry import Pool, unit_template
from cmxverify.placement.model.tally import Flow
from cmxverify.placement.proof.program import Objective, Row, Sense, Variable
from cmxverify.topology.model import Topology

UNITS: Mapping[str, Fraction] = {
    "late": Fraction(1, 10**9),
    "restore": Fraction(1, 10**9),
    "power": Fraction(1, 10**6),
    "cost": Fraction(1),
    "spread": Fraction(1, 10**3),
}
"""Unit of each level: turns/s, seconds of restoring a second, watts, US dollars, share of a pool's room."""
FULLEST = "fullest pool"


@dataclass(frozen=True, slots=True)
class Goals:
    """Objectives, with the variables and rows that ``spread`` adds."""

    objectives: tuple[Objective, ...]
    variables: tuple[Variable, ...] = ()
    rows: tuple[Row, ...] = ()


def choose_objectives(
    wanted: Sequence[str] | None, topology: Topology, pools: Sequence[Pool]
) -> tuple[str, ...]:
    """The levels to minimise: those wanted, else late, restore, power, and cost where what is switched has a price.

    Raises:
        InputError: If a name is unknown, given twice, or ``cost`` lacks prices.
    """
    if wanted is None:
        return ("late", "restore", "power", *(("cost",) if priced_keys(topology, pools) else ()))
    for index, key in enumerate(wanted):
        if key not in UNITS:
            raise InputError(f"unknown objective '{key}'", fix=did_you_mean(key, UNITS))
        if key in wanted[:index]:
            raise InputError(f"objective '{key}' is given twice", fix="Name each level once, most important first.")
    if "cost" in wanted and not priced_keys(topology, pools):
        _refuse_cost(topology, pools)
    return tuple(wanted)


def _refuse_cost(topology: Topology, pools: Sequence[Pool]) -> None:
    example = next((unit_template(topology, pool) for pool in pools), "enclosure")
    fix = f"Add 'prices: {{{example}: 310 kUSD}}'; the catalog has no prices."
    if topology.prices is None or not topology.prices.devices:
        raise InputError("objective 'cost' needs your prices", fix=fix)
    what = f"objective 'cost': {', '.join(topology.prices.devices)} is nothing that a plan switches"
    raise InputError(what, at=topology.prices.at, fix=fix)


def build_objectives(
    topology: Topology,
    keys: Iterable[str],
    chains: Iterable[Chain],
    switching: Switching,
    resources: Iterable[Resource],
    energy: Energy,
) -> Goals:
    """Terms of each level."""
    chains = list(chains)
    objectives: list[Objective] = []
    goals = Goals(())
    for key in keys:
        if key == "spread":
            goals = _spread(switching, resources)
            objectives.append(Objective("spread", {FULLEST: 1} if goals.variables else {}, 0, UNITS["spread"]))
            continue
        exact = _exact(key, topology, chains, switching, energy)
        terms = {name: round(value / UNITS[key]) for name, value in exact.items()}
        objectives.append(Objective(key, {n: c for n, c in terms.items() if c}, 0, UNITS[key]))
    return Goals(tuple(objectives), goals.variables, goals.rows)


def _exact(
    key: str, topology: Topology, chains: list[Chain], switching: Switching, energy: Energy
) -> dict[str, Fraction]:
    match key:
        case "late":
            return {chain.name: late_turns(chain) for chain in chains}
        case "restore":
            return {chain.name: restore_seconds(chain) for chain in chains}
        case "power":
            return _power(chains, switching, energy)
        case _:
            return _cost(topology, switching)


def late_turns(chain: Chain) -> Fraction:
    """Turns/s of one unit that do not find their KV: recomputed, or stored where they did not land."""
    if chain.home is None:
        return chain.part.reads / chain.part.chunks
    return chain.part.reads / (chain.part.chunks * chain.part.copies) * (1 - chain.served)


def restore_seconds(chain: Chain) -> Fraction:
    """Seconds of restoring a second that one unit causes, over the turns that find their KV."""
    if chain.home_leg is None:
        return Fraction(0)
    reads = chain.part.reads / (chain.part.chunks * chain.part.copies)
    near = chain.served_near * chain.copy_leg.seconds if chain.copy_leg else Fraction(0)
    return reads * (near + (chain.served - chain.served_near) * chain.home_leg.seconds)


def _power(chains: list[Chain], switching: Switching, energy: Energy) -> dict[str, Fraction]:
    watts: dict[str, Fraction] = {}
    for pool in switching.pools.values():
        for name in switching.all_on(pool):
            watts[name] = watts.get(name, Fraction(0)) + pool.first.idle_w * pool.per_unit
    for chain in chains:
        flow = Flow(chain)
        for store, rate in ((chain.home, flow.home + flow.written), (chain.copy, flow.near + flow.copy_written)):
            if store is not None and tier_of(store) not in VOLATILE:
                more = rate * energy.joules_per_byte(store.first)
                watts[chain.name] = watts.get(chain.name, Fraction(0)) + more
    return watts


def _cost(topology: Topology, switching: Switching) -> dict[str, Fraction]:
    """An enclosure is paid once, however many pools its places are in."""
    pools = switching.by_units()
    return {name: unit_price(topology, pool.units[0]) for pool in pools for name in switching.all_on(pool)}


def _spread(switching: Switching, resources: Iterable[Resource]) -> Goals:
    """``fullest pool``: thousandths of its installed room that the fullest pool holds."""
    rows = []
    for resource in resources:
        if resource.kind is ResourceKind.CAPACITY and resource.per_on:
            room = resource.limit * switching.pools[resource.label.removesuffix(" capacity")].size
            loads = {column: round(load * 10**9 / room) for column, load in resource.loads.items()}
            rows.append(Row(f"fill of {resource.label}", {**loads, FULLEST: -(10**6)}, Sense.AT_MOST, 0))
    return Goals((), (Variable(FULLEST, 0, 1001),) if rows else (), tuple(rows))
