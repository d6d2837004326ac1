"""Two ways that a body may have taken, merged into one environment, field by field and name by name."""

from __future__ import annotations

from cmxverify.modeling.frontend.context import Environment
from cmxverify.modeling.frontend.evaluation import Thing
from cmxverify.modeling.frontend.joining import choose
from cmxverify.modeling.frontend.symbols import Listed, MismatchError, Symbol
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr


def merged(test: Expr, then: Environment, other: Environment) -> Environment:
    """``then`` where the test is true, else ``other``."""
    fields = {name: choose(test, each, other.fields[name]) for name, each in then.fields.items()}
    if then.returned is ir.TRUE:
        names = dict(other.names)
    elif other.returned is ir.TRUE:
        names = dict(then.names)
    else:
        names = _merged_names(test, then.names, other.names)
    returned = ir.ite(test, then.returned, other.returned)
    return Environment(fields, names, returned, _chosen(test, then.result, other.result))


def _merged_names(test: Expr, then: dict[str, Symbol], other: dict[str, Symbol]) -> dict[str, Symbol]:
    """Names that both branches know; one whose types differ is forgotten, and refused if it is used."""
    names: dict[str, Symbol] = {}
    for name in then.keys() & other.keys():
        if then[name] is other[name]:
            names[name] = then[name]
        elif not isinstance(then[name], Thing | Listed):
            try:
                names[name] = choose(test, then[name], other[name])
            except MismatchError:
                continue
    return names


def _chosen(condition_: Expr, then: Symbol | None, other: Symbol | None) -> Symbol | None:
    """Value returned on one path or another."""
    if then is None or other is None:
        return then if other is None else other
    return choose(condition_, then, other)
