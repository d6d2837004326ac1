"""Where a symbolic execution stands: the state so far, the path, what is known on it, and the duties met."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

from cmxverify.errors import InputError
from cmxverify.modeling.frontend.accesses import GUARD, Access
from cmxverify.modeling.frontend.symbols import MismatchError, Symbol
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.expression import Expr, IntervalError, Op
from cmxverify.modeling.ir.system import Obligation, ObligationKind
from cmxverify.modeling.members import Schema
from cmxverify.modeling.source import Function

DEEPEST_INLINING = 40


@dataclass(slots=True)
class Environment:
    """Values at one point: fields of the model and local names.

    ``returned`` is the condition, relative to the start of the body, on which it has already returned ``result``.
    """

    fields: dict[str, Symbol]
    names: dict[str, Symbol]
    returned: Expr = ir.FALSE
    result: Symbol | None = None

    def fork(self) -> Environment:
        """A copy to change."""
        return Environment(dict(self.fields), dict(self.names), self.returned, self.result)


@dataclass(slots=True)
class Ledger:
    """Duties met during a whole compilation: places checked, places that still need a check (L10)."""

    places: dict[tuple[ObligationKind, str], bool] = field(default_factory=dict)
    asymmetric: dict[str, str] = field(default_factory=dict)
    functions: dict[int, Function] = field(default_factory=dict)
    constants: dict[str, str] = field(default_factory=dict)

    def met(self, kind: ObligationKind, place: str, *, open_: bool) -> None:
        """Count a place; it is discharged if it never needed a check."""
        self.places[kind, place] = self.places.get((kind, place), False) or open_


@dataclass(slots=True)
class Context:
    """Symbolic execution of one method with its parameters filled in.

    ``pure`` is true within a call that stands inside an expression: it may change nothing (L7). ``accesses`` is a
    record of what is read and written, where a loop needs one.
    """

    schema: Schema
    ledger: Ledger
    function: Function
    env: Environment
    old_fields: dict[str, Symbol] | None = None
    old_name: str = ""
    may_write: bool = True
    pure: bool = False
    in_property: bool = False
    in_ghost: bool = False
    at_node: Symbol | None = None
    at_home: bool = False
    path: list[Expr] = field(default_factory=list)
    guards: list[Expr] = field(default_factory=list)
    facts: list[set[Expr]] = field(default_factory=lambda: [set()])
    obligations: list[Obligation] = field(default_factory=list)
    inlined: list[Any] = field(default_factory=list)
    accesses: list[Access] | None = None
    run_body: Callable[[Context, list[ast.stmt]], None] | None = None

    def refusal(self, node: ast.AST, what: str, fix: str | None = None) -> InputError:
        """That the language does not allow this, where it stands, and the nearest form that it does."""
        return InputError(what, at=self.function.at(node), fix=fix)

    @contextmanager
    def reporting(self, node: ast.AST) -> Iterator[None]:
        """Turn faults of values into refusals at a node."""
        try:
            yield
        except MismatchError as error:
            raise self.refusal(
                node, str(error), "Values of different types never mix; convert or compare parts (L3)."
            ) from None
        except IntervalError as error:
            raise self.refusal(node, str(error), "Use smaller ranges (L4).") from None

    @contextmanager
    def under(self, condition: Expr) -> Iterator[None]:
        """Within, the path has one more condition."""
        self.path.append(condition)
        self.facts.append(set(conjuncts(condition)))
        try:
            yield
        finally:
            self.facts.pop()
            self.path.pop()

    def known(self, condition: Expr) -> bool:
        """Whether the path excludes that the condition is false."""
        return condition is ir.TRUE or any(condition in each for each in self.facts)

    def require(self, condition: Expr) -> None:
        """A part of the guard, on this path."""
        if condition is not ir.TRUE:
            self.accessed("require", GUARD)
        self.guards.append(ir.implies(ir.and_(*self.path), condition))
        self.facts[-1].update(conjuncts(condition))

    def duty(self, kind: ObligationKind, node: ast.AST, breach: Expr, text: str) -> None:
        """An obligation at a place: ``breach`` says when it is not met, given that the place is reached."""
        at = self.function.at(node)
        whole = ir.and_(*self.path, *self.guards, breach)
        self.ledger.met(kind, str(at), open_=whole is not ir.FALSE)
        if whole is not ir.FALSE:
            self.accessed("read", GUARD)
            duty = Obligation(kind, at, text, whole)
            if duty not in self.obligations:
                self.obligations.append(duty)

    def accessed(self, kind: str, root: str, path: tuple[object, ...] = ()) -> None:
        """Note that something is read or written, where a loop asks for it."""
        if self.accesses is not None:
            self.accesses.append(Access(kind, root, path))

    def local(self, name: str) -> str:
        """A local name of the function being executed, as the record of accesses has it."""
        return f"{name}/{len(self.inlined)}"

    @contextmanager
    def inside(
        self, function: Function, names: dict[str, Symbol], key: Any, node: ast.AST, *, pure: bool
    ) -> Iterator[None]:
        """Within, another function's body is executed in place; its local names are its own."""
        if key in self.inlined:
            raise self.refusal(
                node,
                f"{function.name} calls itself",
                "Recursion is not part of the language (L11b).",
            )
        if len(self.inlined) >= DEEPEST_INLINING:
            raise self.refusal(node, f"calls are nested more than {DEEPEST_INLINING} deep here")
        before = (self.function, self.env.names, self.env.returned, self.env.result, self.pure)
        self.pure = self.pure or pure
        self.function, self.env.names, self.env.returned, self.env.result = function, names, ir.FALSE, None
        self.inlined.append(key)
        try:
            yield
        finally:
            self.inlined.pop()
            self.function, self.env.names, self.env.returned, self.env.result, self.pure = before


def conjuncts(condition: Expr) -> Iterator[Expr]:
    """What is true where the condition is: parts of conjunctions, negated parts of negated disjunctions."""
    yield condition
    if condition.op is Op.AND:
        for each in condition.args:
            yield from conjuncts(each)
    elif condition.op is Op.NOT and condition.args[0].op is Op.OR:
        for each in condition.args[0].args:
            yield from conjuncts(ir.not_(each))
