"""Refinement of a simpler model (L26): what holds, what is found, and by the same source in every engine."""

from __future__ import annotations

from enum import Enum

import pytest

from cmxverify.checking.agreement import property_disagreements, random_states
from cmxverify.checking.check import Choices, check
from cmxverify.checking.verdict import Verified, Violated
from cmxverify.errors import InputError
from cmxverify.modeling import Bound, Index, Map, Model, Range, Set, action, fault, refines, require
from cmxverify.modeling.compile import compiled

Key = Index("key")
ENGINES = ("explore", "packed", "numpy", "interpret")


class Slot(Enum):
    """State of a slot."""

    EMPTY = 0
    WRITING = 1
    DONE = 2


class AtomicCache(Model):
    """What a cache is, as seen from outside."""

    avail: Set[Key]

    @action
    def put(self, k: Key) -> None:
        self.avail.add(k)

    @action
    def lose(self, k: Key) -> None:
        require(k in self.avail)
        self.avail.discard(k)


class TwoStep(Model):
    """A cache that is written in two steps."""

    slot: Map[Key, Slot] = Slot.EMPTY

    @action
    def starts(self, k: Key) -> None:
        require(self.slot[k] == Slot.EMPTY)
        self.slot[k] = Slot.WRITING

    @action
    def ends(self, k: Key) -> None:
        require(self.slot[k] == Slot.WRITING)
        self.slot[k] = Slot.DONE

    @action
    def evicts(self, k: Key) -> None:
        require(self.slot[k] == Slot.DONE)
        self.slot[k] = Slot.EMPTY

    @refines(AtomicCache)
    def as_atomic(self, spec: AtomicCache) -> None:
        spec.avail = {k for k in Key if self.slot[k] == Slot.DONE}


class ClearsAll(TwoStep):
    """Evicting one key drops all: two keys vanish in one step, which no step of the specification does."""

    @action
    def evicts(self, k: Key) -> None:
        require(self.slot[k] == Slot.DONE)
        for j in Key:
            self.slot[j] = Slot.EMPTY


class SeenTooEarly(TwoStep):
    """The mapping shows everything as available from the start, where the specification starts empty."""

    @refines(AtomicCache)
    def as_atomic(self, spec: AtomicCache) -> None:
        spec.avail = {k for k in Key if self.slot[k] != Slot.WRITING}


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("symmetry", [True, False])
def test_l26_a_refinement_holds_in_every_engine(engine: str, symmetry: bool) -> None:
    """Each step of the two-step cache is a step of the atomic one or a stutter."""
    verdict = check(TwoStep, {"key": 3}, Choices(engine=engine, symmetry=symmetry))

    assert isinstance(verdict, Verified)
    assert verdict.report.checked() == ("REFINES AtomicCache AT FIRST", "REFINES AtomicCache")


@pytest.mark.parametrize("engine", ENGINES)
def test_l26_a_step_that_the_specification_lacks_is_found(engine: str) -> None:
    """Two keys must be written, which takes four steps, before dropping both is no step of the specification."""
    verdict = check(ClearsAll, {"key": 3}, Choices(engine=engine))

    assert isinstance(verdict, Violated)
    assert verdict.trace is not None
    assert (verdict.trace.violated, len(verdict.trace.steps)) == ("REFINES AtomicCache", 5)


@pytest.mark.parametrize("engine", ENGINES)
def test_l26_a_wrong_start_is_found_in_no_steps(engine: str) -> None:
    """An initial state must stand for an initial state of the specification."""
    verdict = check(SeenTooEarly, {"key": 2}, Choices(engine=engine))

    assert isinstance(verdict, Violated)
    assert verdict.trace is not None
    assert (verdict.trace.violated, len(verdict.trace.steps)) == ("REFINES AtomicCache AT FIRST", 0)


@pytest.mark.parametrize("model", [TwoStep, ClearsAll, SeenTooEarly])
def test_source_and_representation_judge_refinement_alike(model: type[Model]) -> None:
    """On arbitrary pairs of states, steps of the model or not."""
    made = compiled(model, {"key": 2})

    assert list(property_disagreements(made, random_states(made, 200, seed=7))) == []


class Budgeted(Model):
    """A specification whose hidden count nobody could map."""

    up: bool

    @fault(budget=1)
    def rises(self) -> None:
        self.up = True


class Counter(Model):
    """A specification with a bound of its own."""

    n: Range(0, Bound("top"))

    @action
    def counts(self) -> None:
        require(self.n < 2)
        self.n += 1


class MapsToBudget(Model):
    """Refines what it cannot."""

    up: bool

    @action
    def rises(self) -> None:
        self.up = True

    @refines(Budgeted)
    def as_budgeted(self, spec: Budgeted) -> None:
        spec.up = self.up


class WritesItself(TwoStep):
    """The mapping changes its own model."""

    @refines(AtomicCache)
    def as_atomic(self, spec: AtomicCache) -> None:
        for k in Key:
            self.slot[k] = Slot.EMPTY
        spec.avail = frozenset()


class MapsToCounter(Model):
    """Needs the bound of its specification, too."""

    n: Range(0, 2)

    @action
    def counts(self) -> None:
        require(self.n < 2)
        self.n += 1

    @refines(Counter)
    def as_counter(self, spec: Counter) -> None:
        spec.n = self.n


@pytest.mark.parametrize(
    ("model", "bounds", "what"),
    [
        (MapsToBudget, {}, "as_budgeted refines a model whose rises has a budget"),
        (WritesItself, {"key": 2}, "as_atomic changes 'slot' of its own model"),
        (MapsToCounter, {}, "MapsToCounter needs the bound top"),
    ],
)
def test_what_cannot_be_mapped_is_refused(model: type[Model], bounds: dict[str, int], what: str) -> None:
    """One message with its place."""
    with pytest.raises(InputError) as refused:
        compiled(model, bounds)

    assert refused.value.what == what
    assert refused.value.at is not None


class OutOfRange(Model):
    """Stands for numbers that the specification does not have, and changes nothing more once it is there."""

    n: Range(0, 3)

    @action
    def jumps(self) -> None:
        self.n = 3

    @refines(Counter)
    def as_counter(self, spec: Counter) -> None:
        spec.n = self.n


@pytest.mark.parametrize("engine", ENGINES)
def test_duties_of_a_mapping_belong_to_each_of_its_properties(engine: str) -> None:
    """Whichever is checked alone, a state that stands for no abstract state is a breach of RANGE."""
    for name in ("REFINES Counter", "REFINES Counter AT FIRST"):
        choices = Choices(engine=engine, properties=(name,), deadlock=False)
        verdict = check(OutOfRange, {"top": 2}, choices)
        assert isinstance(verdict, Violated)
        assert verdict.trace is not None
        assert "RANGE" in verdict.trace.reason


def test_bounds_of_the_specification_are_given_with_those_of_the_model() -> None:
    """``top`` is a bound of the specification alone."""
    assert isinstance(check(MapsToCounter, {"top": 2}, Choices(deadlock=False)), Verified)
