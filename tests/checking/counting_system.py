"""The smallest systems in which something goes wrong: a counter, and what is added to it."""

from __future__ import annotations

from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.system import ActionKind, Cell, Instance, Obligation, Property, System

COUNTER = Cell(0, "x", (), "x", 4)
X, NEXT = COUNTER.read(), COUNTER.read_next()


def counting(
    *properties: Property, owed: tuple[Obligation, ...] = (), quiescent: ex.Expr | None = None
) -> System:
    """``x`` goes from 0 to 3; instance 0 does nothing, instance 1 counts."""
    idle = Instance("idle", ActionKind.ACTION, (), ex.TRUE, ())
    up = ex.add(X, ex.integer(1))
    count = Instance("count", ActionKind.ACTION, (), ex.lt(X, ex.integer(3)), ((0, up),), owed)
    return System("counting", (COUNTER,), ((0,),), (idle, count), properties, quiescent)


def at(value: int) -> ex.Expr:
    return ex.eq(X, ex.integer(value))
