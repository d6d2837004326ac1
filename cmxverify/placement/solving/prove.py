"""Branch and bound that leaves a certificate behind: every leaf is proved by whole-number arithmetic.

The search order and the branching only decide how fast the tree closes; what it claims rests on its leaves.
"""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from time import monotonic

from cmxverify.placement.proof.certificate import BoundLeaf, EmptyLeaf, Split, Tree
from cmxverify.placement.proof.program import Program
from cmxverify.placement.solving.bounds import tightened
from cmxverify.placement.solving.branching import Branching
from cmxverify.placement.solving.evaluate import Evaluation, Evaluator
from cmxverify.placement.solving.matrix import Box, Matrix, Point, matrix_of
from cmxverify.placement.solving.rounding import above_floor, all_whole

_DEEPEST = 300
"""Branching stops at this depth, so that certificates can be written and read by recursion."""


@dataclass(frozen=True, slots=True)
class TreeLimits:
    """When to stop: at a moment of ``time.monotonic()``, or when the tree has so many nodes."""

    until: float
    nodes: int = 20_000


@dataclass(slots=True, eq=False)
class _Node:
    box: Box | None
    evaluation: Evaluation
    depth: int
    split: tuple[int, int, _Node, _Node] | None = None

    def forget_search(self) -> None:
        """Drop what only the search needed; the proof stays."""
        self.box = None
        self.evaluation = replace(self.evaluation, point=())


class ProofTree:
    """A growing tree over one matrix and one cost, with the best point known.

    Values and bounds are ``cost @ x``, without the objective's constant.
    """

    def __init__(
        self, matrix: Matrix, cost: Sequence[int], *, incumbent: Point | None = None, seed: int = 0
    ) -> None:
        self.matrix, self.cost = matrix, cost
        self._best: tuple[int, Point] | None = None
        if incumbent is not None:
            self.offer(incumbent)
        self._evaluator = Evaluator(matrix, cost, seed=seed)
        self._branching = Branching(matrix.box)
        self._nodes: list[_Node] = []
        self._open: list[tuple[int, int, int]] = []
        self._dives = self.value is None

    def offer(self, point: Point) -> bool:
        """Take a point as the incumbent if it is feasible (checked exactly) and better."""
        value = sum(c * x for c, x in zip(self.cost, point, strict=True))
        if (self.value is not None and value >= self.value) or not self.matrix.admits(point):
            return False
        self._best = (value, list(point))
        return True

    @property
    def value(self) -> int | None:
        """Cost of the best point known."""
        return self._best[0] if self._best else None

    @property
    def incumbent(self) -> Point | None:
        """The best point known."""
        return self._best[1] if self._best else None

    def root(self, *, time_limit_s: float) -> Evaluation:
        """Evaluate the whole box; must be called once, before ``grow``."""
        if self.matrix.box.is_point():
            self.offer(list(self.matrix.box.lower))
        evaluation = self._evaluator.evaluate(self.matrix.box, time_limit_s=time_limit_s, compact=True)
        self._add(_Node(self.matrix.box, evaluation, 0))
        return evaluation

    def reachable(self, box: Box) -> Box:
        """The part of a box where the incumbent's cost or less can hold, by exact reduced-cost tightening.

        Uses the root's multipliers; all of the box where nothing is known.
        """
        if self.value is None or not self._nodes:
            return box
        tight = tightened(self.matrix, self.cost, box, self._nodes[0].evaluation.multipliers, self.value)
        assert tight is not None, "the incumbent lies in the box"
        return tight

    def best_guess(self) -> Sequence[float]:
        """The relaxation's optimum in the open box with the lowest bound; empty if none is open."""
        nodes = (self._nodes[number] for _, _, number in self._open)
        best = min(nodes, key=lambda node: node.evaluation.bound, default=None)
        return best.evaluation.point if best else ()

    def _add(self, node: _Node) -> None:
        self._nodes.append(node)
        if node.evaluation.point and all_whole(node.evaluation.point):
            self.offer([round(x) for x in node.evaluation.point])
        if self._is_closed(node) or node.depth >= _DEEPEST:
            node.forget_search()
        else:
            heapq.heappush(self._open, self._key(len(self._nodes) - 1))

    def _is_closed(self, node: _Node) -> bool:
        return node.evaluation.empty or (self.value is not None and node.evaluation.bound >= self.value)

    def _key(self, number: int) -> tuple[int, int, int]:
        node = self._nodes[number]
        bound, depth = node.evaluation.bound, -node.depth
        return (depth, bound, number) if self._dives else (bound, depth, number)

    @property
    def bound(self) -> int | None:
        """Certified lower bound; None while nothing is evaluated or if the box is proved empty."""
        leaves = [n.evaluation.bound for n in self._nodes if n.split is None and not n.evaluation.empty]
        if not leaves:
            return self.value
        return min(leaves) if self.value is None else min(self.value, *leaves)

    @property
    def is_empty(self) -> bool:
        """Whether it is proved that no point satisfies the rows."""
        return bool(self._nodes) and all(n.evaluation.empty for n in self._nodes if n.split is None)

    @property
    def is_closed(self) -> bool:
        """Whether the bound meets the value."""
        return self.value is not None and self.bound == self.value

    def is_within(self, gap: Fraction) -> bool:
        """Whether value and bound differ by no more than a part ``gap`` of the value."""
        value, bound = self.value, self.bound
        return value is not None and bound is not None and value - bound <= gap * abs(value)

    @property
    def size(self) -> int:
        """Nodes evaluated so far."""
        return len(self._nodes)

    def grow(self, limits: TreeLimits) -> bool:
        """Branch until closed or a limit strikes; says whether nothing is left to branch on."""
        while self._open and len(self._nodes) < limits.nodes and monotonic() < limits.until:
            if self._dives and self.value is not None:
                self._dives = False
                self._open = [self._key(number) for _, _, number in self._open]
                heapq.heapify(self._open)
            node = self._nodes[heapq.heappop(self._open)[2]]
            if self._is_closed(node):
                node.forget_search()
                continue
            self._branch(node, limits.until)
        return not self._open

    def _branch(self, node: _Node, until: float) -> None:
        assert node.box is not None, "an open node keeps its box"
        column, at = self._branching.choose(node.box, node.evaluation.point)
        halves = (node.box.with_upper(column, at), node.box.with_lower(column, at + 1))
        children: list[_Node] = []
        for half in halves:
            evaluation = self._evaluator.evaluate(
                half,
                inherited=node.evaluation,
                cutoff=self.value,
                time_limit_s=until - monotonic(),
            )
            children.append(_Node(half, evaluation, node.depth + 1))
        x = node.evaluation.point[column] if node.evaluation.point else float(at)
        self._branching.learn(
            column, above_floor(x), node.evaluation, children[0].evaluation, children[1].evaluation
        )
        for child in children:
            self._add(child)
        node.split = (column, at, children[0], children[1])  # last, so that Ctrl-C leaves a whole tree
        node.forget_search()

    def certificate(self) -> Tree:
        """The tree that proves ``bound`` (or emptiness), cut back to what that claim needs."""
        target = self.bound
        trees: dict[int, Tree] = {}
        for node in reversed(self._nodes):
            found, named = node.evaluation, node.evaluation.multipliers.named(self.matrix)
            if found.empty:
                trees[id(node)] = EmptyLeaf(named)
            elif target is not None and found.bound >= target:
                trees[id(node)] = BoundLeaf(named, found.multipliers.denominator)
            else:
                assert node.split is not None, f"leaf with bound {found.bound} below {target}"
                column, at, low, high = node.split
                trees[id(node)] = Split(self.matrix.names[column], at, trees[id(low)], trees[id(high)])
        return trees[id(self._nodes[0])]


def prove_infeasible(program: Program, *, time_limit_s: float = 10.0, seed: int = 0) -> Tree | None:
    """A tree of empty leaves for a program whose rows exclude every point of the box; None if not proved.

    None says nothing: the program may be feasible, or the time was too short.
    """
    matrix = matrix_of(program)
    tree = ProofTree(matrix, [0] * len(matrix.names), seed=seed)
    until = monotonic() + time_limit_s
    if tree.root(time_limit_s=time_limit_s).empty:
        return tree.certificate()
    tree.grow(TreeLimits(until))
    return tree.certificate() if tree.is_empty else None
