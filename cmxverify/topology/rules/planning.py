"""Rules about what a plan is asked for: power budgets, utilisation and token counts."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from cmxverify.topology.model import PowerLimit, Tier
from cmxverify.topology.rules.rule import Remark, Severity, rule
from cmxverify.topology.rules.subject import Subject
from cmxverify.units import Dimension, format_count, format_quantity, format_share

_BUSY = Fraction(9, 10)
_ROUNDED_CONTEXTS = {n * 1000: n * 1024 for n in (32, 64, 128, 256, 512)} | {10**6: 1024**2}
"""Counts that are likely a model card's 32K to 1M with the wrong K."""


@rule(
    23,
    "A power budget covers what is always on, and can bind",
    source="Topology reference: serving nodes are base power, taken off first",
    article=Severity.ERROR,
    published=Severity.ERROR,
)
def power_budget(subject: Subject) -> Iterator[Remark]:
    """Below base power no plan exists; above everything at full power the budget says nothing."""
    for limit in subject.topology.power:
        base, full = _draw(subject, limit)
        budget, always, most = (
            format_quantity(each, Dimension.POWER) for each in (limit.budget_w, base, full)
        )
        if limit.budget_w < base:
            text = (
                f"budget '{limit.name}' is {budget}, but its GPUs, hosts and switches draw {always} already"
            )
            yield Remark(limit.at, text, "Raise it, or take serving nodes out of it")
        elif limit.budget_w >= full:
            text = f"budget '{limit.name}' is {budget}; all of it at full power draws {most}"
            yield Remark(limit.at, text, "Lower it, or drop it", Severity.HINT)


def _draw(subject: Subject, limit: PowerLimit) -> tuple[Fraction, Fraction]:
    """Watts of what no plan switches off, and the same with every place at full power.

    A switched enclosure's inner nodes are part of its own power; a local disk is always on.
    """
    topology = subject.topology
    names = {name for member in limit.members for name in topology.members(member)}
    switched = {name for place in subject.shared for name in topology.members(place.unit)}
    base = sum((topology.nodes[name].full_w or Fraction(0) for name in names - switched), Fraction(0))
    places = [topology.places[name] for name in names & topology.places.keys()]
    idle = sum((place.idle_w for place in places if place.tier is Tier.G3), Fraction(0))
    return base + idle, base + sum((place.full_w for place in places), Fraction(0))


@rule(
    24,
    "Links and places are planned below 90 % of their rate",
    source="Queueing theory: at utilisation u an M/M/1 queue waits u / (1 - u) service times",
    article=Severity.HINT,
    published=Severity.HINT,
)
def utilisation(subject: Subject) -> Iterator[Remark]:
    """A mean of 100 % is an endless queue."""
    planned = subject.topology.plan_to
    if planned == 1:
        yield Remark(
            subject.topology.plan_to_at, "plan_to is 100 %: queues then grow without end", "Write 80%"
        )
    elif planned > _BUSY:
        waits = float(planned / (1 - planned))
        text = f"plan_to is {format_share(planned)}: a request then waits {waits:.3g} times its own transfer"
        yield Remark(subject.topology.plan_to_at, text, "Write 80%")


@rule(
    25,
    "A context length means the tokens that the model card means",
    source="Model cards: 128K is 131,072 tokens",
    article=Severity.HINT,
    published=Severity.HINT,
)
def context_length(subject: Subject) -> Iterator[Remark]:
    """``128k`` is 128,000 here; a model card's 128K is ``128Ki``."""
    workload = subject.topology.workload
    for entry in workload.sets if workload else ():
        meant = _ROUNDED_CONTEXTS.get(entry.spec.context or 0)
        if meant is not None:
            text = f"{entry.full_name} has a context of {format_count(entry.spec.context or 0)}"
            short = f"{meant // 1024}Ki" if meant < 1024**2 else "1Mi"
            fix = f"A model card's figure is {format_count(meant)}: write {short} if that is meant"
            yield Remark(entry.where("context"), text, fix)
