"""Models for tests from a few lines: ``made("k: Low", action="self.k += 1")``, compiled and run."""

from __future__ import annotations

from itertools import count as numbers
from textwrap import dedent, indent
from typing import Any

from random_models import load_source

from cmxverify.checking.agreement import property_disagreements, random_states, step_disagreements
from cmxverify.modeling.compile import Compiled, compiled
from cmxverify.modeling.functions import BreachError, NotEnabled

HEAD = """\
from __future__ import annotations
from dataclasses import dataclass, replace
from enum import Enum
from cmxverify.modeling import *
Node = Index("node")
Low = Range(0, 3)
Color = Enum("Color", "RED GREEN")
@dataclass(frozen=True)
class Grant:
    n: Node
    k: Low = 0
@dataclass(frozen=True)
class Release:
    n: Node
@dataclass(frozen=True)
class Renewal(Grant):
    again: bool = False
"""
_number = numbers()


def made(fields: str, *, action: str = "pass", members: str = "", node: int = 2) -> Compiled:
    """A model ``M`` with an action ``act(self)``; the source and its representation have been compared."""
    step = f"@action\ndef act(self) -> None:\n{indent(dedent(action), '    ')}\n"
    body = indent(f"{dedent(fields)}\n{step}{dedent(members)}\n", "    ")
    text = f"{HEAD}class M(Model):\n{body}"
    bounds = (
        {"node": node}
        if "Node" in text.partition("class M")[2] or "Grant" in text.partition("class M")[2]
        else {}
    )
    result = compiled(load_source(text, f"small_{next(_number)}").M, bounds)
    states = list(random_states(result, 20, 1))
    found = [*step_disagreements(result, states), *property_disagreements(result, states)]
    assert found == []
    result.model.state = next(result.model.initial_states())
    return result


def after(model: Compiled, **fields: Any) -> Any:
    """The plain values after ``act``, from the first initial state with some fields changed; or what prevents it."""
    running = model.model
    running.values_of_fields.update(fields)
    try:
        running.take(running.schema.steps[0], ())
    except NotEnabled:
        return "not enabled"
    except BreachError as error:
        return error.kind.value
    return dict(running.values_of_fields)
