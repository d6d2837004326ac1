"""``verify`` accepts what solve wrote, and refuses it when any one field is altered."""

from __future__ import annotations

import copy
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from random import Random
from time import process_time
from typing import Any

import pytest
from tiny_cluster import OVERRIDE, write_tiny

from cmxverify.errors import InputError
from cmxverify.placement.auditing import verify
from cmxverify.placement.auditing.placement_file import (
    NOT_CHECKED,
    placement_document,
    read_placement,
)
from cmxverify.placement.auditing.verify import verify_placement
from cmxverify.placement.model.compile import compile_placement
from cmxverify.placement.model.plan import read_plan
from cmxverify.placement.proof.outcome import Outcome, Status
from cmxverify.placement.solving.solve import solve_program
from cmxverify.topology.load import load_topology

Step = str | int


@cache
def rack() -> dict[str, Any]:
    """The document of the shipped rack."""
    return solved("cmx-rack")


def solved(name: str, *overrides: str, aggregate: bool = True, outcome: Outcome | None = None) -> dict[str, Any]:
    """What solve writes for a topology."""
    model = compile_placement(load_topology(name, overrides=overrides), aggregate=aggregate)
    result = outcome or solve_program(model.program)
    plan = read_plan(model, result.values) if result.values is not None else None
    plain: dict[str, Any] = json.loads(json.dumps(placement_document(model, result, plan)))
    return plain


def written(folder: Path, document: object) -> Path:
    """A file with this content."""
    path = folder / "placement.json"
    path.write_text(json.dumps(document))
    return path


def refused(folder: Path, document: object) -> bool:
    """Whether a document is turned down, as false or as bad input."""
    try:
        return not verify_placement(written(folder, document)).accepted
    except InputError as error:
        return bool(error.what)


# --- what is accepted


def test_the_placement_of_the_rack_is_accepted(tmp_path: Path) -> None:
    """With what was looked at in numbers, within 1.5 s."""
    path, started = written(tmp_path, rack()), process_time()
    verdict = verify_placement(path)
    assert verdict.faults == ()
    assert verdict.status is Status.OPTIMAL
    assert (verdict.places, verdict.cables) == (22, 300)
    assert min(verdict.variables, verdict.rows, verdict.leaves) > 0
    assert process_time() - started < 1.5


@pytest.mark.parametrize(
    ("overrides", "aggregate", "status"),
    [
        ((OVERRIDE,), True, Status.OPTIMAL),
        ((), False, Status.OPTIMAL),
        (("power.all.budget=50 W",), True, Status.INFEASIBLE),
    ],
)
def test_each_kind_of_answer_is_accepted(
    tmp_path: Path, overrides: tuple[str, ...], aggregate: bool, status: Status
) -> None:
    """A plan with equal parts merged or not, and a proof that there is none."""
    document = solved(str(write_tiny(tmp_path)), *overrides, aggregate=aggregate)
    verdict = verify_placement(written(tmp_path, document))
    assert (verdict.faults, verdict.status) == ((), status)


def test_an_answer_that_claims_nothing_is_accepted(tmp_path: Path) -> None:
    """Status unknown has neither plan nor proof."""
    document = solved("cmx-rack", outcome=Outcome(Status.UNKNOWN))
    verdict = verify_placement(written(tmp_path, document))
    assert (verdict.faults, verdict.status, verdict.leaves) == ((), Status.UNKNOWN, 0)


def test_remarks_may_say_anything(tmp_path: Path) -> None:
    """The one key that is not checked."""
    assert verify_placement(written(tmp_path, {**rack(), NOT_CHECKED: ["by hand", 7]})).accepted


def test_no_solver_is_loaded(tmp_path: Path) -> None:
    """The whole check runs without z3, OR-tools and HiGHS."""
    code = (
        "import sys; from pathlib import Path; from cmxverify.placement.auditing.verify import verify_placement\n"
        f"assert verify_placement(Path({str(written(tmp_path, rack()))!r})).accepted\n"
        "print([m for m in ('z3', 'ortools', 'highspy') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


# --- where the topology is


def test_the_topology_is_found_beside_the_placement(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A pair of files may move together."""
    monkeypatch.chdir(write_tiny(tmp_path).parent)
    path = written(tmp_path, solved("tiny.yaml"))
    monkeypatch.chdir("/")
    assert verify_placement(path).accepted


def test_the_topology_may_be_named(tmp_path: Path) -> None:
    """Under another name, with the same text."""
    path = written(tmp_path, solved(str(write_tiny(tmp_path))))
    moved = (tmp_path / "tiny.yaml").rename(tmp_path / "renamed.yaml")
    with pytest.raises(InputError, match="is not found here"):
        verify_placement(path)
    assert verify_placement(path, topology=str(moved)).accepted


@pytest.mark.parametrize("old_new", [("900 W", "901 W"), ("name: tiny", "name: tiny # seen"), ("nodes:", "knots:")])
def test_a_changed_topology_is_told(tmp_path: Path, old_new: tuple[str, str]) -> None:
    """Also where the change means nothing, or cannot be read any more."""
    topology = write_tiny(tmp_path)
    path = written(tmp_path, solved(str(topology)))
    topology.write_text(topology.read_text().replace(*old_new).replace("1 kW", "1.1 kW"))
    assert "has changed" in verify_placement(path).faults[0]


# --- what is refused

SAME_MEANING = {"repeated ('topology', 'set', 0)"}
"""Alterations that change nothing of what the file says: the same ``--set`` given twice."""


OTHER_BUDGET = "power.all.budget=800 W"


@pytest.fixture
def _compiled_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same file with the same changes is read and compiled once: thousands of checks share it."""
    topologies: dict[object, Any] = {}
    models: dict[object, Any] = {}

    def load(source: Path, **options: Any) -> Any:
        key = (str(source), *options.values())
        if key not in topologies:
            topologies[key] = load_topology(source, **options)
        return topologies[key]

    def compile_(topology: Any, **options: Any) -> Any:
        key = (id(topology), *options.values())
        if key not in models:
            models[key] = compile_placement(topology, **options)
        return models[key]

    monkeypatch.setattr("cmxverify.placement.auditing.verify.load_topology", load)
    monkeypatch.setattr("cmxverify.placement.auditing.verify.compile_placement", compile_)


Holder = Any
Change = Callable[[Holder, Step], object]
Alteration = tuple[str, tuple[Step, ...], Change]
"""What is done, where, and the doing of it to the object or list that holds the field."""


def fields(value: object, path: tuple[Step, ...] = ()) -> Iterator[tuple[Step, ...]]:
    """Paths of everything in a document."""
    if path:
        yield path
    if isinstance(value, dict | list):
        for key, entry in value.items() if isinstance(value, dict) else enumerate(value):
            yield from fields(entry, (*path, key))


def at(document: Any, path: tuple[Step, ...]) -> Any:
    """The value at a path."""
    for step in path:
        document = document[step]
    return document


def changes(value: object, names: list[str], random: Random) -> Iterator[tuple[str, Change]]:
    """Alterations of one entry, made in the object or list that holds it."""
    yield "dropped", lambda holder, key: holder.pop(key)
    yield "repeated", _repeat
    yield "swapped", lambda holder, key: _swap(holder, key, random)
    yield "null", lambda holder, key: holder.__setitem__(key, None)
    match value:
        case bool() | None:
            yield "text", lambda holder, key: holder.__setitem__(key, "cmx0.flash")
        case int():
            for other in {value + 1, value - 1, -value, 0} - {value}:
                yield "number", lambda holder, key, other=other: holder.__setitem__(key, other)
        case str() if value.lstrip("-").replace("/", "").isdigit():
            whole, _, rest = value.partition("/")
            for other in (f"{int(whole) + 1}{'/' + rest if rest else ''}", f"-{value}", "0"):
                if other != value:
                    yield "fraction", lambda holder, key, other=other: holder.__setitem__(key, other)
        case str():
            for other in (value + "'", value[:-1], "", random.choice(names)):
                if other != value:
                    yield "text", lambda holder, key, other=other: holder.__setitem__(key, other)
        case dict():
            yield "added", lambda holder, key: holder[key].setdefault("more", 1)
        case list():
            yield "added", lambda holder, key: holder[key].append(random.choice(names))


def _repeat(holder: Holder, key: Step) -> None:
    if isinstance(holder, list):
        holder.insert(int(key), copy.deepcopy(holder[int(key)]))
    else:
        holder[f"{key}'"] = holder.pop(key)


def _swap(holder: Holder, key: Step, random: Random) -> None:
    other = random.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    holder[key], holder[other] = holder[other], holder[key]


def alterations(document: dict[str, Any], random: Random) -> Iterator[Alteration]:
    """Every way that fits its kind to alter each field that has a meaning."""
    checked = {key: entry for key, entry in document.items() if key != NOT_CHECKED}
    names = sorted({str(step) for path in fields(checked) for step in path if isinstance(step, str)})
    for path in fields(checked):
        yield from ((what, path, change) for what, change in changes(at(checked, path), names, random))


def accepted_of(folder: Path, document: dict[str, Any], tried: Iterable[Alteration]) -> list[str]:
    """Alterations that are not refused, each tried with every digest put right."""
    accepted = []
    for what, path, change in tried:
        altered = copy.deepcopy(document)
        change(at(altered, path[:-1]), path[-1])
        if altered == document:
            continue
        careful = with_new_digests(folder, altered)
        # where a digest is all that was altered, putting it right undoes that
        if not refused(folder, altered if careful == document else careful):
            accepted.append(f"{what} {path}")
    return accepted


def with_new_digests(folder: Path, document: dict[str, Any]) -> dict[str, Any]:
    """Every digest as the altered file should have it: of the texts it is read from, of the program it leads to.

    As it is, where it is not read that far: then it is refused before a digest is looked at.
    """
    try:
        stated = read_placement(written(folder, document))
        source = Path(stated.file) if Path(stated.file).is_file() else Path(Path(stated.file).stem)
        topology = verify.load_topology(
            source, overrides=stated.overrides, only=stated.only, shown=stated.file
        )
        program = verify.compile_placement(topology, objectives=stated.objectives, aggregate=True).program
    except InputError:
        return document
    careful = copy.deepcopy(document)
    for name in stated.sha256.keys() & topology.digests.keys():
        careful["topology"]["sha256"][name] = topology.digests[name]
    careful["program_sha256"] = program.digest()
    return careful


@pytest.mark.usefixtures("_compiled_once")
@pytest.mark.parametrize("part", range(4))
def test_every_altered_field_of_the_tiny_placement_is_refused(tmp_path: Path, part: int) -> None:
    """Numbers, fractions, names, entries dropped, added, repeated, swapped; a quarter of them each time."""
    document = solved(str(write_tiny(tmp_path)), OVERRIDE)
    tried = list(alterations(document, Random(part)))[part::4]
    assert set(accepted_of(tmp_path, document, tried)) <= SAME_MEANING


@pytest.mark.usefixtures("_compiled_once")
@pytest.mark.parametrize("seed", range(2))
def test_altered_fields_of_the_rack_are_refused(tmp_path: Path, seed: int) -> None:
    """The same for the shipped rack: a sample of all alterations."""
    every = list(alterations(rack(), Random(seed)))
    assert accepted_of(tmp_path, rack(), Random(seed).sample(every, 60)) == []


@pytest.mark.parametrize(
    ("path", "value"), [(("plan", "assignments", 0, "chunks"), 1), (("topology", "set"), [OTHER_BUDGET])]
)
def test_digests_that_are_put_right_protect_nothing(tmp_path: Path, path: tuple[Step, ...], value: object) -> None:
    """A plan of another number of chunks, and another budget: no fault is about a text or the program."""
    document = solved(str(write_tiny(tmp_path)), OVERRIDE)
    at(document, path[:-1])[path[-1]] = value
    faults = verify_placement(written(tmp_path, with_new_digests(tmp_path, document))).faults
    assert faults
    assert not any("has changed" in fault or "another program" in fault for fault in faults)


def test_an_equally_good_plan_is_refused_unless_all_of_it_changes(tmp_path: Path) -> None:
    """A value alone may lead to a plan as good; then assignments and figures no longer follow from it."""
    document = solved(str(write_tiny(tmp_path)), OVERRIDE)
    for name, value in document["certificate"]["values"].items():
        for by in (-1, 1):
            altered = copy.deepcopy(document)
            altered["certificate"]["values"][name] = value + by
            assert refused(tmp_path, altered), name
