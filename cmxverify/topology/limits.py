"""What a file demands besides its graph: hop limit, power budgets, tenants, prices, and who may spread where."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from fractions import Fraction

from cmxverify.errors import InputError, Location, did_you_mean
from cmxverify.fields import validate_tree
from cmxverify.topology.model import HopLimit, HopMetric, PowerLimit, Prices, Tenant
from cmxverify.topology.schema import PowerSpec, PriceTerms, TopologyFile
from cmxverify.topology.select import outermost, select_members
from cmxverify.units import Dimension, parse_quantity
from cmxverify.workload.schema import WorkloadSpec
from cmxverify.yaml_tree import YamlTree

NAMESPACE = "namespace"
"""Isolation that shares enclosures; every other is the name of a template."""


def read_hops(spec: TopologyFile, tree: YamlTree) -> HopLimit:
    """The hop limit; without one, hops are counted in switches and only printed."""
    if spec.hops is None:
        return HopLimit()
    return HopLimit(HopMetric(spec.hops.metric), spec.hops.max, tree.locate(("hops", "max")))


def read_power(spec: TopologyFile, tree: YamlTree, names: Iterable[str]) -> tuple[PowerLimit, ...]:
    """Power budgets over nodes and containers; ``each`` gives one limit per member.

    Raises:
        InputError: If a budget names nothing that exists, or has both ``of`` and ``each``, or neither.
    """
    known = list(names)
    return tuple(limit for name, power in spec.power.items() for limit in _budget(name, power, tree, known))


def _budget(name: str, power: PowerSpec, tree: YamlTree, names: list[str]) -> list[PowerLimit]:
    if (power.of is None) == (power.each is None):
        what = f"power.{name} needs 'of' or 'each', one of them"
        raise InputError(what, at=tree.locate(("power", name)), fix="Write {of: ..., budget: ...}.")
    pattern, key = (power.of, "of") if power.of is not None else (power.each, "each")
    # a glob such as 'cmx*' also fits what is inside an enclosure, which the enclosure's budget covers already
    members = outermost(select_members(str(pattern), names, tree.locate(("power", name, key))))
    at, budget = tree.locate(("power", name, "budget")), tree.find(("power", name, "budget"))
    text = budget.file_text if budget else None
    if key == "of":
        return [PowerLimit(name, tuple(members), power.budget, at, text)]
    return [PowerLimit(f"{name} {member}", (member,), power.budget, at, text) for member in members]


def read_tenants(spec: TopologyFile, tree: YamlTree, instantiated: Iterable[str]) -> dict[str, Tenant]:
    """Tenants by name.

    Raises:
        InputError: If an isolation names no template that has an instance.
    """
    known = set(instantiated)
    found: dict[str, Tenant] = {}
    for name, tenant in spec.tenants.items():
        at = tree.locate(("tenants", name, "isolation"))
        if tenant.isolation != NAMESPACE:
            _refuse_unknown(f"isolation '{tenant.isolation}'", tenant.isolation, {*known, NAMESPACE}, at)
        found[name] = Tenant(name, "" if tenant.isolation == NAMESPACE else tenant.isolation, at)
    return found


def refuse_unknown_domains(workload: WorkloadSpec, instantiated: Iterable[str]) -> None:
    """Check that the sets' ``isolation`` and ``spread`` name templates that have instances.

    Raises:
        InputError: If one does not.
    """
    known = set(instantiated)
    for entry in workload.sets:
        for key, wanted in (("isolation", entry.spec.isolation), ("spread", entry.spec.spread)):
            allowed = {*known, NAMESPACE} if key == "isolation" else known
            if wanted is not None:
                _refuse_unknown(f"{entry.full_name}: {key} '{wanted}'", wanted, allowed, entry.where(key))


def refuse_idle_tenants(tenants: Mapping[str, Tenant], workload: WorkloadSpec | None) -> None:
    """Check that what ``--set`` says of a tenant has an effect; a file may list tenants for other workloads.

    Raises:
        InputError: If such a tenant has no working set.
    """
    known = {entry.tenant for entry in workload.sets} if workload else set()
    for name, tenant in tenants.items():
        if not tenant.at.line and name not in known:
            fix = did_you_mean(name, known) if known else "Leave it out."
            raise InputError(f"tenant '{name}' has no working set", at=tenant.at, fix=fix)


def _refuse_unknown(what: str, wanted: str, known: set[str], at: Location) -> None:
    if wanted not in known:
        raise InputError(f"{what} is no template that is used here", at=at, fix=did_you_mean(wanted, known))


def read_prices(tree: YamlTree, known: Iterable[str]) -> Prices | None:
    """The user's prices, None if the file has none; ``known`` are the devices and templates.

    Raises:
        InputError: If a price is of nothing known, negative, or no amount of money.
    """
    section = tree.child("prices")
    if section is None:
        return None
    terms = {key: child for key, child in section.items() if key in PriceTerms.model_fields}
    validate_tree(PriceTerms, YamlTree(terms, section.at, section.keys_at), within="prices")
    names = set(known)
    own = [(key, child.plain()) for key, child in section.items() if key not in terms]
    found = {key: _price(key, value, names, section.keys_at[key]) for key, value in own}
    bought = {key: price for key, price in found.items() if price is not None}
    return Prices(bought, tuple(key for key, _ in section.items() if key not in bought), section.at)


def _price(key: str, value: object, known: set[str], at: Location) -> Fraction | None:
    """What it costs to buy, in US dollars; None for a rent."""
    if key not in known:
        fix = did_you_mean(key, {*known, *PriceTerms.model_fields})
        raise InputError(f"price of '{key}', which is no template or device", at=at, fix=fix)
    rent = isinstance(value, str) and "/" in value
    found = parse_quantity(value, Dimension.MONEY_RATE if rent else Dimension.MONEY, at)
    if found < 0:
        raise InputError(f"price '{value}' is negative", at=at, fix="Write 0 or more.")
    return None if rent else found
