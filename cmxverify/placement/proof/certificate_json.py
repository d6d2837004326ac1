"""Certificates as plain JSON: written in canonical form, read strictly, compared to the last number.

``check_document`` is the whole check of a file. It reads the document (unknown, missing or mistyped fields
are input errors), lets ``check_certificate`` judge what it claims, writes what was read anew in canonical form
and requires the result to be equal to the document. A document has the keys

- ``status``: ``optimal``, ``feasible``, ``infeasible`` or ``unknown``;
- for a plan ``values`` {variable: value}; ``levels`` [{key, value, bound, unit}]; ``proofs``, a list of
  {variables, levels: [{key, value, bound, tree}]};
- for an infeasible program ``infeasible`` {variables, facts, tree}.

A tree is a flat list of nodes, each split before all of its low side, and that before all of its high side:

- ``{"split": VARIABLE, "at": N}``
- ``{"proves": "17/3", "over": D, "rows": {ROW: MULTIPLIER}, "costs": {VARIABLE: REDUCED_COST}}`` proves an
  objective of at least 17/3
- ``{"exceeds": N, "rows": {ROW: MULTIPLIER}, "costs": {VARIABLE: REDUCED_COST}}`` proves its box empty, since 0
  is not above N > 0

What the check cannot notice, because it is another complete proof of the same statement:

- the order of keys in an object, and how JSON is spelled (blanks, escapes, ``-0``);
- a row's or a variable's *name* put in place of a twin that does the same work there (two rows that say the
  same, two variables that enter every row and objective of the leaf alike);
- nodes of a tree in another order, where every leaf proves the same number in its new box;
- a value of the plan changed to that of another plan that satisfies all rows and has the same objectives.

No other field can be altered alone: a number in a proof never, since the canonical form has only one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from cmxverify.errors import did_you_mean
from cmxverify.placement.proof.canonical_certificate import (
    canonical_component,
    canonical_infeasible,
    preorder,
)
from cmxverify.placement.proof.certificate import (
    BoundLeaf,
    ComponentProof,
    EmptyLeaf,
    InfeasibleProof,
    LevelProof,
    Split,
    Tree,
)
from cmxverify.placement.proof.check_certificate import check_outcome, component_of, parts_of
from cmxverify.placement.proof.outcome import LevelResult, Outcome, Status
from cmxverify.placement.proof.program import Program
from cmxverify.placement.proof.proof_arithmetic import (
    Box,
    Subject,
    empty_subject,
    leaf_bound,
    leaf_number,
    leaves,
    level_subject,
    reduced_costs,
    shown,
)
from cmxverify.placement.proof.strict_json import JsonValue

Json = dict[str, object]
_PLAN_KEYS = ("values", "levels", "proofs")


def check_document(program: Program, document: JsonValue) -> list[str]:
    """What is wrong with a document; empty means that all it says of this program is proved.

    Raises:
        InputError: The document is not of this form.
    """
    outcome = read_outcome(document)
    return check_outcome(program, outcome) or differences(document, outcome_json(program, outcome))


def outcome_json(program: Program, outcome: Outcome) -> Json:
    """The canonical document of an outcome that ``check_outcome`` accepts. Remarks are left out."""
    document: Json = {"status": outcome.status.value}
    if outcome.values is not None:
        document["values"] = {v.name: outcome.values[v.name] for v in program.variables}
        document["levels"] = levels_json(outcome.levels)
        document["proofs"] = components_json(program, outcome.proofs)
    if outcome.infeasible is not None:
        document["infeasible"] = infeasible_json(program, outcome.infeasible)
    return document


def levels_json(levels: Iterable[LevelResult]) -> list[Json]:
    """Levels of the whole program; ``also_proved_by`` is a remark and stays out."""
    return [{"key": v.key, "value": v.value, "bound": v.bound, "unit": str(v.unit)} for v in levels]


def components_json(program: Program, proofs: Sequence[ComponentProof]) -> list[Json]:
    """Proofs that ``check_components`` accepts, in canonical form."""
    return [
        _component_json(part, proof) for part, proof in zip(parts_of(program, proofs), proofs, strict=True)
    ]


def _component_json(part: Program, proof: ComponentProof) -> Json:
    levels = canonical_component(part, proof).levels
    nodes = [tree_json(level_subject(part, levels[:i]), level.tree) for i, level in enumerate(levels)]
    return {
        "variables": list(proof.variables),
        "levels": [
            {"key": level.key, "value": level.value, "bound": level.bound, "tree": tree}
            for level, tree in zip(levels, nodes, strict=True)
        ],
    }


def infeasible_json(program: Program, proof: InfeasibleProof) -> Json:
    """A proof that ``check_infeasible`` accepts, in canonical form."""
    canonical = canonical_infeasible(program, proof)
    part = component_of(program, canonical.variables)
    assert part is not None, f"the canonical form lost its component: {canonical.variables[:5]}"
    tree = tree_json(empty_subject(part), canonical.tree)
    return {"variables": list(canonical.variables), "facts": list(canonical.facts or ()), "tree": tree}


def tree_json(subject: Subject, tree: Tree) -> list[Json]:
    """The nodes of a tree, each leaf with the number it proves. The tree is written as it is."""
    written = [_leaf_json(subject, leaf, box) for leaf, box in leaves(subject, tree)][::-1]
    return [
        {"split": node.variable, "at": node.at} if isinstance(node, Split) else written.pop()
        for node in preorder(tree)
    ]


def _leaf_json(subject: Subject, leaf: BoundLeaf | EmptyLeaf, box: Box) -> Json:
    denominator = leaf.denominator if isinstance(leaf, BoundLeaf) else 0
    costs = {name: cost for name, cost in reduced_costs(subject, leaf.multipliers, denominator).items() if cost}
    reasons: Json = {"rows": dict(leaf.multipliers), "costs": costs}
    if isinstance(leaf, BoundLeaf):
        return {"proves": str(leaf_bound(subject, box, leaf)), "over": denominator, **reasons}
    return {"exceeds": leaf_number(subject, box, leaf.multipliers, 0), **reasons}


def read_outcome(document: JsonValue) -> Outcome:
    """The outcome that a document states; nothing of it is checked against a program yet.

    Raises:
        InputError: A field is unknown, missing or of the wrong kind.
    """
    status = _read_status(document)
    match status:
        case Status.UNKNOWN:
            document.fields("status")
            return Outcome(status)
        case Status.INFEASIBLE:
            field = document.fields("status", "infeasible")
            return Outcome(status, infeasible=read_infeasible(field["infeasible"]))
        case Status.OPTIMAL | Status.FEASIBLE:
            field = document.fields("status", *_PLAN_KEYS)
            levels, proofs = read_levels(field["levels"]), read_components(field["proofs"])
            return Outcome(status, read_wholes(field["values"]), levels, proofs)


def _read_status(document: JsonValue) -> Status:
    field = document.entries().get("status")
    if field is None:
        document.refuse(
            "key 'status' is missing", "It says what the document claims: optimal, infeasible, ..."
        )
    known = {status.value: status for status in Status}
    if (word := field.text()) not in known:
        field.refuse(f"unknown status {shown(word)}", did_you_mean(word, known))
    return known[word]


def read_levels(value: JsonValue) -> tuple[LevelResult, ...]:
    """Read what ``levels_json`` writes."""
    fields = [item.fields("key", "value", "bound", "unit") for item in value.items()]
    return tuple(
        LevelResult(f["key"].text(), f["value"].whole(), f["bound"].whole(), f["unit"].fraction())
        for f in fields
    )


def read_components(value: JsonValue) -> tuple[ComponentProof, ...]:
    """Read what ``components_json`` writes."""
    fields = [item.fields("variables", "levels") for item in value.items()]
    return tuple(
        ComponentProof(_read_names(f["variables"]), tuple(map(_read_level, f["levels"].items())))
        for f in fields
    )


def _read_level(value: JsonValue) -> LevelProof:
    field = value.fields("key", "value", "bound", "tree")
    return LevelProof(
        field["key"].text(), field["value"].whole(), field["bound"].whole(), read_tree(field["tree"])
    )


def read_infeasible(value: JsonValue) -> InfeasibleProof:
    """Read what ``infeasible_json`` writes."""
    field = value.fields("variables", "facts", "tree")
    return InfeasibleProof(
        _read_names(field["variables"]), _read_names(field["facts"]), read_tree(field["tree"])
    )


def read_tree(value: JsonValue) -> Tree:
    """Read what ``tree_json`` writes. The numbers that leaves state are left to ``differences``."""
    built: list[Tree] = []
    for node in reversed(list(value.items())):
        keys = node.entries()
        if "split" in keys:
            field = node.fields("split", "at")
            if len(built) < 2:
                node.refuse("the tree ends before both sides of this split", "Restore the file.")
            built.append(Split(field["split"].text(), field["at"].whole(), built.pop(), built.pop()))
        else:
            built.append(_read_leaf(node, proves="proves" in keys))
    if len(built) != 1:
        value.refuse(f"{len(built)} trees stand here, but it must be one", "Restore the file.")
    return built[0]


def _read_leaf(node: JsonValue, *, proves: bool) -> BoundLeaf | EmptyLeaf:
    if proves:
        field = node.fields("proves", "over", "rows", "costs")
        field["proves"].fraction()
        read_wholes(field["costs"])
        return BoundLeaf(read_wholes(field["rows"]), field["over"].whole())
    field = node.fields("exceeds", "rows", "costs")
    field["exceeds"].whole()
    read_wholes(field["costs"])
    return EmptyLeaf(read_wholes(field["rows"]))


def read_wholes(value: JsonValue) -> dict[str, int]:
    """An object of whole numbers."""
    return {name: entry.whole() for name, entry in value.entries().items()}


def _read_names(value: JsonValue) -> tuple[str, ...]:
    return tuple(item.text() for item in value.items())


def differences(document: JsonValue, canonical: object) -> list[str]:
    """The first place, if any, where a document is not what the canonical form has there."""
    pending: list[tuple[JsonValue, object]] = [(document, canonical)]
    while pending:
        found, due = pending.pop()
        match due:
            case dict() if isinstance(found.value, dict) and found.value.keys() == due.keys():
                entries = found.entries()
                pending += [(entries[name], due[name]) for name in reversed(list(due))]
            case list() if isinstance(found.value, list) and len(found.value) == len(due):
                pending += reversed(list(zip(found.items(), due, strict=True)))
            case _ if type(found.value) is not type(due) or found.value != due:
                return [
                    f"{found.path}: the file has {_told(found.value)}, what it proves has {_told(due)} there"
                ]
    return []


def _told(value: object) -> str:
    match value:
        case dict():
            return f"the keys {', '.join(map(shown, list(value)[:8])) or '(none)'}"
        case list():
            return f"a list of {len(value)}"
        case _:
            return shown(value)
