"""From topology and workload to the integer program: columns, rows and objectives.

Units: a column counts chunks of one home copy; an ``on`` variable counts enclosures that are switched on.
Loads are exact fractions of bytes, bytes/s and watts; ``resources.whole_row`` turns them into whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from cmxverify.errors import InputError
from cmxverify.placement.model.apart import Apart
from cmxverify.placement.model.chains import Chain, ChainTable, Rejected, build_chains
from cmxverify.placement.model.demand import WorkingSet, resolve_demand
from cmxverify.placement.model.facts import FactBook
from cmxverify.placement.model.objectives import build_objectives, choose_objectives
from cmxverify.placement.model.orbits import Orbits
from cmxverify.placement.model.power import Energy
from cmxverify.placement.model.resources import Resource, ResourceKind, whole_row
from cmxverify.placement.model.stores import Part
from cmxverify.placement.model.switching import Switching
from cmxverify.placement.model.symmetry import Symmetry, find_symmetry
from cmxverify.placement.model.tally import tally_resources
from cmxverify.placement.proof.program import Program, Row, Sense, Variable
from cmxverify.topology.model import Tier, Topology
from cmxverify.topology.routes import Router
from cmxverify.units import Dimension, format_quantity

LEAST_CHUNKS = 5_000
"""Chunks that the default size makes at least of what is stored, and of the room for it."""
MOST_CHUNKS = 10_000_000
"""Each may count for a 10^-9 of a limit too much (``resources.whole_row``): with so many, for a hundredth in all."""


@dataclass(frozen=True)
class PlacementModel:
    """The program with everything needed to read its answer."""

    topology: Topology
    sets: tuple[WorkingSet, ...]
    symmetry: Symmetry
    chunk: Fraction
    table: ChainTable
    switching: Switching
    resources: tuple[Resource, ...]
    program: Program
    facts: FactBook
    energy: Energy

    @property
    def chains(self) -> Mapping[str, Chain]:
        """Allowed chains by column name."""
        return {chain.name: chain for chain in self.table.allowed}


def compile_placement(
    topology: Topology,
    *,
    objectives: Sequence[str] | None = None,
    aggregate: bool = True,
    explain: bool = False,
) -> PlacementModel:
    """Build the program.

    Args:
        objectives: Levels in order of priority; by default late, restore, power, and cost where prices are given.
        aggregate: Let one unknown stand for interchangeable trays and enclosures.
        explain: Also add the chains that the user's lines rule out, each with a row that carries its fact, and
            the rows that hold when some tenants' isolation is dropped, so that every line can be dropped.

    Raises:
        InputError: If the workload cannot be resolved, a tenant keeps apart in two ways, chunks are far too small,
            or an objective is unknown or lacks its prices.
    """
    sets = resolve_demand(topology)
    _refuse_two_isolations(sets)
    router = Router(topology)
    symmetry = find_symmetry(topology, sets, aggregate=aggregate, router=router)
    chunk = _chunk(topology, sets)
    orbits = Orbits(topology, symmetry.colours, router)
    table = build_chains(topology, sets, symmetry, orbits, chunk=chunk)
    facts = FactBook(topology, sets)
    chains = [*table.allowed, *(r.chain for r in table.rejected)] if explain else list(table.allowed)
    switching = Switching(topology, chains)
    energy = Energy(topology)
    resources = tally_resources(topology, symmetry, chains, switching, facts, energy, orbits, chunk=chunk)
    apart = Apart(chains, switching)
    variables = [*_variables(chains, switching), *apart.variables()]
    upper = {variable.name: variable.upper for variable in variables}
    rows = [
        *_demand_rows(table.parts, chains),
        *_resource_rows(resources, upper, switching, explain=explain),
        *switching.rows(),
        *apart.rows(),
        *(_rejected_rows(table.rejected) if explain else ()),
        *(_stored_rows(chains, switching) if explain else ()),
    ]
    keys = choose_objectives(objectives, topology, symmetry.pools)
    goals = build_objectives(topology, keys, chains, switching, resources, energy)
    program = Program((*variables, *goals.variables), (*rows, *goals.rows), goals.objectives, facts.entries)
    return PlacementModel(topology, sets, symmetry, chunk, table, switching, resources, program, facts, energy)


def _refuse_two_isolations(sets: Iterable[WorkingSet]) -> None:
    """A tenant's own places are one group, so all its sets that keep apart do so by one template."""
    wanted: dict[str, WorkingSet] = {}
    for each in sets:
        first = wanted.setdefault(each.entry.tenant, each) if each.isolation else each
        if each.isolation != first.isolation:
            what = f"{each.name} keeps apart by '{each.isolation}', {first.name} by '{first.isolation}'"
            fix = "Give all sets of a tenant the same isolation, or make them two tenants."
            raise InputError(what, at=each.entry.where("isolation"), fix=fix)


def default_chunk(topology: Topology, sets: Iterable[WorkingSet]) -> Fraction:
    """The largest power of ten bytes that is at most a 5,000th of what is stored, and of the shared room.

    Where no room is shared, all of it counts. More room than is needed must not make chunks coarse.
    """
    shared = [p.capacity for p in topology.places.values() if p.tier in (Tier.G35, Tier.G4)]
    room = sum(shared or [p.capacity for p in topology.places.values()], Fraction(0))
    largest = min(room, _stored(sets)) / LEAST_CHUNKS
    chunk = 1
    while chunk * 10 <= largest:
        chunk *= 10
    return Fraction(chunk)


def _chunk(topology: Topology, sets: tuple[WorkingSet, ...]) -> Fraction:
    usual = default_chunk(topology, sets)
    if topology.chunk is None or topology.chunk >= usual or _stored(sets) <= topology.chunk * MOST_CHUNKS:
        return topology.chunk or usual
    chunk = format_quantity(topology.chunk, Dimension.SIZE)
    what = f"chunk {chunk} makes more than {MOST_CHUNKS:,} chunks of what is stored"
    fix = f"Leave chunk out, or write {format_quantity(usual, Dimension.SIZE)}."
    raise InputError(what, at=topology.chunk_at, fix=fix)


def _stored(sets: Iterable[WorkingSet]) -> Fraction:
    return sum((each.stored_bytes * each.entry.spec.copies for each in sets), Fraction(0))


def _variables(chains: Iterable[Chain], switching: Switching) -> list[Variable]:
    found = [Variable(c.name, 0, c.part.chunks * (1 if c.home is None else c.part.copies)) for c in chains]
    return found + switching.variables()


def _demand_rows(parts: Iterable[Part], chains: Iterable[Chain]) -> list[Row]:
    """Every chunk of a part has all its copies, or is recomputed."""
    terms: dict[str, dict[str, int]] = {part.name: {} for part in parts}
    for chain in chains:
        terms[chain.part.name][chain.name] = chain.part.copies if chain.home is None else 1
    return [
        Row(
            f"demand {part.name}",
            terms[part.name],
            Sense.EQUAL,
            part.chunks * part.copies,
            (f"set:{part.working_set.name}",),
        )
        for part in parts
    ]


def _resource_rows(
    resources: Iterable[Resource], upper: Mapping[str, int], switching: Switching, *, explain: bool
) -> list[Row]:
    """Rows of the resources that could bind, one for each different left-hand side (the tightest)."""
    rows: dict[tuple[object, ...], Row] = {}
    for resource in resources:
        if not resource.can_bind(upper):
            continue
        for name, loads, limit, needed in switching.split(resource, explain=explain):
            row = whole_row(name, loads, limit, needed)
            key = (tuple(sorted(row.terms.items())), row.facts if explain else ())
            if (row.terms or row.rhs < 0) and (key not in rows or row.rhs < rows[key].rhs):
                rows[key] = row
    return _unique_names(rows.values())


def _unique_names(rows: Iterable[Row]) -> list[Row]:
    seen: dict[str, int] = {}
    found = []
    for row in rows:
        seen[row.name] = seen.get(row.name, 0) + 1
        suffix = f" #{seen[row.name]}" if seen[row.name] > 1 else ""
        found.append(Row(row.name + suffix, row.terms, row.sense, row.rhs, row.facts))
    return found


def _stored_rows(chains: Iterable[Chain], switching: Switching) -> list[Row]:
    """Nothing is stored where nothing is on, whatever the room: so no line has to be blamed for the first unit."""
    rows = []
    for label, pool in switching.pools.items():
        upper = {c.name: Fraction(c.part.chunks * c.part.copies) for c in chains if c.home is pool}
        most, on = sum(upper.values(), Fraction(0)), switching.all_on(pool)
        stored = Resource(ResourceKind.CAPACITY, f"stored in {label}", most, dict.fromkeys(upper, Fraction(1)), on)
        rows += [whole_row(*each) for each in switching.split(stored, explain=True)]
    return _unique_names(rows)


def _rejected_rows(rejected: Iterable[Rejected]) -> list[Row]:
    return [
        Row(f"not {each.chain.name}", {each.chain.name: 1}, Sense.AT_MOST, 0, (each.fact,)) for each in rejected
    ]


