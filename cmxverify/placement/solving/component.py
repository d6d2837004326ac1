"""One independent part of a program, solved level by level: proposers find plans, the tree proves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from time import monotonic

from cmxverify.placement.proof.certificate import BoundLeaf, ComponentProof, LevelProof, Tree
from cmxverify.placement.proof.program import Program, level_row
from cmxverify.placement.solving.bounds import NOTHING, proved_bound
from cmxverify.placement.solving.engines.proposal import Claim, Proposer, Task
from cmxverify.placement.solving.matrix import Matrix, Point, matrix_of
from cmxverify.placement.solving.neighbourhood import around
from cmxverify.placement.solving.prove import ProofTree, TreeLimits

_BURST = 200
"""Nodes that the proof tree grows before and after each proposer: small programs close within them."""

_FIRST_CELLS = 20_000
"""Nodes x columns of the very first spell, so that large programs reach the first proposer soon."""

_MOST_NODES = 20_000
"""Size at which a level's tree stops growing: its certificate would be too large to hand around."""

_NODES_WITHIN_GAP = 1000
"""Further nodes spent on closing a level entirely once its gap is small enough for the caller; more where
the program is so small that nodes cost little (``_CELLS_WITHIN_GAP`` nodes x columns)."""

_CELLS_WITHIN_GAP = 150_000

_POLISH_S = 3.0
"""Limit of one search near the tree's most promising box."""

SecondProver = Callable[[Matrix, Sequence[int], int], bool]
"""Whether an independent prover agrees that no point of a matrix costs less than a value."""


@dataclass(frozen=True, slots=True)
class NamedProposer:
    """A proposer, its name for notes, and the part of a level's time that it may use.

    One that searches the ``whole_program`` is slow, and asked only where the certified gap is still wide.
    """

    name: str
    propose: Proposer
    share: float
    whole_program: bool = False


@dataclass(frozen=True, slots=True)
class Portfolio:
    """Proposers in order, and the engine that searches near the tree's open boxes, if one does.

    Where ``insists``, the first proposer is asked at every level, even where the tree would close without it.
    """

    proposers: tuple[NamedProposer, ...]
    polisher: Proposer | None = None
    insists: bool = False


@dataclass(frozen=True, slots=True)
class _Level:
    """One level done: certified bound (constant included) and its tree."""

    bound: int
    tree: Tree
    also_proved_by: tuple[str, ...] = ()


class Component:
    """Mutable state of one part: incumbent, levels done, proofs so far."""

    def __init__(
        self,
        program: Program,
        *,
        portfolio: Portfolio,
        second_prover: SecondProver | None,
        gap: Fraction,
        seed: int,
    ) -> None:
        self.program = program
        self.incumbent: Point | None = None
        self.infeasible: Tree | None = None
        self.notes: list[str] = []
        self._portfolio, self._second_prover = portfolio, second_prover
        self._gap, self._seed = gap, seed
        self._base = matrix_of(program)
        self._costs = [self._base.cost(objective) for objective in program.objectives]
        self._levels: list[_Level] = []
        self._growing: ProofTree | None = None
        self._reachable = self._base.box
        self._z3_gave_up = False

    @property
    def size(self) -> int:
        """Number of variables."""
        return len(self.program.variables)

    def value(self, level: int) -> int:
        """What the incumbent reaches at a level."""
        assert self.incumbent is not None, "no plan yet"
        return self.program.objectives[level].constant + _dot(self._costs[level], self.incumbent)

    def start(self, until: float) -> None:
        """Look for a proof that the rows alone exclude every point: one linear relaxation."""
        cost = self._costs[0] if self._costs else [0] * self.size
        self._growing = tree = ProofTree(self._base, cost, seed=self._seed)
        if tree.root(time_limit_s=until - monotonic()).empty:
            self.infeasible = tree.certificate()

    def solve_level(self, level: int, until: float) -> None:
        """Minimise one level after the earlier ones.

        The plan found is no worse at any earlier level, and what was proved of those stays valid: should it
        be better at one that kept a gap, the level rows of the later trees only get tighter.
        """
        if len(self._levels) == level:
            self._minimise(level, until)

    def solve_feasibility(self, until: float) -> None:
        """For a program without objectives: any point, or a proof that there is none."""
        assert self._growing is not None, "start comes first"
        self._search(self._growing, until)
        self._growing = None

    def _minimise(self, level: int, until: float) -> None:
        matrix, cost = self._matrix(level), self._costs[level]
        tree = self._growing
        if tree is None:
            self._growing = tree = ProofTree(matrix, cost, incumbent=self.incumbent, seed=self._seed)
            tree.root(time_limit_s=until - monotonic())
        self._search(tree, until)
        if self.incumbent is not None:
            self._levels.append(self._settled(tree))
            self._growing = None
            self._reachable = tree.reachable(self._reachable)

    def _settled(self, tree: ProofTree) -> _Level:
        """What a tree with an incumbent says of the next level."""
        level = len(self._levels)
        constant = self.program.objectives[level].constant
        assert tree.bound is not None, "a tree with an incumbent has a bound"
        return _Level(tree.bound + constant, tree.certificate(), self._also(tree))

    def _also(self, tree: ProofTree) -> tuple[str, ...]:
        """Ask the second prover, unless it gave up on an earlier, easier level."""
        if self._second_prover is None or tree.value is None or not tree.is_closed or self._z3_gave_up:
            return ()
        agrees = self._second_prover(tree.matrix.within(self._reachable), tree.cost, tree.value)
        self._z3_gave_up = not agrees
        return ("z3",) if agrees else ()

    def _search(self, tree: ProofTree, until: float) -> None:
        """Propose and prove in turns; the incumbent and proofs of emptiness are kept as they come."""
        first = max(_BURST // 10, min(_BURST, _FIRST_CELLS // max(self.size, 1)))
        start = monotonic()
        done = not self._portfolio.insists and self._grow(tree, until, first)
        for proposer in self._portfolio.proposers:
            if done:
                break
            if proposer.whole_program:
                self._polish(tree, until)
                if tree.is_within(self._gap):
                    continue
            limit = min(proposer.share * (until - start), until - monotonic())
            claim = self._ask(proposer.name, proposer.propose, tree, limit)
            done = self._grow(tree, until, _BURST)
            if claim is not Claim.NOTHING:
                break
        self._close(tree, until, done=done)
        if tree.is_empty:
            self.infeasible = tree.certificate()

    def _close(self, tree: ProofTree, until: float, *, done: bool) -> None:
        """Grow the tree in ever longer spells with a look for better plans between; little more within the gap."""
        nodes, enough = _BURST, _MOST_NODES
        while not done and tree.size < enough:
            self._polish(tree, until)
            nodes *= 2
            done = self._grow(tree, until, nodes)
            if tree.is_within(self._gap):
                enough = min(enough, tree.size + _NODES_WITHIN_GAP + _CELLS_WITHIN_GAP // max(self.size, 1))

    def _grow(self, tree: ProofTree, until: float, nodes: int) -> bool:
        """Grow the tree by some nodes; says whether there is no more to do (or no more time)."""
        size = tree.size
        finished = tree.grow(TreeLimits(until, nodes=size + nodes))
        self._keep(tree)
        return finished or tree.size < size + nodes

    def _polish(self, tree: ProofTree, until: float) -> None:
        """Look for a better plan near the most promising open box of the tree."""
        search, guess = self._portfolio.polisher, tree.best_guess()
        if search is not None and guess:
            limit = min(_POLISH_S, until - monotonic())
            self._ask("polishing", lambda task: around(task, guess, search), tree, limit)

    def _ask(self, name: str, propose: Proposer, tree: ProofTree, limit: float) -> Claim:
        self._reachable = tree.reachable(self._reachable)
        matrix = tree.matrix.within(self._reachable)
        proposal = propose(
            Task(matrix, tree.cost, tree.incumbent, limit, self._seed, self._settled_columns())
        )
        if proposal.point is not None:
            tree.offer(proposal.point)
        if proposal.hit_wall_clock:
            self._note(f"{name} stopped at its wall-clock limit; another run may differ")
        self._keep(tree)
        return proposal.claim

    def _settled_columns(self) -> tuple[int, ...]:
        """Columns of earlier objectives that speak of few columns (those not placed, say)."""
        columns: set[int] = set()
        for cost in self._costs[: len(self._levels)]:
            support = [j for j, c in enumerate(cost) if c]
            if len(support) <= self.size // 2:
                columns.update(support)
        return tuple(sorted(columns))

    def _keep(self, tree: ProofTree) -> None:
        if tree.incumbent is not None:
            self.incumbent = tree.incumbent

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    def _matrix(self, level: int) -> Matrix:
        """The rows, plus one for each earlier level at the incumbent's value."""
        matrix = self._base
        for earlier in range(level):
            matrix = matrix.with_row(level_row(self.program.objectives[earlier], self.value(earlier)))
        return matrix

    def _box_bound(self, level: int) -> int:
        constant = self.program.objectives[level].constant
        return constant + proved_bound(self._base, self._costs[level], self._base.box, NOTHING)

    def bound(self, level: int) -> int:
        """Certified lower bound of a level; the box's own bound where it was not reached."""
        return self._levels[level].bound if level < len(self._levels) else self._box_bound(level)

    def also_proved_by(self, level: int) -> tuple[str, ...]:
        """Second provers that agree on a level."""
        return self._levels[level].also_proved_by if level < len(self._levels) else ()

    def settle(self) -> None:
        """After an interruption: keep what the tree in progress found and proved."""
        if self._growing is None:
            return
        self._keep(self._growing)
        if self.incumbent is not None and self.program.objectives:
            self._second_prover = None
            self._levels.append(self._settled(self._growing))
        self._growing = None

    def proof(self) -> ComponentProof:
        """Certificate of every level for the incumbent."""
        proofs = tuple(
            LevelProof(
                objective.key,
                self.value(k),
                self.bound(k),
                self._levels[k].tree if k < len(self._levels) else BoundLeaf({}),
            )
            for k, objective in enumerate(self.program.objectives)
        )
        return ComponentProof(tuple(v.name for v in self.program.variables), proofs)


def _dot(cost: Sequence[int], point: Sequence[int]) -> int:
    return sum(c * x for c, x in zip(cost, point, strict=True))
