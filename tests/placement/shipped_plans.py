"""Plans of the shipped topologies, solved once for all tests that look at them."""

from __future__ import annotations

from functools import cache

from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.model.plan import Plan, read_plan
from cmxverify.placement.proof.outcome import Outcome
from cmxverify.placement.solving.solve import solve_program
from cmxverify.topology.load import load_topology


@cache
def solved(name: str, *overrides: str) -> tuple[Plan, Outcome]:
    """Plan and outcome of a topology that has a plan."""
    model = compile_placement(load_topology(name, overrides=overrides))
    outcome = solve_program(model.program, time_limit_s=120)
    assert outcome.values is not None, outcome.status
    return read_plan(model, outcome.values), outcome
