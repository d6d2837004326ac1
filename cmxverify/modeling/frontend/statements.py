"""Statements: sequential execution over all states at once; branches are merged field by field (L11)."""

from __future__ import annotations

import ast
from collections.abc import Callable
from dataclasses import replace

from cmxverify.modeling import functions as language
from cmxverify.modeling.frontend.branches import branch, loop
from cmxverify.modeling.frontend.calls import inline
from cmxverify.modeling.frontend.context import Context
from cmxverify.modeling.frontend.elements import keyed, owned_element
from cmxverify.modeling.frontend.evaluation import SELF, Method, Thing, condition, evaluate, integer, value
from cmxverify.modeling.frontend.fitting import fitted
from cmxverify.modeling.frontend.joining import choose
from cmxverify.modeling.frontend.mutators import _MUTATORS
from cmxverify.modeling.frontend.names import allow_read
from cmxverify.modeling.frontend.operators import combined, set_operation
from cmxverify.modeling.frontend.patterns import match_cases
from cmxverify.modeling.frontend.symbols import Line, Mapping, Maybe, Members, Symbol, number
from cmxverify.modeling.ir import expression as ir
from cmxverify.modeling.ir.system import ObligationKind

Change = Callable[[Symbol], Symbol]


def run_body(context: Context, body: list[ast.stmt]) -> None:
    """Execute statements one after the other; stops where every path has returned."""
    for position, statement in enumerate(body):
        with context.reporting(statement):
            if isinstance(statement, ast.If):
                branch(context, statement, body[position + 1 :])
                return
            if isinstance(statement, ast.Match):
                branch(context, match_cases(context, statement), body[position + 1 :])
                return
            if isinstance(statement, ast.For):
                loop(context, statement, body[position + 1 :])
                return
            _simple(context, statement)
            if context.env.returned is ir.TRUE:
                return


def _simple(context: Context, statement: ast.stmt) -> None:
    match statement:
        case ast.Pass():
            return
        case ast.Expr():
            _expression(context, statement)
        case ast.Assign():
            _assign(context, statement)
        case ast.AnnAssign():
            if statement.value is not None:
                _assign_to(context, statement.target, value(context, statement.value), statement)
        case ast.AugAssign():
            _augmented(context, statement)
        case ast.Return():
            context.env.returned = ir.TRUE
            context.env.result = None if statement.value is None else value(context, statement.value)
        case ast.Assert():
            holds = condition(context, statement.test)
            context.duty(ObligationKind.ASSERT, statement, ir.not_(holds), ast.unparse(statement.test))
            context.facts[-1].add(holds)
        case _:
            what = type(statement).__name__
            raise context.refusal(
                statement,
                f"`{_WORDS.get(what, what.lower())}` is not part of the language",
                _INSTEAD.get(what),
            )


_WORDS = {
    "AsyncFor": "async for",
    "FunctionDef": "def",
    "ClassDef": "class",
    "Delete": "del",
    "ImportFrom": "import",
}
_INSTEAD = {
    "While": "Write a for over a finite type, or split the loop into steps of the model.",
    "Break": "Put the condition into the loop's body.",
    "Continue": "Put the rest of the body under an if.",
    "Try": "Test the condition first, by require or if.",
    "Raise": "Write require(...) to disable the step, or assert for a duty.",
    "With": "Steps are atomic: leave it out.",
    "Global": "Keep it as a field of the model.",
    "Nonlocal": "Keep it as a field of the model.",
    "FunctionDef": "Move it to the module or the class.",
    "ClassDef": "Move it to the module.",
    "Delete": "Assign None, or discard it from the set.",
    "Import": "Import at the top of the file.",
    "ImportFrom": "Import at the top of the file.",
}


def _expression(context: Context, statement: ast.Expr) -> None:
    node = statement.value
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return
    if not isinstance(node, ast.Call):
        raise context.refusal(
            statement, "an expression alone does nothing", "Assign it, require it or assert it."
        )
    target = evaluate(context, node.func)
    if isinstance(target, Thing) and target.object is language.require:
        _require(context, node)
    elif isinstance(target, Method) and isinstance(target.value, Thing):
        inline(context, node, getattr(context.schema.model, target.name), Thing(SELF))
    elif isinstance(target, Method):
        _mutate(context, node, target)
    elif isinstance(target, Thing) and type(target.object).__name__ == "function":
        inline(context, node, target.object, None)
    else:
        evaluate(context, node)
        raise context.refusal(
            statement, "an expression alone does nothing", "Assign it, require it or assert it."
        )


def _require(context: Context, node: ast.Call) -> None:
    if len(node.args) != 1 or node.keywords:
        raise context.refusal(node, "require takes one condition")
    if context.in_property:
        raise context.refusal(
            node, "require belongs to steps", "Write the condition into the property: `not c or ...`."
        )
    context.require(condition(context, node.args[0]))


def _assign(context: Context, statement: ast.Assign) -> None:
    if len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Tuple):
        _assign_tuple(context, statement, statement.targets[0])
        return
    if _is_pop(statement.value) and len(statement.targets) == 1:
        symbol = _pop(context, statement.value)
    else:
        with _ghost_update(context, statement.targets):
            symbol = _right_side(context, statement.value)
    for target in statement.targets:
        _assign_to(context, target, symbol, statement.value)


def _right_side(context: Context, node: ast.expr) -> Symbol:
    symbol = evaluate(context, node)
    if isinstance(symbol, Thing | Method):
        raise context.refusal(node, f"`{ast.unparse(node)}` is not a value")
    return symbol


class _ghost_update:  # noqa: N801  (used as a statement)
    """Within, ghosts may be read: the value goes into a ghost (L15)."""

    def __init__(self, context: Context, targets: list[ast.expr]) -> None:
        self.context = context
        self.ghost = all(_target_field(each) in _ghosts(context) for each in targets)

    def __enter__(self) -> None:
        self.before, self.context.in_ghost = self.context.in_ghost, self.context.in_ghost or self.ghost

    def __exit__(self, *_: object) -> None:
        self.context.in_ghost = self.before


def _ghosts(context: Context) -> set[str | None]:
    return {name for name, field in context.schema.fields.items() if field.ghost}


def _target_field(node: ast.expr) -> str | None:
    while isinstance(node, ast.Subscript):
        node = node.value
    return node.attr if isinstance(node, ast.Attribute) else None


def _assign_tuple(context: Context, statement: ast.Assign, target: ast.Tuple) -> None:
    if not isinstance(statement.value, ast.Tuple) or len(statement.value.elts) != len(target.elts):
        raise context.refusal(statement, "a tuple assignment needs as many values as names", "a, b = x, y")
    symbols = [_right_side(context, each) for each in statement.value.elts]
    for each, symbol, node in zip(target.elts, symbols, statement.value.elts, strict=True):
        _assign_to(context, each, symbol, node)


def _assign_to(context: Context, target: ast.expr, symbol: Symbol, node: ast.AST) -> None:
    if isinstance(target, ast.Name):
        if target.id in ("self", context.old_name):
            raise context.refusal(target, f"'{target.id}' cannot be assigned")
        context.env.names[target.id] = symbol
        return

    def store(old: Symbol) -> Symbol:
        return fitted(context, node, symbol, old.domain)

    _change(context, target, store)


def _augmented(context: Context, statement: ast.AugAssign) -> None:
    with _ghost_update(context, [statement.target]):
        if isinstance(statement.target, ast.Name):
            old = value(
                context, ast.copy_location(ast.Name(statement.target.id, ast.Load()), statement.target)
            )
            context.env.names[statement.target.id] = _updated(context, statement, old)
            return
        _change(
            context,
            statement.target,
            lambda old: fitted(context, statement, _updated(context, statement, old), old.domain),
        )


def _updated(context: Context, statement: ast.AugAssign, old: Symbol) -> Symbol:
    if isinstance(old, Members):
        return set_operation(context, statement, statement.op, old, value(context, statement.value))
    if isinstance(old, Maybe) and context.known(old.present):
        old = old.value
    right = integer(context, statement.value)
    if not hasattr(old, "expr"):
        raise context.refusal(statement, "only numbers and sets have such an assignment")
    return number(combined(context, statement, statement.op, old.expr, right))


def _change(context: Context, target: ast.expr, change: Change) -> None:
    """Replace a field, or one element of it, by what ``change`` makes of its value."""
    if isinstance(target, ast.Attribute):
        _change_field(context, target, change)
    elif isinstance(target, ast.Subscript):
        key = value(context, target.slice)
        if owned_element(context, target) is not None and isinstance(target.value, ast.Attribute):
            fields, name = context.env.fields, target.value.attr
            _allow_write(context, target)
            fields[name] = _with_element(context, target, fields[name], key, change)
            return
        _change(context, target.value, lambda old: _with_element(context, target, old, key, change))
    else:
        raise context.refusal(target, "this cannot be assigned", "Assign a field of self, or a local name.")


def _change_field(context: Context, target: ast.Attribute, change: Change) -> None:
    holder = evaluate(context, target.value)
    if not isinstance(holder, Thing) or holder.object is not SELF:
        raise context.refusal(
            target,
            f"`{ast.unparse(target)}` is part of a value, which does not change",
            "Assign the whole: self.slots[s] = replace(self.slots[s], state=FREE) (L2).",
        )
    if target.attr not in context.env.fields:
        evaluate(context, target)
        raise context.refusal(
            target, f"'{target.attr}' is not a field", "Declare it with a type in the class."
        )
    _allow_write(context, target)
    if not context.schema.fields[target.attr].ghost:
        allow_read(context, target, target.attr)
    context.env.fields[target.attr] = change(context.env.fields[target.attr])


def _allow_write(context: Context, target: ast.AST) -> None:
    if not context.may_write:
        raise context.refusal(target, "a property changes nothing", "Move the change into an action.")


def _with_element(context: Context, node: ast.Subscript, old: Symbol, key: Symbol, change: Change) -> Symbol:
    if not isinstance(old, Mapping):
        raise context.refusal(
            node, f"only an element of a map of the model can be assigned, not of `{ast.unparse(node.value)}`"
        )
    elements = list(old.elements)
    for plain, element, here in keyed(context, node, old, key):
        at = old.domain.key.ordinals[plain]
        if here is ir.TRUE:
            elements[at] = change(element)
            continue
        with context.under(here):
            elements[at] = choose(here, change(element), element)
    return replace(old, elements=tuple(elements))


def _mutate(context: Context, node: ast.Call, target: Method) -> None:
    mutator = _MUTATORS.get((type(target.value), target.name))
    if mutator is None:
        evaluate(context, node)
        raise context.refusal(node, f"`.{target.name}` changes nothing", "An expression alone does nothing.")
    if node.keywords or len(node.args) != (0 if target.name in ("pop", "clear") else 1):
        raise context.refusal(
            node, f".{target.name} takes {'no' if target.name in ('pop', 'clear') else 'one'} argument"
        )
    with _ghost_update(context, [target.receiver]):
        argument = [value(context, each) for each in node.args]
    _change(context, target.receiver, lambda old: mutator(context, node, old, *argument))


def _is_pop(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "pop"


def _pop(context: Context, node: ast.expr) -> Symbol:
    assert isinstance(node, ast.Call)
    target = evaluate(context, node.func)
    if not isinstance(target, Method) or not isinstance(target.value, Line):
        raise context.refusal(node, "only a queue is popped")
    oldest = target.value.slots[0].value
    _mutate(context, node, target)
    return oldest
