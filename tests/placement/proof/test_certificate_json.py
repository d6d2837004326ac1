"""Certificate files: read strictly, canonical, and refused when any one field is altered."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from naive_proofs import naive_outcome, points, random_program

from cmxverify.errors import InputError
from cmxverify.placement.proof.canonical_certificate import canonical_tree, preorder
from cmxverify.placement.proof.certificate import BoundLeaf, EmptyLeaf, InfeasibleProof, Split, Tree
from cmxverify.placement.proof.certificate_json import (
    check_document,
    outcome_json,
    read_outcome,
    read_tree,
    tree_json,
)
from cmxverify.placement.proof.check_certificate import check_outcome
from cmxverify.placement.proof.outcome import Outcome, Status
from cmxverify.placement.proof.program import Objective, Program, Row, Sense, Variable
from cmxverify.placement.proof.proof_arithmetic import level_subject, proved_bound
from cmxverify.placement.proof.strict_json import JsonValue, load_json, parse_json

SEEDS = st.integers(0, 10**9)
Path_ = tuple[str | int, ...]


def document(content: object) -> JsonValue:
    """What a file with this content reads as."""
    return parse_json(json.dumps(content).encode(), file="plan.json")


def written(program: Program, outcome: Outcome) -> dict[str, Any]:
    """The canonical document, as it comes back from a file."""
    plain: dict[str, Any] = json.loads(json.dumps(outcome_json(program, outcome)))
    return plain


def refused(program: Program, content: object) -> bool:
    """Whether a document is turned down, by the reader or by the checker."""
    try:
        return bool(check_document(program, document(content)))
    except InputError as error:
        return bool(error.at and error.fix)


# --- what is written is accepted, and says the same


@settings(max_examples=150, deadline=None)
@given(SEEDS, st.booleans())
def test_written_documents_are_accepted(seed: int, any_plan: bool) -> None:
    """Canonical documents of naive proofs pass the whole check."""
    random = Random(seed)
    program = random_program(random)
    outcome = naive_outcome(program, random, any_plan=any_plan)
    assert check_document(program, document(written(program, outcome))) == []


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_the_canonical_form_is_its_own(seed: int) -> None:
    """Reading a document and writing it again changes nothing."""
    random = Random(seed)
    program = random_program(random)
    first = written(program, naive_outcome(program, random))
    assert written(program, read_outcome(document(first))) == first


@settings(max_examples=100, deadline=None)
@given(SEEDS)
def test_the_canonical_form_proves_no_less(seed: int) -> None:
    """Lessening multipliers and dropping splits never weakens a bound, nor adds nodes."""
    random = Random(seed)
    program = random_program(random)
    for part, proof in zip(program.components(), naive_outcome(program, random).proofs, strict=False):
        for index, level in enumerate(proof.levels):
            subject = level_subject(part, proof.levels[:index])
            canonical = canonical_tree(subject, level.tree)
            assert (proved_bound(subject, canonical) or 0) >= (proved_bound(subject, level.tree) or 0)
            assert len(list(preorder(canonical))) <= len(list(preorder(level.tree)))


# --- hand-made documents

PROGRAM = Program(
    (Variable("x", 0, 9), Variable("y", 0, 9)),
    (Row("need", {"x": 1, "y": 1}, Sense.AT_LEAST, 3), Row("most", {"x": 2, "y": -2}, Sense.AT_MOST, 5)),
    (Objective("late", {"x": 2, "y": 4}),),
)
GOOD: dict[str, Any] = {
    "status": "optimal",
    "values": {"x": 2, "y": 1},
    "levels": [{"key": "late", "value": 8, "bound": 8, "unit": "1"}],
    "proofs": [
        {
            "variables": ["x", "y"],
            "levels": [
                {
                    "key": "late",
                    "value": 8,
                    "bound": 8,
                    "tree": [
                        {"split": "x", "at": 2},
                        {"proves": "8", "over": 1, "rows": {"need": 4}, "costs": {"x": -2}},
                        {"proves": "8", "over": 1, "rows": {"most": -2}, "costs": {"x": 6}},
                    ],
                }
            ],
        }
    ],
}
NODES: Path_ = ("proofs", 0, "levels", 0, "tree")


def altered(path: Path_, value: object) -> dict[str, Any]:
    changed = copy.deepcopy(GOOD)
    place: Any = changed
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return changed


def test_a_hand_made_document_is_accepted() -> None:
    """A split at x <= 2: below, y makes up the need; above, y must follow x."""
    assert check_document(PROGRAM, document(GOOD)) == []


@pytest.mark.parametrize(
    ("path", "value", "fault"),
    [
        (
            (1, "rows"),
            {"need": 4, "most": 0},
            "tree[1].rows: the file has the keys 'need', 'most', what it proves has the keys 'need' there",
        ),
        ((1, "over"), 2, "component 0: level 'late': its tree proves a bound of 6, not of 8"),
        ((1, "proves"), "9", "tree[1].proves: the file has '9', what it proves has '8' there"),
        ((2, "rows"), {"most": -3}, "component 0: level 'late': its tree proves a bound of -9, not of 8"),
    ],
)
def test_what_is_not_canonical_is_refused(path: Path_, value: object, fault: str) -> None:
    """Idle rows and stated numbers that are not the ones proved."""
    (found,) = check_document(PROGRAM, document(altered((*NODES, *path), value)))
    assert found.removeprefix("proofs[0].levels[0].") == fault


def test_multipliers_and_denominator_share_no_divisor() -> None:
    """The same leaf, all numbers doubled, is another spelling and refused."""
    doubled = altered((*NODES, 1), {"proves": "8", "over": 2, "rows": {"need": 8}, "costs": {"x": -4}})
    (found,) = check_document(PROGRAM, document(doubled))
    assert found.endswith("tree[1].over: the file has 2, what it proves has 1 there")


LEAF_PROGRAM = Program(
    (Variable("x", 0, 9), Variable("y", 0, 9)),
    (Row("four", {"x": 1}, Sense.AT_LEAST, 4), Row("zero", {"y": 1}, Sense.AT_LEAST, 0)),
    (Objective("late", {"x": 1}),),
)


def test_multipliers_are_kept_however_large() -> None:
    """Float duals, rounded over 2**44, are written as they are: searching for smaller ones could take for ever."""
    leaf = BoundLeaf({"four": 2**44 - 7}, 2**44)
    assert canonical_tree(level_subject(LEAF_PROGRAM, ()), leaf) == leaf


def test_a_row_that_adds_nothing_is_dropped() -> None:
    """What is left proves no less."""
    leaf = BoundLeaf({"four": 1, "zero": 1})
    assert canonical_tree(level_subject(LEAF_PROGRAM, ()), leaf) == BoundLeaf({"four": 1})


def test_an_idle_split_is_refused() -> None:
    """Both sides must need their half; this one splits without need."""
    idle = [{"split": "y", "at": 5}, *copy.deepcopy(GOOD["proofs"][0]["levels"][0]["tree"])]
    idle.append({"proves": "24", "over": 1, "rows": {}, "costs": {"x": 2, "y": 4}})
    (found,) = check_document(PROGRAM, document(altered(NODES, idle)))
    assert found.endswith("tree: the file has a list of 5, what it proves has a list of 3 there")


def test_facts_are_exactly_those_the_leaves_rest_on() -> None:
    """A fact too many is refused, although the rows of the others are enough."""
    rows = [Row(f"at least {n}", {"x": 1}, Sense.AT_LEAST, n, (f"fact {n}",)) for n in (4, 7)]
    program = Program((Variable("x", 0, 5),), tuple(rows), ())
    proof = InfeasibleProof(("x",), None, EmptyLeaf({"at least 7": 3, "at least 4": 1}))
    content = written(program, Outcome(Status.INFEASIBLE, infeasible=proof))
    assert content["infeasible"] == {
        "variables": ["x"],
        "facts": ["fact 7"],
        "tree": [{"exceeds": 2, "rows": {"at least 7": 1}, "costs": {"x": -1}}],
    }
    content["infeasible"]["facts"] = ["fact 4", "fact 7"]
    assert check_document(program, document(content)) == [
        "infeasible.facts: the file has a list of 2, what it proves has a list of 1 there"
    ]


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("status",), "optimum", "status: unknown status 'optimum'\n  Did you mean 'optimal'?"),
        (("values", "x"), 2.0, "values.x: expected a whole number, found 2.0\n  Write it as 17."),
        (("values", "x"), True, "values.x: expected a whole number, found true\n  Write it as 17."),
        (("values", "x"), float("nan"), "values.x: expected a whole number, found NaN\n  Write it as 17."),
        (("values", "x"), None, "values.x: expected a whole number, found null\n  Write it as 17."),
        (("values",), [], "values: expected an object, found a list\n  Write it as {...}."),
        (("levels",), {}, "levels: expected a list, found an object\n  Write it as [...]."),
        (("levels", 0, "key"), 3, 'levels[0].key: expected a string, found 3\n  Write it as "...".'),
        (
            ("levels", 0, "unit"),
            "2/4",
            "levels[0].unit: '2/4' is not the shortest form of this fraction\n"
            '  Write it in lowest terms, as "17" or "-17/3".',
        ),
        (
            ("levels", 0, "unit"),
            "1/0",
            'levels[0].unit: expected a fraction, found \'1/0\'\n  Write it in lowest terms, as "17" or "-17/3".',
        ),
        (("levels", 0, "vaule"), 8, "levels[0]: unknown key 'vaule'\n  Did you mean 'value'?"),
        (
            ("infeasible",),
            {},
            "the document: unknown key 'infeasible'\n  Known: levels, proofs, status, values.",
        ),
        ((*NODES, 0), 3, "proofs[0].levels[0].tree[0]: expected an object, found 3\n  Write it as {...}."),
        (
            (*NODES, 2),
            {"split": "x", "at": 1},
            "proofs[0].levels[0].tree[2]: the tree ends before both sides of this split\n  Restore the file.",
        ),
        (NODES, [], "proofs[0].levels[0].tree: 0 trees stand here, but it must be one\n  Restore the file."),
    ],
)
def test_a_field_of_the_wrong_kind_is_an_input_error(path: Path_, value: object, message: str) -> None:
    """The message has the file, the path of the field, and how to put it right."""
    with pytest.raises(InputError) as caught:
        check_document(PROGRAM, document(altered(path, value)))
    assert str(caught.value) == f"plan.json: {message}"


# --- the JSON itself


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b'{"a": 1, "a": 1}', "plan.json: key 'a' stands twice in one object\n  Keep one of the two."),
        (b'{"a":\n 1,}', "plan.json:2:4: is not JSON: Expecting property name enclosed in double quotes"),
        (b"", "plan.json:1:1: is not JSON: Expecting value"),
        (b'{"a": "\xff"}', "plan.json:1: is not UTF-8\n  Save it as UTF-8."),
        (
            b"[" * 100_000,
            "plan.json: is nested too deeply\n  No file of cmxverify nests deeper than about ten levels.",
        ),
        (b"1" * 1_001, "plan.json: a number has 1,001 digits\n  Numbers have at most 1,000 digits."),
        (b"1" * 1_000_000, "plan.json: a number has 1,000,000 digits\n  Numbers have at most 1,000 digits."),
        (b'{"a":' * 100_000, "plan.json: is nested too deeply"),
    ],
)
def test_json_with_a_second_meaning_is_refused(text: bytes, message: str) -> None:
    """Duplicate keys, broken text, foreign encodings, deep nesting and enormous numbers are one clear error."""
    with pytest.raises(InputError) as caught:
        parse_json(text, file="plan.json")
    assert str(caught.value).startswith(message)


def test_a_key_that_cannot_be_printed_is_escaped() -> None:
    """Half of a surrogate pair is legal in JSON, but no terminal can show it."""
    with pytest.raises(InputError) as caught:
        check_document(PROGRAM, document(altered(("values", "\ud800"), None)))
    assert str(caught.value).encode().startswith(b"plan.json: values.'\\ud800': expected a whole number")


def test_a_missing_file_is_an_input_error(tmp_path: Path) -> None:
    """Not a traceback."""
    with pytest.raises(InputError, match="cannot be read: No such file or directory"):
        load_json(tmp_path / "absent.json")


def test_a_file_that_is_too_large_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The limit holds before anything is parsed."""
    monkeypatch.setattr("cmxverify.placement.proof.strict_json.MAX_BYTES", 2**20)
    (tmp_path / "large.json").write_bytes(b" " * (2**20 + 1))
    with pytest.raises(InputError, match="is larger than 1 MB"):
        load_json(tmp_path / "large.json")


def test_a_deep_tree_is_flat_in_the_file() -> None:
    """20,000 splits in a chain are written, read and checked without recursion."""
    depth = 20_000
    tree: Tree = BoundLeaf({})
    for at in range(depth):
        tree = Split("x", at, tree, BoundLeaf({}))
    program = Program((Variable("x", 0, depth),), (), (Objective("late", {"x": 1}),))
    subject = level_subject(program, ())
    again = read_tree(document(tree_json(subject, tree)))
    assert len(list(preorder(again))) == 2 * depth + 1
    assert canonical_tree(subject, again) == BoundLeaf({})


# --- alterations


@dataclass(frozen=True)
class Alteration:
    path: Path_
    what: str
    content: dict[str, Any]


def alterations(content: dict[str, Any], random: Random) -> Iterator[Alteration]:
    """Every field of a document, altered in every way that fits its kind."""
    for path in list(_paths(content)):
        for what, change in _changes(_at(content, path), random, _names_in(content)):
            changed = copy.deepcopy(content)
            change(_at(changed, path[:-1]) if path else changed, path[-1] if path else None)
            yield Alteration(path, what, changed)


def _paths(value: object, path: Path_ = ()) -> Iterator[Path_]:
    if path:
        yield path
    if isinstance(value, dict | list):
        entries = value.items() if isinstance(value, dict) else enumerate(value)
        for key, entry in entries:
            yield from _paths(entry, (*path, key))


def _at(content: Any, path: Path_) -> Any:
    for step in path:
        content = content[step]
    return content


def _names_in(content: object) -> list[str]:
    texts = {str(step) for path in _paths(content) for step in path if isinstance(step, str)}
    texts |= {value for path in _paths(content) if isinstance(value := _at(content, path), str)}
    return sorted(texts)


Change = Callable[[Any, Any], object]


def _changes(value: Any, random: Random, names: list[str]) -> Iterator[tuple[str, Change]]:
    """Alterations of one entry, made in the object or list that holds it."""
    yield "dropped", lambda holder, key: holder.pop(key)
    yield "renamed or repeated", lambda holder, key: _rename_or_repeat(holder, key, random.choice(names))
    yield "null", lambda holder, key: holder.__setitem__(key, None)
    yield "swapped", lambda holder, key: _swap(holder, key, random)
    match value:
        case int():
            for other in {value + 1, value - 1, -value, 2 * value, 0, value + random.randint(2, 9)} - {value}:
                yield "number", lambda holder, key, other=other: holder.__setitem__(key, other)
            yield "kind", lambda holder, key: holder.__setitem__(key, float(value))
        case str() if value.lstrip("-").replace("/", "").isdigit():
            for other in (f"{value}1", f"-{value}", "0", "1/7"):
                if other != value:
                    yield "number", lambda holder, key, other=other: holder.__setitem__(key, other)
        case str():
            for other in (random.choice(names), value + "'", ""):
                if other != value:
                    yield "name", lambda holder, key, other=other: holder.__setitem__(key, other)
        case dict():
            yield "added", lambda holder, key: holder[key].setdefault("remark", 1)
            name = random.choice(names)
            yield "added", lambda holder, key: holder[key].setdefault(name, random.choice([-1, 1]))
        case list():
            yield "added", lambda holder, key: holder[key].append({})


def _rename_or_repeat(holder: Any, key: Any, name: str) -> None:
    if isinstance(holder, list):
        holder.insert(key, copy.deepcopy(holder[key]))
    else:
        holder[name] = holder.pop(key)


def _swap(holder: Any, key: Any, random: Random) -> None:
    other = random.choice(list(holder) if isinstance(holder, dict) else range(len(holder)))
    holder[key], holder[other] = holder[other], holder[key]


def may_pass(program: Program, original: dict[str, Any], alteration: Alteration) -> bool:
    """Whether an alteration is one of those that the module's text allows, and what it says is still true."""
    in_tree, in_rows = "tree" in alteration.path, "rows" in alteration.path
    match alteration.what:
        case "number":
            allowed = alteration.path[0] == "values"  # another plan
        case "name":
            allowed = alteration.path[-1] == "split"  # a twin
        case "renamed or repeated":
            allowed = in_rows and alteration.path[-1] != "rows"  # a twin
        case "swapped":
            allowed = in_tree or alteration.path[0] == "values"
        case _:
            allowed = False
    return allowed and _is_true(program, original, alteration.content)


def _is_true(program: Program, original: dict[str, Any], content: dict[str, Any]) -> bool:
    if content["status"] == "infeasible":
        return not any(points(program))
    values = content["values"]
    reached = [objective.value(values) for objective in program.objectives]
    return not program.violations(values) and reached == [level["value"] for level in original["levels"]]


@settings(max_examples=40, deadline=None)
@given(SEEDS, st.booleans())
def test_every_altered_field_is_refused(seed: int, any_plan: bool) -> None:
    """Each alteration of each field is refused, but for another complete proof of the same statement."""
    random = Random(seed)
    program = random_program(random)
    original = written(program, naive_outcome(program, random, any_plan=any_plan))
    choices = list(alterations(original, random))
    for alteration in random.sample(choices, min(len(choices), 150)):
        if alteration.content != original and not refused(program, alteration.content):
            assert may_pass(program, original, alteration), (alteration.path, alteration.what)


@settings(max_examples=50, deadline=None)
@given(SEEDS)
def test_no_number_of_a_proof_can_be_altered(seed: int) -> None:
    """Not by one, not in sign, not at all: the canonical form has only one number for each."""
    random = Random(seed)
    program = random_program(random)
    original = written(program, naive_outcome(program, random, any_plan=random.random() < 0.3))
    for alteration in alterations(original, random):
        if alteration.what == "number" and alteration.path[0] != "values":
            assert refused(program, alteration.content), alteration.path


# --- what can pass, shown to be another proof


def test_the_name_of_a_twin_row_passes() -> None:
    """Two rows that say the same prove the same: no field lies, so nothing is refused."""
    rows = tuple(Row(name, {"x": 1}, Sense.AT_LEAST, 3) for name in ("one", "other"))
    program = Program((Variable("x", 0, 9),), rows, (Objective("late", {"x": 1}),))
    content = written(program, naive_outcome(program, Random(1)))
    leaf = content["proofs"][0]["levels"][0]["tree"] = [{"proves": "3", "over": 1, "rows": {"one": 1}, "costs": {}}]
    assert not refused(program, content)
    leaf[0]["rows"] = {"other": 1}
    assert not refused(program, content)


def test_another_plan_with_the_same_objectives_passes() -> None:
    """A variable without cost may take another value: the statement stays proved word for word."""
    program = Program((Variable("x", 0, 9),), (), (Objective("late", {}, 4),))
    content = written(program, naive_outcome(program, Random(1)))
    content["values"]["x"] = 5
    assert check_outcome(program, read_outcome(document(content))) == []
    assert not refused(program, content)
