"""The whole language: importing this loads every room, and each registers the kinds of nodes it evaluates."""

from cmxverify.modeling.frontend import calls, comparisons, elements, iteration, names, operators
from cmxverify.modeling.frontend.statements import run_body

ROOMS = (calls, comparisons, elements, iteration, names, operators)

__all__ = ["ROOMS", "run_body"]
