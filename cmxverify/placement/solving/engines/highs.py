"""HiGHS as a proposer: mixed-integer search in floats, answers rounded and checked exactly."""

from __future__ import annotations

from typing import Any

import highspy

from cmxverify.placement.solving.engines.interrupt import interruptible
from cmxverify.placement.solving.engines.proposal import Claim, Proposal, Task
from cmxverify.placement.solving.engines.relaxation import cost_scale, highs_lp, quiet_highs

_PROBING = 1 << 15
"""Bit of the presolve rule 'probing' in ``presolve_rule_off``."""


def propose(task: Task) -> Proposal:
    """Best point that HiGHS finds within the time limit."""
    highs = quiet_highs(task.seed)
    highs.setOptionValue("time_limit", max(task.time_limit_s, 0.01))
    # probing in presolve has been seen to run on far beyond the time limit (HiGHS 1.16), so it is left out
    highs.setOptionValue("presolve_rule_off", _PROBING)
    highs.setOptionValue("mip_rel_gap", 0.0)
    highs.setOptionValue("mip_abs_gap", 0.99 * cost_scale(task.cost))
    lp = highs_lp(task.matrix, task.cost)
    lp.integrality_ = [highspy.HighsVarType.kInteger] * len(task.matrix.names)
    highs.passModel(lp)
    if task.hint is not None:
        start = highspy.HighsSolution()
        start.col_value = [float(x) for x in task.hint]
        highs.setSolution(start)
    highs.HandleUserInterrupt = True
    interruptible(highs.run, highs.cancelSolve)
    return _proposal(highs, task)


def _proposal(highs: Any, task: Task) -> Proposal:
    status = highs.getModelStatus()
    if status == highspy.HighsModelStatus.kInfeasible:
        return Proposal(None, Claim.EMPTY)
    late = status == highspy.HighsModelStatus.kTimeLimit
    point = [round(x) for x in highs.getSolution().col_value]
    if not point or not task.matrix.admits(point):
        return Proposal(None, hit_wall_clock=late)
    done = status == highspy.HighsModelStatus.kOptimal
    return Proposal(point, Claim.OPTIMAL if done else Claim.NOTHING, late)
