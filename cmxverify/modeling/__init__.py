"""The modelling language: types, models, actions and properties in plain Python, and their front end."""

from cmxverify.modeling.declarations import Bag, Bound, Ghost, Index, Map, Net, Owned, Queue, Range, Set
from cmxverify.modeling.declared import (
    action,
    environment,
    fault,
    initial,
    invariant,
    normalize,
    reachable,
    refines,
    step,
)
from cmxverify.modeling.functions import BreachError, NotEnabled, count, implies, require, saturate, wrap
from cmxverify.modeling.model import Model

__all__ = [
    "Bag",
    "Bound",
    "BreachError",
    "Ghost",
    "Index",
    "Map",
    "Model",
    "Net",
    "NotEnabled",
    "Owned",
    "Queue",
    "Range",
    "Set",
    "action",
    "count",
    "environment",
    "fault",
    "implies",
    "initial",
    "invariant",
    "normalize",
    "reachable",
    "refines",
    "require",
    "saturate",
    "step",
    "wrap",
]
