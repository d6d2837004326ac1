"""What may stand in the class of a model: nothing that makes Python run something else than what is read (S4)."""

from __future__ import annotations

import ast
import inspect
from typing import Any, Generic

from cmxverify.errors import InputError, Location

MODEL_MARK = "__cmxverify_model__"
"""Attribute that ``Model`` puts on each class derived from it."""
AROUND = "__cmxverify_around__"
"""Attribute that ``Model`` puts on a class made inside a function: the names that are known there."""
RESERVED: set[str] = {"quiescent"}
"""Names of ``Model`` itself, which no field or method may hide; ``quiescent`` is a method, never a field."""
_ALLOWED = (ast.AnnAssign, ast.Assign, ast.FunctionDef, ast.ClassDef, ast.Pass)


def names_around(model: type[Any]) -> dict[str, Any]:
    """Names known where a class was made, if that was inside a function."""
    found: dict[str, Any] = {}
    for each in reversed(model.__mro__):
        found.update(vars(each).get(AROUND, {}))
    return found


def check_class(model: type[Any], tree: ast.ClassDef, file: str) -> None:
    """Refuse a class that could run other code than its methods.

    Raises:
        InputError: For a metaclass, a base that is no model, a special method, a descriptor, or loose statements.
    """
    at = Location(file, tree.lineno, tree.col_offset + 1)
    if type(model) is not type:
        raise InputError(
            f"{model.__name__} has the metaclass {type(model).__name__}", at=at, fix="Leave it out."
        )
    for base in model.__mro__[1:]:
        if MODEL_MARK not in vars(base) and base not in (object, Generic) and base.__name__ != "Model":
            raise InputError(
                f"{model.__name__} derives from {base.__name__}, which is not a model",
                at=at,
                fix=f"Derive {base.__name__} from Model, or write plain functions.",
            )
    for statement in tree.body:
        _check_statement(statement, file)
    for name, value in vars(model).items():
        _check_attribute(tree, file, name, value)


def _check_statement(statement: ast.stmt, file: str) -> None:
    text = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    if not isinstance(statement, _ALLOWED) and not text:
        raise InputError(
            f"`{ast.unparse(statement).splitlines()[0]}` stands in the class of a model",
            at=Location(file, statement.lineno, statement.col_offset + 1),
            fix="A model holds fields, types, constants and methods.",
        )


def _special(name: str) -> bool:
    return name.startswith("__") and name.endswith("__")


def _check_attribute(tree: ast.ClassDef, file: str, name: str, value: Any) -> None:
    if _special(name) or (inspect.isfunction(value) and name not in RESERVED - {"quiescent"}):
        return
    at = next(
        (
            Location(file, each.lineno, each.col_offset + 1)
            for each in tree.body
            if getattr(each, "name", "") == name
        ),
        Location(file, tree.lineno),
    )
    if name in RESERVED - {"quiescent"} and inspect.isfunction(value):
        raise InputError(f"method '{name}' hides one of Model's own", at=at, fix="Give it another name.")
    ours = type(value).__module__.startswith("cmxverify.modeling")
    if hasattr(type(value), "__get__") and not ours and not isinstance(value, type):
        raise InputError(
            f"'{name}' is a {type(value).__name__}",
            at=at,
            fix="Write a plain method with def, or a field (S4).",
        )
