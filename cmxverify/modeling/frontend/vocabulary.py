"""What the language leaves out of Python, in words, with the nearest form that it has (L11b).

Every function is looked through before it is executed, so that no part of it goes unread: a branch that no value of
the bounds reaches is refused as well.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from cmxverify.errors import InputError
from cmxverify.modeling.declared import DECORATORS
from cmxverify.modeling.source import Function

REFUSED: dict[type[ast.AST], tuple[str, str]] = {
    ast.While: ("`while`", "Write a for over a finite type, or split the loop into steps of the model."),
    ast.Break: ("`break`", "Put the condition into the loop's body."),
    ast.Continue: ("`continue`", "Put the rest of the body under an if."),
    ast.Try: ("`try`", "Test the condition first, by require or if."),
    ast.TryStar: ("`try`", "Test the condition first, by require or if."),
    ast.Raise: ("`raise`", "Write require(...) to disable the step, or assert for a duty."),
    ast.With: ("`with`", "Steps are atomic: leave it out."),
    ast.AsyncWith: ("`async with`", "Steps are atomic: leave it out."),
    ast.AsyncFor: ("`async for`", "Steps are atomic: write for."),
    ast.Global: ("`global`", "Keep it as a field of the model."),
    ast.Nonlocal: ("`nonlocal`", "Keep it as a field of the model."),
    ast.Delete: ("`del`", "Assign None, or discard it from the set."),
    ast.Import: ("`import`", "Import at the top of the file."),
    ast.ImportFrom: ("`import`", "Import at the top of the file."),
    ast.FunctionDef: ("`def` inside a method", "Move it to the module or the class."),
    ast.AsyncFunctionDef: ("`async def`", "Steps are atomic: write def."),
    ast.ClassDef: ("`class` inside a method", "Move it to the module."),
    ast.Lambda: ("a lambda", "Write a method or a function with def."),
    ast.ListComp: ("a list comprehension", "Use a generator in any, all, sum, min, max or count, or a set."),
    ast.DictComp: ("a dict comprehension", "Assign the elements of a map in a for loop."),
    ast.GeneratorExp: ("a generator by itself", "Put it into any, all, sum, min, max or count."),
    ast.List: ("a list", "Use a tuple after `in`, a Set, or a Map."),
    ast.Dict: ("a dict", "Assign the elements of a map one by one."),
    ast.JoinedStr: ("text", "Use an enum."),
    ast.NamedExpr: ("`:=`", "Assign in a statement of its own."),
    ast.Await: ("`await`", "Steps are atomic: leave it out."),
    ast.Yield: ("`yield`", "Return a value."),
    ast.YieldFrom: ("`yield`", "Return a value."),
    ast.Slice: ("a slice", "Index one element."),
    ast.Starred: ("`*`", "Write the values one by one."),
}
"""Kinds of nodes that are refused wherever they stand."""

CONSTANTS: dict[type, tuple[str, str]] = {
    str: ("text", "Use an enum."),
    bytes: ("text", "Use an enum."),
    float: ("a fraction", "Use whole numbers of a smaller unit."),
    complex: ("a complex number", "Use whole numbers."),
    type(...): ("`...`", "Write pass."),
}
"""Literals that are refused."""


def refused(node: ast.AST) -> tuple[str, str]:
    """What to say of a node that the language does not have, and its nearest form."""
    kind = type(node).__name__.lower()
    if isinstance(node, ast.Constant):
        what, instead = CONSTANTS[type(node.value)]
    else:
        what, instead = REFUSED.get(type(node), (f"`{kind}`", "See the reference of the language."))
    return f"{what} is not part of the language", instead


def check_function(function: Function) -> None:
    """Refuse a function with anything in it that the language does not have.

    Raises:
        InputError: At the first such place.
    """
    tree = function.tree
    _check_decorators(function)
    arguments = tree.args
    odd = [*arguments.posonlyargs, *arguments.kwonlyargs, *filter(None, (arguments.vararg, arguments.kwarg))]
    defaults = [each for each in (*arguments.defaults, *arguments.kw_defaults) if each is not None]
    if odd or defaults:
        raise InputError(
            f"{function.name} has parameters that are not plain ones",
            at=function.at([*odd, *defaults][0]),
            fix="Write each by its name, without * and without a default.",
        )
    for statement in tree.body:
        for node in _nodes(statement):
            if type(node) in REFUSED or (isinstance(node, ast.Constant) and type(node.value) in CONSTANTS):
                what, instead = refused(node)
                raise InputError(what, at=function.at(node), fix=instead)


def _nodes(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes in source order, but for comments, annotations, messages of asserts and generators in their places."""
    match node:
        case ast.Expr(value=ast.Constant(value=str())):
            return
        case ast.AnnAssign():
            children: list[ast.AST] = [node.target, *([node.value] if node.value else [])]
        case ast.Assert():
            children = [node.test]
        case ast.Call(args=[ast.GeneratorExp() as generator]):
            children = [node.func, *ast.iter_child_nodes(generator), *node.keywords]
        case _:
            children = list(ast.iter_child_nodes(node))
    yield node
    for child in children:
        yield from _nodes(child)


def _check_decorators(function: Function) -> None:
    for each in function.tree.decorator_list:
        inner = each.func if isinstance(each, ast.Call) else each
        found = _resolved(function, inner)
        if found is not None and not any(found is known for known in DECORATORS):
            raise InputError(
                f"the decorator @{ast.unparse(inner)} is not one of the language",
                at=function.at(each),
                fix="Leave it out: what runs must be what is read (S4).",
            )


def _resolved(function: Function, node: ast.expr) -> object:
    if isinstance(node, ast.Name):
        return function.names.get(node.id)
    if isinstance(node, ast.Attribute):
        return getattr(_resolved(function, node.value), node.attr, None)
    return None
