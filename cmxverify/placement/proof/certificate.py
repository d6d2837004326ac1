"""Certificates: trees whose leaves carry whole-number multipliers, re-checkable with whole numbers alone.

A tree claims something of every whole-number point of a program inside the variables' bounds (its *box*):
either ``objective >= bound``, or that no point satisfies the rows. An inner node splits the box at one
variable, so the leaves cover the root's box by construction. For a leaf with multipliers ``q`` (one a row,
over the common ``denominator`` D), let ``rc = D*c - sum(q_r * a_r)``; with ``q_r <= 0`` on at-most rows and
``q_r >= 0`` on at-least rows every point of the box has

    D * (objective - constant)  >=  sum(q_r * rhs_r) + sum over variables of min(rc * lower, rc * upper).

The leaf proves ``bound`` when the right-hand side, divided by D and rounded *up* to a whole number, plus the
constant reaches it; with ``c = 0`` and a right-hand side above 0 it proves that its box is empty.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class BoundLeaf:
    """Proves that the objective is at least the tree's bound in this box."""

    multipliers: Mapping[str, int]
    denominator: int = 1


@dataclass(frozen=True, slots=True)
class EmptyLeaf:
    """Proves that no point of this box satisfies the rows (Farkas multipliers)."""

    multipliers: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Split:
    """``low`` covers ``variable <= at``, ``high`` covers ``variable >= at + 1``."""

    variable: str
    at: int
    low: Tree
    high: Tree


Tree = BoundLeaf | EmptyLeaf | Split


@dataclass(frozen=True, slots=True)
class LevelProof:
    """One component, one level: value reached, bound proved, and the tree that proves it.

    The tree speaks of the component's rows plus one row ``level KEY`` for each earlier level, at the value
    that the plan reached there (``program.level_row``).
    """

    key: str
    value: int
    bound: int
    tree: Tree


@dataclass(frozen=True, slots=True)
class ComponentProof:
    """The proofs of one independent part, level by level, in order of priority."""

    variables: tuple[str, ...]
    levels: tuple[LevelProof, ...]


@dataclass(frozen=True, slots=True)
class InfeasibleProof:
    """No point satisfies the rows of one component (restricted to ``facts``, if given): a tree of empty leaves."""

    variables: tuple[str, ...]
    facts: tuple[str, ...] | None
    tree: Tree
