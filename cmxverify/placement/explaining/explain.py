"""Why a placement is infeasible, in the user's own lines, and which changes would help - each solved again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic

from cmxverify.placement.explaining.cores import Explanation
from cmxverify.placement.explaining.cores_hitting import Facts
from cmxverify.placement.explaining.explain_conclusion import conclude
from cmxverify.placement.explaining.explain_facts import Sentence, describe
from cmxverify.placement.explaining.grouped import find_core
from cmxverify.placement.explaining.remedies import find_remedies
from cmxverify.placement.explaining.trials import Reload, Trials, try_all
from cmxverify.placement.model.compile import PlacementModel, compile_placement
from cmxverify.topology.model import Topology

_CORE_SHARE, _MINIMUM_SHARE = 0.4, 0.04
"""Of the time: for the core, and for each number in a sentence; the rest is for ways out."""
_POLICIES = {"power": "power", "hops": "hops", "restore": "restore", "copies": "copies", "iso": "isolation"}
"""Lines that a user can change at once, and the word for each kind."""


@dataclass(frozen=True)
class Explained:
    """The smallest explanation, sentence by sentence, its conclusion, and the ways out that were tried.

    Attributes:
        facts: Ids of the lines that the core is about.
        grouped: How many of them are sets that count as one fact of the core; 0 if each set is one.
        no_part: Kinds of lines of the file that no fact of the core is of: changing them alone cannot help.
    """

    core: Explanation | None
    sentences: tuple[Sentence, ...]
    conclusion: str
    trials: Trials
    facts: tuple[str, ...] = ()
    grouped: int = 0
    no_part: tuple[str, ...] = ()


def explain_infeasible(topology: Topology, reload: Reload, *, time_limit_s: float) -> Explained:
    """Find the smallest explanation of an infeasible topology, and changes that help.

    Args:
        reload: Gives the topology with further overrides, for changes to be solved again.
        time_limit_s: For everything together.
    """
    start = monotonic()
    model = compile_placement(topology, explain=True)
    found = find_core(model.program, time_limit_s=time_limit_s * _CORE_SHARE, prefer=_preference(model))
    if found is None:
        return Explained(None, (), "no explanation was found in the time", Trials(()))
    limit = time_limit_s * _MINIMUM_SHARE
    sentences = describe(model, found.facts, time_limit_s=limit, sets_as_one=bool(found.group))
    conclusion = conclude(model, found.facts, time_limit_s=limit)
    ladders = find_remedies(model, found.facts, time_limit_s=limit)
    trials = try_all(topology, ladders, reload, until=start + time_limit_s)
    no_part = _no_part(model, found.facts)
    return Explained(
        found.explanation, tuple(sentences), conclusion, trials, found.facts, len(found.group), no_part
    )


def _kind(fact: str) -> str:
    return fact.partition(":")[0]


def _preference(model: PlacementModel) -> Callable[[Facts], tuple[int, ...]]:
    """Among the shortest: most lines that are the user's policy, then sets of tenants that keep apart."""
    apart = {f"set:{each.name}" for each in model.sets if each.isolation}

    def value(core: Facts) -> tuple[int, ...]:
        policies = sum(_kind(fact) in _POLICIES for fact in core)
        keeps_apart = any(_kind(fact) == "iso" for fact in core)
        strangers = sum(_kind(fact) == "set" and fact not in apart for fact in core) if keeps_apart else 0
        return (-policies, strangers)

    return value


def _no_part(model: PlacementModel, core: tuple[str, ...]) -> tuple[str, ...]:
    """Without them the core is as impossible as with them. Copies are also part of what a set keeps."""
    there = {_kind(fact) for fact in model.program.facts} - {_kind(fact) for fact in core}
    if any(each.entry.spec.copies > 1 and f"set:{each.name}" in core for each in model.sets):
        there -= {"copies"}
    return tuple(word for kind, word in _POLICIES.items() if kind in there)
