"""The house: floors import downwards only, nothing imports in a circle, start-up stays light, functions stay short."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

import cmxverify

PACKAGE = Path(cmxverify.__file__).parent
FLOORS = (
    ("cmxverify", "errors", "files", "unit_names", "units", "yaml_tree", "fields", "catalog"),
    ("topology", "workload", "modeling"),
    ("checking",),
    ("placement",),
    ("report",),
    ("cli", "__main__"),
)
"""Ground floor first; a module may import from its own floor and from those below."""

HEAVY = (
    *("highspy", "hypothesis", "llvmlite", "matplotlib", "networkx", "numpy"),
    *("ortools", "pydantic", "ruamel", "scipy", "z3"),
)
SOLVERS = ("highspy", "ortools", "z3")
SURFACES = ("cmxverify.modeling",)
"""Packages whose names users import from the package itself: their ``__init__`` gathers them, and does nothing else."""
LONGEST_FUNCTION = 60
LONGEST_FILE = 400


@dataclass(frozen=True)
class Import:
    """One import statement: importing and imported module, where, and whether it runs when the module is loaded."""

    importer: str
    imported: str
    line: int
    at_load: bool


@cache
def modules() -> dict[str, Path]:
    """Every module of the package by its dotted name."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = ("cmxverify", *path.relative_to(PACKAGE).with_suffix("").parts)
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@cache
def tree(path: Path) -> ast.Module:
    """Syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def imports_of(name: str, path: Path) -> Iterator[Import]:
    """All imports of a module; those for the type checker alone are left out."""
    pending: list[tuple[ast.AST, bool]] = [(tree(path), True)]
    while pending:
        node, at_load = pending.pop()
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            continue
        if isinstance(node, ast.Import):
            yield from (Import(name, each.name, node.lineno, at_load) for each in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            for each in node.names:
                submodule = f"{node.module}.{each.name}"
                yield Import(name, submodule if submodule in modules() else node.module, node.lineno, at_load)
        inside_function = isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda)
        pending += [(child, at_load and not inside_function) for child in ast.iter_child_nodes(node)]


@cache
def imports() -> tuple[Import, ...]:
    """All imports of the package."""
    return tuple(each for name, path in modules().items() for each in imports_of(name, path))


def floor(module: str) -> int:
    """Number of the floor that a module of ours lives on."""
    part = [*module.split("."), "cmxverify"][1]
    return next(number for number, parts in enumerate(FLOORS) if part in parts)


def test_every_module_has_a_floor() -> None:
    """The list of floors names everything that the package holds."""
    top = {
        path.stem for path in PACKAGE.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()
    }
    known = {part for parts in FLOORS for part in parts}
    assert top - known - {"__init__", "__main__"} == set()


def test_floors_import_downwards() -> None:
    """Nothing imports from a floor above its own, not even inside a function."""
    upwards = [
        f"{each.importer}:{each.line} imports {each.imported}"
        for each in imports()
        if each.imported.split(".")[0] == "cmxverify" and floor(each.imported) > floor(each.importer)
    ]
    assert upwards == []


ROOMS: dict[str, set[str]] = {
    "proof": set(),
    "model": {"proof"},
    "solving": {"proof"},
    "explaining": {"model", "proof", "solving"},
    "auditing": {"model", "proof"},
    "whatif": {"auditing", "explaining", "model", "proof", "solving"},
}
"""Rooms of the placement floor, and what each may use: whoever re-checks an answer never meets a solver."""


def test_rooms_of_placement_use_only_what_they_may() -> None:
    """Proofs stand alone; the audit knows no solver; only explanations and what-ifs use both sides."""
    prefix = "cmxverify.placement."
    breaches = [
        f"{each.importer}:{each.line} imports {each.imported}"
        for each in imports()
        if each.importer.startswith(prefix) and each.imported.startswith(prefix)
        for room, other in [(each.importer.split(".")[2], each.imported.split(".")[2])]
        if room != other and other not in ROOMS[room]
    ]
    assert breaches == []


def test_no_import_cycles() -> None:
    """Modules cannot need each other to load."""
    graph: dict[str, set[str]] = {name: set() for name in modules()}
    for each in imports():
        if each.at_load and each.imported in graph and each.imported != each.importer:
            graph[each.importer].add(each.imported)
    while leaves := {name for name, needed in graph.items() if not needed & graph.keys()}:
        graph = {name: needed for name, needed in graph.items() if name not in leaves}
    assert sorted(graph) == []


def test_init_files_are_thin() -> None:
    """A package's ``__init__`` holds a docstring and at most the version: importing it must cost nothing."""
    for name, path in modules().items():
        if path.name == "__init__.py":
            body = [
                node
                for node in tree(path).body
                if not isinstance(node, ast.Expr | ast.Assign | ast.ImportFrom)
            ]
            assert body == [], name
            assert len(tree(path).body) <= 2 or name in SURFACES, name


@pytest.mark.parametrize("module", ["check_certificate", "certificate_json"])
def test_the_checker_needs_no_solver(module: str) -> None:
    """Whoever re-checks a certificate loads no solver and no numerical library: only what must be trusted."""
    assert loaded_by(f"import cmxverify.placement.proof.{module}", *SOLVERS, "numpy", "scipy") == []


@pytest.mark.parametrize(
    "code",
    [
        "import cmxverify",
        "import cmxverify.cli.main",
        "from cmxverify.cli.main import main\ntry: main(['--help'])\nexcept SystemExit: pass",
    ],
)
def test_start_up_is_light(code: str) -> None:
    """Importing the package, or asking for help, loads none of the large libraries."""
    assert loaded_by(code, *HEAVY) == []


def loaded_by(code: str, *libraries: str) -> list[str]:
    """Which of the libraries a fresh Python has loaded after some code."""
    report = f"\nimport sys\nprint('loaded:', *sorted(set({libraries!r}) & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code + report], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()[-1].split()[1:]


def test_functions_are_short() -> None:
    """A function that outgrows a screen has more than one purpose; docstrings are not counted."""
    long = [
        f"{path.relative_to(PACKAGE)}:{node.lineno} {node.name} has {length} lines"
        for path in modules().values()
        for node in ast.walk(tree(path))
        if isinstance(node, ast.FunctionDef)
        if (length := code_length(node)) > LONGEST_FUNCTION
    ]
    assert long == []


def code_length(function: ast.FunctionDef) -> int:
    """Lines of a function without its docstring."""
    whole = (function.end_lineno or function.lineno) - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function, clean=False) is None or first.end_lineno is None:
        return whole
    return whole - (first.end_lineno - first.lineno + 1)


def test_files_have_one_purpose() -> None:
    """No module grows past what one sitting can read."""
    lengths = {name: len(path.read_text(encoding="utf-8").splitlines()) for name, path in modules().items()}
    assert {name: lines for name, lines in lengths.items() if lines > LONGEST_FILE} == {}


def test_public_names_are_documented() -> None:
    """Every public module, class and function says what it is for."""
    bare = [
        f"{path.relative_to(PACKAGE)}:{getattr(node, 'lineno', 1)}"
        for path in modules().values()
        for node in public_nodes(tree(path))
        if ast.get_docstring(node) is None
    ]
    assert bare == []


def public_nodes(module: ast.Module) -> Iterator[ast.Module | ast.ClassDef | ast.FunctionDef]:
    """The module, and the public classes and functions at its top."""
    yield module
    for node in module.body:
        if isinstance(node, ast.ClassDef | ast.FunctionDef) and not node.name.startswith("_"):
            yield node


def test_every_test_file_has_a_name_of_its_own() -> None:
    """Two test files of one name cannot be collected together, as folders of tests are no packages."""
    names = [path.name for path in Path(__file__).parent.rglob("test_*.py")]

    assert sorted(names) == sorted(set(names))
