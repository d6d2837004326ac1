"""Properties over packed states: one quick test of a whole level, and where it fails the breaches by name."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from cmxverify.checking.exploration import Breach, BreachKind, Request
from cmxverify.checking.python.packed.code import Pair, condition_of, relation_of
from cmxverify.checking.python.packed.images import PackedSymmetry
from cmxverify.checking.python.packed.places import Places
from cmxverify.checking.python.packed.support import NARROW_BITS, RememberedTest, WideTest, grouped
from cmxverify.modeling.ir.expression import TRUE, Expr, Op, and_, not_
from cmxverify.modeling.ir.system import Property, PropertyKind, System

Test = Callable[[int], object]
Relation = Callable[[int, int], object]


def asked(system: System, request: Request, *kinds: PropertyKind) -> Iterator[tuple[int, Property]]:
    """Properties of some kinds that a request names, with their indices."""
    for index, each in enumerate(system.properties):
        if each.kind in kinds and (request.properties is None or index in request.properties):
            yield index, each


def formula(each: Property) -> Expr:
    """Conjunction of the parts."""
    return and_(*(part.holds for part in each.parts))


def _conjuncts(exprs: Iterable[Expr]) -> list[Expr]:
    whole = and_(*exprs)
    return list(whole.args) if whole.op is Op.AND else [] if whole is TRUE else [whole]


class StateProperties:
    """Invariants, obligations met in evaluating properties of states, premises and witnesses."""

    def __init__(self, system: System, request: Request, places: Places, symmetry: PackedSymmetry) -> None:
        self.symmetry = symmetry
        invariants = list(asked(system, request, PropertyKind.INVARIANT))
        reachables = list(asked(system, request, PropertyKind.REACHABLE))
        self.holds = {index: condition_of(formula(each), places) for index, each in invariants}
        self.breached = {
            (index, place): condition_of(obligation.breach, places)
            for index, each in invariants + reachables
            for place, obligation in enumerate(each.obligations)
        }
        duties = [
            not_(obligation.breach) for _, each in invariants + reachables for obligation in each.obligations
        ]
        self.tests = _tests([formula(each) for _, each in invariants] + duties, places)
        self.sought = {
            index: (places.read_by([formula(each)]), condition_of(formula(each), places))
            for index, each in reachables
        }
        self.premises = {
            (index, place): (places.read_by([part.premise]), condition_of(part.premise, places))
            for index, each in invariants
            for place, part in enumerate(each.parts)
            if part.premise is not None
        }

    def suspects(self, level: Iterable[int]) -> set[int]:
        """States in which some invariant or obligation fails."""
        found: set[int] = set()
        return found.union(*(test.failures(level) for test in self.tests))

    def breaches(self, state: int, steps: int) -> set[Breach]:
        """What fails in a state, or its orbit."""
        found = {
            Breach(BreachKind.INVARIANT, steps, property=index)
            for index, test in self.holds.items()
            if not test(state)
        }
        for image in self.symmetry.images(state):
            for (index, place), test in self.breached.items():
                if test(image):
                    found.add(Breach(BreachKind.PROPERTY_OBLIGATION, steps, property=index, obligation=place))
        return found

    def new_witnesses(self, level: Sequence[int]) -> list[int]:
        """Reachable properties that hold in the level for the first time."""
        found = [
            index for index, (mask, test) in self.sought.items() if any(map(test, _distinct(level, mask)))
        ]
        for index in found:
            del self.sought[index]
        return found

    def new_premises(self, level: Sequence[int]) -> list[tuple[int, int]]:
        """Premises that hold in the level, or its orbits, for the first time."""
        images: Sequence[int] = level
        if self.premises and not self.symmetry.trivial:
            images = [image for state in level for image in self.symmetry.images(state)]
        found = [
            part for part, (mask, test) in self.premises.items() if any(map(test, _distinct(images, mask)))
        ]
        for part in found:
            del self.premises[part]
        return found


def _distinct(states: Iterable[int], mask: int) -> set[int]:
    """The bits of a mask in each state, once."""
    return {state & mask for state in states}


def _tests(exprs: Iterable[Expr], places: Places) -> list[RememberedTest | WideTest]:
    groups, wide = grouped(_conjuncts(exprs), lambda expr: places.read_by([expr]))
    narrow = [RememberedTest(mask, [condition_of(each, places) for each in group]) for mask, group in groups]
    return [*narrow, *(WideTest(condition_of(each, places)) for each in wide)]


@dataclass(slots=True)
class RememberedRelation:
    """A condition on a transition, evaluated once for each value of the bits read on both sides."""

    before: int
    after: int
    test: Relation
    known: set[Pair] = field(default_factory=set)
    failing: set[Pair] = field(default_factory=set)

    def failures(self, pairs: Sequence[Pair]) -> set[int]:
        """States from which some transition does not satisfy the condition."""
        before, after, failing = self.before, self.after, self.failing
        fresh = {(state & before, next_ & after) for state, next_ in pairs} - self.known
        if before.bit_count() + after.bit_count() <= NARROW_BITS:
            self.known |= fresh
        failing.update(pair for pair in fresh if not self.test(*pair))
        if not failing:
            return set()
        return {state for state, next_ in pairs if (state & before, next_ & after) in failing}


class StepProperties:
    """Step properties: on each transition and on the stutter step."""

    def __init__(self, system: System, request: Request, places: Places, symmetry: PackedSymmetry) -> None:
        self.symmetry = symmetry
        steps = list(asked(system, request, PropertyKind.STEP))
        self.holds = {index: relation_of(formula(each), places) for index, each in steps}
        self.breached = {
            (index, place): relation_of(obligation.breach, places)
            for index, each in steps
            for place, obligation in enumerate(each.obligations)
        }
        duties = [not_(obligation.breach) for _, each in steps for obligation in each.obligations]
        self.tests = [
            RememberedRelation(
                places.read_by([each]), places.read_by([each], Op.NEXT), relation_of(each, places)
            )
            for each in _conjuncts([formula(each) for _, each in steps] + duties)
        ]
        self.premises = {
            (index, place): relation_of(part.premise, places)
            for index, each in steps
            for place, part in enumerate(each.parts)
            if part.premise is not None
        }

    @property
    def idle(self) -> bool:
        """Whether nothing depends on transitions any more."""
        return not self.tests and not self.premises

    def suspects(self, pairs: Sequence[Pair]) -> set[int]:
        """States from which some transition fails."""
        found: set[int] = set()
        return found.union(*(test.failures(pairs) for test in self.tests))

    def breaches(self, state: int, next_: int, steps: int) -> set[Breach]:
        """What fails on a transition, or one that is alike."""
        found = {
            Breach(BreachKind.STEP, steps, property=index)
            for index, test in self.holds.items()
            if not test(state, next_)
        }
        for pair in zip(self.symmetry.images(state), self.symmetry.images(next_), strict=True):
            for (index, place), test in self.breached.items():
                if test(*pair):
                    found.add(Breach(BreachKind.PROPERTY_OBLIGATION, steps, property=index, obligation=place))
        return found

    def new_premises(self, pairs: Sequence[Pair]) -> list[tuple[int, int]]:
        """Premises that hold on some transition, or one that is alike, for the first time."""
        images: Sequence[Pair] = pairs
        if self.premises and not self.symmetry.trivial:
            images = [pair for both in pairs for pair in zip(*map(self.symmetry.images, both), strict=True)]
        found = [part for part, test in self.premises.items() if any(test(*pair) for pair in images)]
        for part in found:
            del self.premises[part]
        return found
