"""What ``cmxverify crosscheck`` does: search a model with our engine, then have another checker do so."""

from __future__ import annotations

from dataclasses import dataclass

from cmxverify.checking.check import selected_properties
from cmxverify.checking.crosscheck.comparison import CrossCheck, crosscheck
from cmxverify.checking.crosscheck.peer import PeerLimits
from cmxverify.checking.engines import engine_named
from cmxverify.checking.exploration import Request
from cmxverify.cli.model_code import one_message
from cmxverify.errors import InputError
from cmxverify.modeling.compile import compiled
from cmxverify.modeling.loading import load_model


@dataclass(frozen=True, slots=True)
class CrossCheckRequest:
    """Model, bounds and choices of one comparison."""

    model: str
    bounds: dict[str, int]
    properties: tuple[str, ...]
    engine: str
    symmetry: bool
    deadlock: bool
    seconds: float


def run_crosscheck(asked: CrossCheckRequest) -> CrossCheck:
    """Search twice and compare.

    Raises:
        InputError: For everything that is not right with model, bounds or choices.
    """
    if not asked.seconds > 0:
        raise InputError(f"--time-limit {asked.seconds:g} is not more than 0", fix="Write --time-limit 600.")
    engine = engine_named(asked.engine)
    loaded = load_model(asked.model)
    with one_message(loaded.model):
        system = compiled(loaded.model, asked.bounds).system
    properties = selected_properties(system, asked.properties)
    request = Request(
        properties=properties, symmetry=asked.symmetry, deadlock=asked.deadlock, seconds=asked.seconds
    )
    found = engine.explore(system, request)
    return crosscheck(system, found, request, limits=PeerLimits(seconds=asked.seconds))
