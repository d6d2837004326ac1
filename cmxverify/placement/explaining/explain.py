"""Why a placement is infeasible, in the user's own lines, and which changes would help - each solved again."""

from __future__ import annotations

from dataclasses import dataclass
from time import monotonic

from cmxverify.placement.explaining.cores import Explanation, smallest_core
from cmxverify.placement.explaining.explain_conclusion import conclude
from cmxverify.placement.explaining.explain_facts import Sentence, describe
from cmxverify.placement.explaining.remedies import find_remedies
from cmxverify.placement.explaining.trials import Reload, Trials, try_all
from cmxverify.placement.model.compile import compile_placement
from cmxverify.topology.model import Topology

_CORE_SHARE = 0.4


@dataclass(frozen=True)
class Explained:
    """The smallest explanation, sentence by sentence, its conclusion, and the ways out that were tried."""

    core: Explanation | None
    sentences: tuple[Sentence, ...]
    conclusion: str
    trials: Trials


def explain_infeasible(topology: Topology, reload: Reload, *, time_limit_s: float) -> Explained:
    """Find the smallest explanation of an infeasible topology, and changes that help.

    Args:
        reload: Gives the topology with further overrides, for changes to be solved again.
        time_limit_s: For everything together.
    """
    start = monotonic()
    model = compile_placement(topology, explain=True)
    core = smallest_core(model.program, time_limit_s=time_limit_s * _CORE_SHARE)
    if core is None:
        return Explained(None, (), "no explanation was found in the time", Trials(()))
    sentences = describe(model, core.facts, time_limit_s=time_limit_s * 0.1)
    conclusion = conclude(model, core.facts, time_limit_s=time_limit_s * 0.1)
    ladders = find_remedies(model, core.facts, time_limit_s=time_limit_s * 0.1)
    trials = try_all(topology, ladders, reload, until=start + time_limit_s)
    return Explained(core, tuple(sentences), conclusion, trials)
