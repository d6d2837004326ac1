"""The canonical form of a proof: of all the ways to write one tree of reasons, the one that a file may hold.

A certificate in a file must be in this form, for then altering any one number in it is noticed:

- Every row is *needed*: without it, its leaf proves strictly less.
- Multipliers and denominator of a leaf share no divisor.
- A leaf states, besides the number that it proves, the reduced cost of every variable (``certificate_json``),
  so that multipliers, denominator and costs cannot be altered one without the others.
- Each side of a split *needs its half*: some leaf there rests on the bound that the split has set. A split
  that one side does not need goes, and that side alone takes its place. So moving the split point changes
  what a leaf proves.

Making a proof canonical never weakens it: every leaf proves at least what it did, and fewer leaves remain.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import gcd

from cmxverify.placement.proof.certificate import (
    BoundLeaf,
    ComponentProof,
    EmptyLeaf,
    InfeasibleProof,
    LevelProof,
    Split,
    Tree,
)
from cmxverify.placement.proof.check_certificate import component_of
from cmxverify.placement.proof.program import Program, Row
from cmxverify.placement.proof.proof_arithmetic import (
    Box,
    ProofError,
    Subject,
    empty_subject,
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
    multipliers = _needed(subject, box, leaf.multipliers, denominator)
    if (divisor := gcd(denominator, *multipliers.values())) > 1:
        multipliers = {name: q // divisor for name, q in multipliers.items()}
        denominator //= divisor
    costs = reduced_costs(subject, multipliers, denominator)
    needs = frozenset(
        (name, "lower" if cost > 0 else "upper") for name, cost in costs.items() if cost and name in split_at
    )
    return (BoundLeaf(multipliers, denominator) if isinstance(leaf, BoundLeaf) else EmptyLeaf(multipliers)), needs


def _needed(subject: Subject, box: Box, multipliers: Mapping[str, int], denominator: int) -> dict[str, int]:
    """The rows without any of which the leaf would prove less. A row may become idle once another is gone."""
    kept = {name: q for name, q in sorted(multipliers.items()) if q}
    costs = reduced_costs(subject, kept, denominator)
    idle: str | None = ""
    while idle is not None:
        idle = next((name for name, q in kept.items() if _gain(subject.rows[name], box, costs, -q) >= 0), None)
        if idle is not None:
            dropped = kept.pop(idle)
            for variable, coefficient in subject.rows[idle].terms.items():
                costs[variable] = costs.get(variable, 0) + dropped * coefficient
    return kept


def _gain(row: Row, box: Box, costs: Mapping[str, int], change: int) -> int:
    """By how much the leaf's number grows when the row's multiplier does by ``change``."""
    total = change * row.rhs
    for variable, coefficient in row.terms.items():
        before = costs.get(variable, 0)
        after = before - change * coefficient
        lower, upper = box.lower[variable], box.upper[variable]
        total += after * (lower if after > 0 else upper) - before * (lower if before > 0 else upper)
    return total
