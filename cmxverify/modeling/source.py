"""The source of a model: syntax trees of its classes and helpers, their places, and that what runs is what was read."""

from __future__ import annotations

import ast
import hashlib
import inspect
import linecache
import os
import types
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from cmxverify.errors import InputError, Location


@dataclass(frozen=True, slots=True, eq=False)
class Function:
    """A parsed function or method: its tree, its file, and where its free names are looked up.

    ``local`` are the names that it assigns anywhere: to Python they are its own from its first line on, and never
    those of the module.
    """

    name: str
    tree: ast.FunctionDef
    file: str
    names: dict[str, Any]
    local: frozenset[str]

    def at(self, node: ast.AST) -> Location:
        """Place of a node, ``file:line:column`` from 1."""
        return Location(self.file, getattr(node, "lineno", 0), getattr(node, "col_offset", -1) + 1)


@dataclass(frozen=True, slots=True)
class Text:
    """Source of one file (or notebook cell): functions and code by name and first line, classes by name."""

    file: str
    functions: dict[tuple[str, int], ast.FunctionDef]
    classes: dict[str, list[ast.ClassDef]]
    codes: dict[tuple[str, int], list[types.CodeType]]


def shown(path: str) -> str:
    """A file name as messages show it: relative where that is shorter."""
    if not Path(path).is_absolute():
        return path
    relative = os.path.relpath(path)
    return path if relative.startswith("..") else relative


@cache
def _parsed(path: str, source: str) -> Text:
    try:
        tree = ast.parse(source, filename=path)
    except SyntaxError as error:
        raise InputError(
            f"not valid Python: {error.msg}", at=Location(shown(path), error.lineno or 0)
        ) from None
    code = compile(source, path, "exec", dont_inherit=True, optimize=0)
    functions: dict[tuple[str, int], ast.FunctionDef] = {}
    classes: dict[str, list[ast.ClassDef]] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef):
            functions[node.name, _first_line(node)] = node
        elif isinstance(node, ast.ClassDef):
            classes.setdefault(node.name, []).append(node)
    codes: dict[tuple[str, int], list[types.CodeType]] = {}
    for each in _codes(code):
        codes.setdefault((each.co_name, each.co_firstlineno), []).append(each)
    return Text(shown(path), functions, classes, codes)


def text_of(what: type[Any] | Callable[..., Any]) -> Text:
    """Source file of a class or function; a notebook cell counts as a file.

    Raises:
        InputError: If the source is not to be had, as for code made by ``exec`` or typed into a plain prompt.
    """
    path = _file_of(what)
    if path:
        linecache.checkcache(path)
    lines = linecache.getlines(path) if path else []
    if not lines:
        raise InputError(
            f"the source of {what.__qualname__} cannot be read",
            fix="Put it into a file, a package or a notebook cell.",
        )
    return _parsed(path, "".join(lines))


def _file_of(what: type[Any] | Callable[..., Any]) -> str:
    """File of a function, or of a class: that of its methods, since a notebook's module has none."""
    if isinstance(what, type):
        own = [each for each in map(_plain, vars(what).values()) if each is not None]
        named = [each for each in own if each.__qualname__.startswith(f"{what.__qualname__}.")]
        if named:
            return named[0].__code__.co_filename
    try:
        return inspect.getsourcefile(what) or inspect.getfile(what)
    except (TypeError, OSError):
        return ""


def class_tree(model: type[Any]) -> tuple[ast.ClassDef, str]:
    """Tree of a class and the file it stands in."""
    text = text_of(model)
    wanted = model.__qualname__.split(".<locals>.")[-1].split(".")
    first = getattr(model, "__firstlineno__", None)
    found = [node for node in text.classes.get(wanted[-1], ()) if first in (None, _first_line(node))]
    methods = {
        value.__code__.co_firstlineno for value in map(_plain, vars(model).values()) if value is not None
    }
    fitting = [node for node in found if methods <= _lines_of_methods(node)]
    if not fitting:
        raise InputError(
            f"class {model.__qualname__} is not found in its source any more",
            at=Location(text.file),
            fix="Load it again: the file has changed since, or methods were added afterwards.",
        )
    return fitting[-1], text.file


def _first_line(node: ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min([node.lineno, *(each.lineno for each in node.decorator_list)])


def _lines_of_methods(node: ast.ClassDef) -> set[int]:
    return {
        _first_line(each) for each in node.body if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef)
    }


def _plain(value: Any) -> types.FunctionType | None:
    inner = inspect.unwrap(value) if callable(value) else value
    return inner if isinstance(inner, types.FunctionType) and inner.__name__ != "<lambda>" else None


def function_of(function: Any) -> Function:
    """Tree of a function or method, after making sure that it is the one that runs (ruling S4).

    Raises:
        InputError: If the source is not to be had or has changed since it was loaded.
    """
    plain = _plain(function)
    if plain is None:
        raise InputError(
            f"{function!r} is not a plain function", fix="Write it with def in a file or notebook cell."
        )
    at = Location(shown(plain.__code__.co_filename), plain.__code__.co_firstlineno)
    if _wrapped_by_others(function):
        raise InputError(
            f"{plain.__qualname__} is wrapped by a decorator",
            at=at,
            fix="Leave it out: what runs must be what is read (S4).",
        )
    if inspect.iscoroutinefunction(plain):
        raise InputError(f"{plain.__qualname__} is an `async def`", at=at, fix="Steps are atomic: write def.")
    text = text_of(plain)
    node = text.functions.get((plain.__name__, plain.__code__.co_firstlineno))
    if node is not None:
        _require_same_code(plain, node, text)
        names = {**plain.__globals__, **closed_over(plain)}
        return Function(plain.__name__, node, text.file, names, frozenset(_assigned(node)))
    raise InputError(
        f"{plain.__qualname__} is not found in its source any more",
        at=Location(text.file, plain.__code__.co_firstlineno),
        fix="Load the file again: it has changed since.",
    )


def _assigned(node: ast.AST) -> Iterator[str]:
    """Names assigned in a function, also by patterns; the variables of comprehensions are not its own."""
    if isinstance(node, ast.comprehension):
        children: list[ast.AST] = [node.iter, *node.ifs]
    else:
        children = list(ast.iter_child_nodes(node))
    match node:
        case ast.Name(ctx=ast.Store()):
            yield node.id
        case ast.MatchAs(name=str() as name):
            yield name
    for each in children:
        yield from _assigned(each)


def closed_over(function: types.FunctionType) -> dict[str, Any]:
    """Names that a function defined inside another one takes from it."""
    found = {}
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        with suppress(ValueError):  # an empty cell: the name is not bound yet
            found[name] = cell.cell_contents
    return found


RUNS = "__cmxverify_runs__"
"""Attribute of what ``Model`` puts in the place of a method: the method."""


def _wrapped_by_others(function: Any) -> bool:
    inner = vars(function).get(RUNS, function)
    return hasattr(inner, "__wrapped__")


def _require_same_code(function: types.FunctionType, node: ast.FunctionDef, text: Text) -> None:
    """What runs must be what is read; ``assert`` may be rewritten (pytest) or left out (-O: it is put back, L9)."""
    same = text.codes.get((function.__name__, function.__code__.co_firstlineno), [])
    if any(isinstance(each, ast.Assert) for each in ast.walk(node)):
        if not __debug__ and same and same[0].co_freevars == function.__code__.co_freevars:
            function.__code__ = same[0]
        return
    if not any(_alike(code, function.__code__) for code in same):
        raise InputError(
            f"{function.__qualname__} does not run what its source says",
            at=Location(text.file, node.lineno),
            fix="It was replaced, or the file has changed since it was loaded: load it again.",
        )


def _alike(left: types.CodeType, right: types.CodeType) -> bool:
    """Whether two pieces of code do the same; a docstring may be missing from one."""
    same_names = (left.co_code, left.co_names, left.co_varnames) == (
        right.co_code,
        right.co_names,
        right.co_varnames,
    )
    return (
        same_names
        and len(left.co_consts) == len(right.co_consts)
        and all(map(_same_constant, left.co_consts, right.co_consts))
    )


def _same_constant(left: object, right: object) -> bool:
    if isinstance(left, types.CodeType) and isinstance(right, types.CodeType):
        return _alike(left, right)
    if isinstance(left, str) and right is None:
        return True
    return type(left) is type(right) and left == right


def _codes(code: types.CodeType) -> list[types.CodeType]:
    inner = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    return [*inner, *(found for each in inner for found in _codes(each))]


def digest(functions: list[Function], extra: str = "") -> str:
    """SHA-256 of the trees of all functions that were parsed, in order (ruling S4)."""
    sum_ = hashlib.sha256(extra.encode())
    for each in functions:
        sum_.update(ast.dump(each.tree).encode())
    return sum_.hexdigest()
