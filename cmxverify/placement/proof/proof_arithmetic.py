"""What a proof tree proves, worked out with whole numbers alone.

This file and ``check_certificate.py`` are all that has to be trusted: they import no solver and no numerical
library. The inequality behind ``leaf_number`` is stated and explained in ``certificate.py``. Trees are
walked with a stack of their own, so that a deep tree is no harder than a wide one.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import NamedTuple

from cmxverify.errors import CmxError
from cmxverify.placement.proof.certificate import BoundLeaf, EmptyLeaf, LevelProof, Split, Tree
from cmxverify.placement.proof.program import Objective, Program, Row, Sense, level_row

_NO_TERMS: Mapping[str, int] = {}


class ProofError(CmxError):
    """A proof that does not prove what it is held to prove; the text says why, as one sentence."""


class Box(NamedTuple):
    """Bounds of every variable at one place in a tree."""

    lower: Mapping[str, int]
    upper: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Subject:
    """What a tree speaks of: the points of ``box`` that satisfy ``rows``, and what it bounds there.

    Without an ``objective`` the tree claims that there is no such point.
    """

    box: Box
    rows: Mapping[str, Row]
    objective: Objective | None


def level_subject(part: Program, earlier: Sequence[LevelProof]) -> Subject:
    """The subject of the level after ``earlier``: the part's rows, and each earlier level kept at its value."""
    kept = [level_row(o, level.value) for o, level in zip(part.objectives, earlier, strict=False)]
    return _subject(part.with_rows(kept), part.objectives[len(earlier)])


def empty_subject(part: Program) -> Subject:
    """The claim that no point of the part satisfies its rows."""
    return _subject(part, None)


def _subject(part: Program, objective: Objective | None) -> Subject:
    box = Box({v.name: v.lower for v in part.variables}, {v.name: v.upper for v in part.variables})
    return Subject(box, {row.name: row for row in part.rows}, objective)


def reduced_costs(subject: Subject, multipliers: Mapping[str, int], denominator: int) -> dict[str, int]:
    """``denominator * c - sum(q_r * a_r)``, a number a variable; absent means 0."""
    terms = subject.objective.terms if subject.objective else _NO_TERMS
    reduced = {name: denominator * coefficient for name, coefficient in terms.items()}
    for row_name, multiplier in multipliers.items():
        for name, coefficient in subject.rows[row_name].terms.items():
            reduced[name] = reduced.get(name, 0) - multiplier * coefficient
    return reduced


def leaf_number(subject: Subject, box: Box, multipliers: Mapping[str, int], denominator: int) -> int:
    """The number that ``denominator * (objective - constant)`` cannot go below in the box.

    Sound only for multipliers that ``refuse_leaf`` lets pass.
    """
    from_rows = sum(q * subject.rows[name].rhs for name, q in multipliers.items())
    return from_rows + sum(
        cost * (box.lower if cost > 0 else box.upper)[name]
        for name, cost in reduced_costs(subject, multipliers, denominator).items()
    )


def leaf_bound(subject: Subject, box: Box, leaf: BoundLeaf) -> Fraction:
    """The exact bound on the objective, its constant included, that a leaf proves in its box."""
    assert subject.objective is not None, "a claim of emptiness has no objective to bound"
    number = leaf_number(subject, box, leaf.multipliers, leaf.denominator)
    return subject.objective.constant + Fraction(number, leaf.denominator)


def proved_bound(subject: Subject, tree: Tree) -> int | None:
    """The greatest whole bound that a tree proves; ``None`` if it proves that there is no point at all.

    Raises:
        ProofError: A leaf or a split breaks the rules, or a leaf of empty claim does not prove its box empty.
    """
    bounds: list[int] = []
    for leaf, box in leaves(subject, tree):
        if isinstance(leaf, BoundLeaf):
            bounds.append(-(-leaf_bound(subject, box, leaf) // 1))
        elif (number := leaf_number(subject, box, leaf.multipliers, 0)) <= 0:
            raise ProofError(
                f"a leaf claims an empty box, but reaches only {shown(number)}, which is not above 0"
            )
    return min(bounds, default=None)


class _Move(NamedTuple):
    """A step of the walk that sets one bound of one variable."""

    bounds: dict[str, int]
    variable: str
    to: int


def leaves(subject: Subject, tree: Tree) -> Iterator[tuple[BoundLeaf | EmptyLeaf, Box]]:
    """Every leaf with its box, low side first. The boxes are one object that changes: read it, do not keep it.

    Raises:
        ProofError: A leaf or a split breaks the rules.
    """
    lower, upper = dict(subject.box.lower), dict(subject.box.upper)
    box = Box(lower, upper)
    steps: list[Tree | _Move] = [tree]
    while steps:
        match steps.pop():
            case _Move(bounds, variable, to):
                bounds[variable] = to
            case Split(variable, at, low, high) as split:
                refuse_split(box, split)
                back_up, back_down = (
                    _Move(upper, variable, upper[variable]),
                    _Move(lower, variable, lower[variable]),
                )
                high_side = [back_up, _Move(lower, variable, at + 1), high, back_down]
                steps.extend(reversed([_Move(upper, variable, at), low, *high_side]))
            case leaf:
                refuse_leaf(subject, leaf)
                yield leaf, box


def refuse_split(box: Box, split: Split) -> None:
    """Raise ``ProofError`` unless both halves of the split hold whole numbers of the box."""
    if split.variable not in box.lower:
        raise ProofError(
            f"a split is at {shown_name(split.variable)}, which is no variable of this component"
        )
    lower, upper = box.lower[split.variable], box.upper[split.variable]
    if not is_whole(split.at) or not lower <= split.at < upper:
        raise ProofError(
            f"a split of {shown_name(split.variable)} at {shown(split.at)} leaves one half empty; "
            f"the box there is {shown(lower)} to {shown(upper)}"
        )


def refuse_leaf(subject: Subject, leaf: BoundLeaf | EmptyLeaf) -> None:
    """Raise ``ProofError`` unless the leaf's kind, denominator and multipliers obey the rules."""
    if isinstance(leaf, BoundLeaf):
        if subject.objective is None:
            raise ProofError("a leaf proves a bound, but the claim is that there is no point at all")
        if not is_whole(leaf.denominator) or leaf.denominator < 1:
            raise ProofError(
                f"a leaf has denominator {shown(leaf.denominator)}; it is a whole number from 1 up"
            )
    for name, multiplier in leaf.multipliers.items():
        if name not in subject.rows:
            raise ProofError(
                f"a leaf has a multiplier for {shown_name(name)}, no row of this component and level"
            )
        _refuse_multiplier(subject.rows[name], multiplier)


def _refuse_multiplier(row: Row, multiplier: int) -> None:
    if not is_whole(multiplier):
        raise ProofError(f"the multiplier of row {row.name!r} is {shown(multiplier)}, not a whole number")
    wrong = multiplier > 0 if row.sense is Sense.AT_MOST else multiplier < 0
    if wrong and row.sense is not Sense.EQUAL:
        sign = "0 or below" if row.sense is Sense.AT_MOST else "0 or above"
        raise ProofError(
            f"the multiplier of row {row.name!r} is {shown(multiplier)}; on a {row.sense.value} row it is {sign}"
        )


def is_whole(value: object) -> bool:
    """Whether this is a plain ``int``; ``True`` is not, nor is ``1.0``."""
    return type(value) is int


def shown(value: object) -> str:
    """A value for a message; a number of hundreds of digits is told by its size, since printing it may fail."""
    if not isinstance(value, int) or isinstance(value, bool):
        return repr(value)[:80]
    digits = value.bit_length() * 30_103 // 100_000
    return f"{value:,}" if digits < 60 else f"{'-' if value < 0 else ''}(a number of about {digits} digits)"


def shown_name(name: str) -> str:
    """A name from a file for a message, cut if it is very long."""
    return repr(name if len(name) <= 120 else name[:120] + "...")
