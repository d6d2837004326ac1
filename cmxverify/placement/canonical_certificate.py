"""The canonical form of a proof: of all the ways to write one tree of reasons, the one that a file may hold.

A certificate in a file must be in this form, for then altering any one number in it is noticed:

- A multiplier is *needed to its last unit*: moved one unit towards 0, its leaf proves strictly less. What a
  leaf proves is a concave function of one multiplier, so of the multipliers that prove the same number at
  most one of each sign is needed to its last unit; and the file states that number. Idle rows drop out.
- The denominator is needed in the same way, and shares no divisor with all the multipliers.
- Each side of a split *needs its half*: some leaf there rests on the bound that the split has set. A split
  that one side does not need goes, and that side alone takes its place. So moving the split point changes
  what a leaf proves.

Making a proof canonical never weakens it: every leaf proves at least what it did, and fewer leaves remain.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from math import gcd

from cmxverify.placement.certificate import (
    BoundLeaf,
    ComponentProof,
    EmptyLeaf,
    InfeasibleProof,
    LevelProof,
    Split,
    Tree,
)
from cmxverify.placement.check_certificate import component_of, parts_of
from cmxverify.placement.program import Program, Row
from cmxverify.placement.proof_arithmetic import (
    Box,
    ProofError,
    Subject,
    empty_subject,
    leaf_number,
    leaves,
    level_subject,
    reduced_costs,
)

Needs = frozenset[tuple[str, str]]
"""Bounds that a leaf or a tree rests on: (variable, "lower" or "upper")."""


def canonical_component(part: Program, proof: ComponentProof) -> ComponentProof:
    """The same values and bounds, each with its canonical tree.

    Raises:
        ProofError: A tree breaks the rules of ``proof_arithmetic``.
    """
    return ComponentProof(
        proof.variables,
        tuple(
            LevelProof(
                level.key, level.value, level.bound, canonical_tree(level_subject(part, earlier), level.tree)
            )
            for level, earlier in ((level, proof.levels[:index]) for index, level in enumerate(proof.levels))
        ),
    )


def canonical_components(program: Program, proofs: tuple[ComponentProof, ...]) -> tuple[ComponentProof, ...]:
    """The canonical form of proofs that partition the program's variables."""
    return tuple(map(canonical_component, parts_of(program, proofs), proofs))


def canonical_infeasible(program: Program, proof: InfeasibleProof) -> InfeasibleProof:
    """The canonical tree, all variables of its component, and exactly the facts that its leaves rest on.

    Raises:
        ProofError: The variables are not of one component, or the tree breaks the rules.
    """
    part = component_of(program, proof.variables)
    if part is None:
        raise ProofError("the variables of the proof are not distinct variables of one component")
    subject = empty_subject(part if proof.facts is None else part.keeping(proof.facts))
    tree = canonical_tree(subject, proof.tree)
    used = {name for node in preorder(tree) if isinstance(node, EmptyLeaf) for name in node.multipliers}
    facts = sorted({fact for name in used for fact in subject.rows[name].facts})
    return InfeasibleProof(tuple(v.name for v in part.variables), tuple(facts), tree)


def canonical_tree(subject: Subject, tree: Tree) -> Tree:
    """The canonical form of a tree of this subject."""
    split_at = frozenset(node.variable for node in preorder(tree) if isinstance(node, Split))
    done = [_canonical_leaf(subject, box, leaf, split_at) for leaf, box in leaves(subject, tree)]
    pending: list[tuple[Tree, Needs]] = []
    for node in reversed(list(preorder(tree))):
        if isinstance(node, Split):
            (low, low_needs), (high, high_needs) = pending.pop(), pending.pop()
            pending.append(_canonical_split(node, low, low_needs, high, high_needs))
        else:
            pending.append(done.pop())
    return pending.pop()[0]


def preorder(tree: Tree) -> Iterator[Tree]:
    """Every node: first a split, then all of its low side, then all of its high side."""
    nodes = [tree]
    while nodes:
        node = nodes.pop()
        if isinstance(node, Split):
            nodes += [node.high, node.low]
        yield node


def _canonical_split(
    split: Split, low: Tree, low_needs: Needs, high: Tree, high_needs: Needs
) -> tuple[Tree, Needs]:
    set_low, set_high = (split.variable, "upper"), (split.variable, "lower")
    if set_low not in low_needs:
        return low, low_needs
    if set_high not in high_needs:
        return high, high_needs
    return Split(split.variable, split.at, low, high), (low_needs - {set_low}) | (high_needs - {set_high})


def _canonical_leaf(
    subject: Subject, box: Box, leaf: BoundLeaf | EmptyLeaf, split_at: frozenset[str]
) -> tuple[Tree, Needs]:
    denominator = leaf.denominator if isinstance(leaf, BoundLeaf) else 0
    multipliers = {name: q for name, q in leaf.multipliers.items() if q}
    while True:
        lessened = _lessened(subject, box, multipliers, denominator)
        smaller = _smaller_denominator(subject, box, lessened, denominator)
        if lessened == multipliers and smaller == denominator:
            break
        multipliers, denominator = lessened, smaller
    if (divisor := gcd(denominator, *multipliers.values())) > 1:
        multipliers = {name: q // divisor for name, q in multipliers.items()}
        denominator //= divisor
    ordered = dict(sorted(multipliers.items()))
    costs = reduced_costs(subject, ordered, denominator)
    needs = frozenset(
        (name, "lower" if cost > 0 else "upper") for name, cost in costs.items() if cost and name in split_at
    )
    return (BoundLeaf(ordered, denominator) if isinstance(leaf, BoundLeaf) else EmptyLeaf(ordered)), needs


def _lessened(subject: Subject, box: Box, multipliers: Mapping[str, int], denominator: int) -> dict[str, int]:
    """Each multiplier in turn brought as near to 0 as the leaf proves most, the others as they then stand."""
    costs = reduced_costs(subject, multipliers, denominator)
    lessened: dict[str, int] = {}
    for name, multiplier in sorted(multipliers.items()):
        row, sign = subject.rows[name], 1 if multiplier > 0 else -1

        def loses_nothing(units: int, row: Row = row, sign: int = sign) -> bool:
            # The last of so many units towards 0 must not lower what the leaf proves.
            return _gain(row, box, costs, -sign * units) >= _gain(row, box, costs, -sign * (units - 1))

        units = _last_true(loses_nothing, abs(multiplier))
        if units:
            for variable, coefficient in row.terms.items():
                costs[variable] = costs.get(variable, 0) + sign * units * coefficient
        if kept := multiplier - sign * units:
            lessened[name] = kept
    return lessened


def _gain(row: Row, box: Box, costs: Mapping[str, int], change: int) -> int:
    """By how much the leaf's number grows when the row's multiplier does by ``change``."""
    total = change * row.rhs
    for variable, coefficient in row.terms.items():
        before = costs.get(variable, 0)
        after = before - change * coefficient
        lower, upper = box.lower[variable], box.upper[variable]
        total += after * (lower if after > 0 else upper) - before * (lower if before > 0 else upper)
    return total


def _smaller_denominator(subject: Subject, box: Box, multipliers: Mapping[str, int], denominator: int) -> int:
    """The least denominator that proves, with the same multipliers, no less than this one."""
    if denominator <= 1:
        return denominator
    number = leaf_number(subject, box, multipliers, denominator)

    def proves_no_less(less: int) -> bool:
        smaller = denominator - less
        return leaf_number(subject, box, multipliers, smaller) * denominator >= number * smaller

    return denominator - _last_true(proves_no_less, denominator - 1)


def _last_true(holds: Callable[[int], bool], most: int) -> int:
    """The last of 1 to ``most`` where a condition holds that, once false, stays so; 0 if it never holds."""
    if most < 1 or not holds(1):
        return 0
    low, high = 1, most
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if holds(middle) else (low, middle - 1)
    return low
