"""A second opinion on a plan: every claim recomputed place by place and cable by cable, with code of its own.

Shared with the code that made the plan: reading the topology, the catalog and model shapes, and the arithmetic
of demand (``demand``). Not shared: routes and how bytes split, hops, restore times, deliverable rates, what HBM
has room for, who may use what, loads, power, objectives; symmetry and orbits play no part here at all.

Objectives in the program are sums of whole units, each coefficient rounded to the nearest. So an exact value may
differ from ``value * unit`` by half a unit for each chunk and each place that is on, and by no more.
"""

from __future__ import annotations

from fractions import Fraction

from cmxverify.placement.auditing.audit_flows import Accountant, Group, PlanError, name_everything
from cmxverify.placement.auditing.audit_goals import Goals
from cmxverify.placement.auditing.audit_limits import (
    demand_faults,
    domain_faults,
    network_faults,
    ownership_faults,
    permission_faults,
    place_faults,
    power_faults,
    total_cables,
)
from cmxverify.placement.auditing.audit_network import Network
from cmxverify.placement.auditing.audit_plan import Audit, PlanClaims
from cmxverify.placement.auditing.audit_times import Times, joules_per_byte, refuse_unreachable
from cmxverify.placement.model.demand import WorkingSet, resolve_demand
from cmxverify.topology.model import Place, Topology


def audit_plan(topology: Topology, claims: PlanClaims) -> Audit:
    """Check a plan against its topology.

    Raises:
        InputError: If the workload of the topology cannot be resolved.
    """
    sets = {each.name: each for each in resolve_demand(topology)}
    network = Network(topology)
    try:
        groups = name_everything(topology, sets, claims)
        for group in groups:
            refuse_unreachable(topology, network, group)
        return _judge(topology, network, list(sets.values()), claims, groups)
    except PlanError as error:
        return Audit((str(error),), {}, {}, {})


def _judge(
    topology: Topology, network: Network, sets: list[WorkingSet], claims: PlanClaims, groups: list[Group]
) -> Audit:
    times, energy = Times(topology, network), _Energy(topology, network)
    accountant = Accountant(network, claims.chunk)
    for group in groups:
        accountant.add(group)
    account = accountant.finish()
    on = [name for opened in claims.opened for name in opened.places]
    faults = [
        *demand_faults(sets, groups, claims.chunk),
        *permission_faults(topology, network, times, groups),
        *ownership_faults(topology, sets, claims, account),
        *domain_faults(topology, groups, claims.chunk),
        *place_faults(topology, sets, account),
        *network_faults(topology, network, account),
        *power_faults(topology, on, account, energy),
    ]
    values: dict[str, Fraction] = {}
    if not faults:
        goals = Goals(topology, claims, groups, account, times, energy)
        values = {level.key: goals.value(level.key) for level in claims.levels}
        for level in claims.levels:
            faults += goals.fault(level, values[level.key])
    return Audit(tuple(faults), total_cables(account), account.placed, values)


class _Energy:
    """Joules a byte of each place, worked out once."""

    def __init__(self, topology: Topology, network: Network) -> None:
        self.topology, self.network = topology, network
        self.known: dict[str, Fraction] = {}

    def __call__(self, place: Place) -> Fraction:
        if place.node not in self.known:
            self.known[place.node] = joules_per_byte(self.topology, self.network, place)
        return self.known[place.node]
