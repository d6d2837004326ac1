"""Random walks through a system too large to search: fast, seeded, and every breach comes with its trace."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from random import Random

from cmxverify.checking.exploration import Breach, BreachKind, Request
from cmxverify.checking.findings import Findings, is_full_channel
from cmxverify.checking.least_trace import Path
from cmxverify.checking.python.packed.code import DISABLED, FAULTY, condition_of, step_of
from cmxverify.checking.python.packed.images import PackedSymmetry
from cmxverify.checking.python.packed.places import Places, places_of
from cmxverify.checking.python.packed.properties import StateProperties, StepProperties
from cmxverify.checking.python.packed.support import NARROW_BITS, grouped
from cmxverify.checking.symmetry import symmetry_of
from cmxverify.modeling.ir.expression import FALSE
from cmxverify.modeling.ir.system import ActionKind, System

Option = tuple[int, int]
"""An instance that changes the state, and the bits that it flips."""


@dataclass(frozen=True, slots=True)
class Walked:
    """What some walks met.

    Args:
        steps: Taken in all.
        walks: Begun.
        taken: Per instance, how often it was taken.
        full_channels: Walks given up before a full channel (BOUND).
        breach: The first breach met; ``steps`` of it is the length of the walk, which need not be the shortest.
        path: The walk to the breach.
        seconds: How long it took.
    """

    steps: int
    walks: int
    taken: tuple[int, ...]
    full_channels: int = 0
    breach: Breach | None = None
    path: Path | None = None
    seconds: float = 0.0


def random_walks(system: System, request: Request, *, seed: int, steps: int, longest: int = 1000) -> Walked:
    """Walk from random initial states until a breach, or for so many steps in all.

    At each state one of the instances that change it is taken, all with the same probability. A walk ends where there
    is none, before a full channel, or after ``longest`` steps; then the next one begins. The same seed gives the same
    walks. Of the request count ``properties``, ``deadlock``, ``seconds`` and ``progress`` is not called.
    """
    return _Walker(system, request, Random(seed), longest).walk(steps)


@dataclass(slots=True)
class _Choices:
    """Instances and the bits that they touch; where these are few, what they do is worked out once for each value."""

    mask: int
    remembered: bool
    steps: Sequence[tuple[int, bool, Callable[[int], int]]]
    known: dict[int, tuple[tuple[Option, ...], bool, bool]] = field(default_factory=dict)

    def learn(self, bits: int) -> tuple[tuple[Option, ...], bool, bool]:
        """What changes the state, whether an ACTION makes progress, and whether an obligation is breached."""
        options, busy, faulty = [], False, False
        for number, is_action, step in self.steps:
            after = step(bits)
            if after == FAULTY:
                faulty = True
            elif after not in (DISABLED, bits):
                options.append((number, after ^ bits))
            else:
                continue
            busy |= is_action
        found = (tuple(options), busy, faulty)
        if self.remembered:
            self.known[bits] = found
        return found


def _choices_of(system: System, places: Places) -> list[_Choices]:
    groups, wide = grouped(enumerate(system.instances), lambda pair: places.touched_by(pair[1]))
    together = [(mask, True, group) for mask, group in groups]
    if wide:
        together.append(((1 << 64 * places.words) - 1, False, wide))
    return [
        _Choices(
            mask,
            remembered,
            [(number, each.kind is ActionKind.ACTION, step_of(each, places)) for number, each in group],
        )
        for mask, remembered, group in together
    ]


@dataclass(slots=True)
class _Walk:
    """One walk so far, in packed states."""

    start: int
    states: list[int]
    instances: list[int] = field(default_factory=list)


class _Walker:
    def __init__(self, system: System, request: Request, draw: Random, longest: int) -> None:
        self.system, self.request, self.draw, self.longest = system, request, draw, longest
        self.places = places = places_of(system.cells)
        apart = PackedSymmetry(symmetry_of(system, ()), places)
        self.initial = [places.pack(state) for state in system.initial]
        self.choices = _choices_of(system, places)
        self.on_states = StateProperties(system, request, places, apart)
        self.on_steps = StepProperties(system, request, places, apart)
        self.duties = {
            (number, place): condition_of(each.breach, places)
            for number, instance in enumerate(system.instances)
            for place, each in enumerate(instance.obligations)
        }
        self.quiescent = condition_of(system.quiescent or FALSE, places)
        everything = (1 << 64 * places.words) - 1
        self.tests = [(getattr(test, "mask", everything), set[int](), test) for test in self.on_states.tests]
        self.taken = [0] * len(system.instances)
        self.walks = self.full_channels = 0
        self.breach: Breach | None = None
        self.path: Path | None = None

    def walk(self, steps: int) -> Walked:
        """Walks, until enough was walked or something is breached."""
        began, left = time.monotonic(), steps
        seconds = self.request.seconds
        while left > 0 and self.breach is None and (seconds is None or time.monotonic() - began < seconds):
            self.walks += 1
            start = int(self.draw.random() * len(self.initial))
            walk = _Walk(start, [self.initial[start]])
            self.go(walk, min(left, self.longest))
            left -= max(1, len(walk.states) - 1)  # a walk that cannot begin counts too, so that this ends
            for number in walk.instances:
                self.taken[number] += 1
        return Walked(
            steps=sum(self.taken),
            walks=self.walks,
            taken=tuple(self.taken),
            full_channels=self.full_channels,
            breach=self.breach,
            path=self.path,
            seconds=time.monotonic() - began,
        )

    def go(self, walk: _Walk, steps: int) -> None:
        """One walk, to its end."""
        random, watched, state = self.draw.random, bool(self.on_steps.tests), walk.states[0]
        for left in range(steps, -1, -1):
            if self.breaks(walk, state) or (watched and self.breaks_between(walk, state, state)):
                return
            options, busy, faulty = self.options(state)
            if (faulty and self.breaks_duty(walk, state)) or (not busy and self.is_stuck(walk, state)):
                return
            if not options or not left:
                return
            number, flip = options[int(random() * len(options))]
            walk.instances.append(number)
            walk.states.append(state ^ flip)
            if watched and self.breaks_between(walk, state, state ^ flip):
                return
            state ^= flip

    def options(self, state: int) -> tuple[list[Option], bool, bool]:
        """What changes a state, whether an ACTION makes progress, and whether an obligation is breached."""
        options: list[Option] = []
        busy = faulty = False
        for each in self.choices:
            bits = state & each.mask
            found = each.known.get(bits) or each.learn(bits)
            options += found[0]
            busy |= found[1]
            faulty |= found[2]
        return options, busy, faulty

    # What ends a walk

    def breaks(self, walk: _Walk, state: int) -> bool:
        """Whether a property of states fails, or an obligation met in evaluating one."""
        for mask, passed, test in self.tests:
            if state & mask not in passed:
                if test.failures((state,)):
                    return self.end(walk, self.on_states.breaches(state, len(walk.instances)))
                if mask.bit_count() <= NARROW_BITS:
                    passed.add(state & mask)
        return False

    def breaks_between(self, walk: _Walk, state: int, after: int) -> bool:
        """Whether a step property fails on the last step, or on the stutter step."""
        if not self.on_steps.suspects([(state, after)]):
            return False
        stutters = state == after
        return self.end(
            walk, self.on_steps.breaches(state, after, len(walk.instances) + stutters), stutters=stutters
        )

    def breaks_duty(self, walk: _Walk, state: int) -> bool:
        """Whether an instance breaches an obligation here; a full channel only ends the walk."""
        steps = len(walk.instances) + 1
        breached = [place for place, condition in self.duties.items() if condition(state)]
        return self.end(
            walk,
            [Breach(BreachKind.OBLIGATION, steps, instance=each, obligation=duty) for each, duty in breached],
        )

    def is_stuck(self, walk: _Walk, state: int) -> bool:
        """Whether no action makes progress though some step is due (L25)."""
        if not self.request.deadlock or self.system.quiescent is None or self.quiescent(state):
            return False
        return self.end(walk, {Breach(BreachKind.DEADLOCK, len(walk.instances))})

    def end(self, walk: _Walk, breaches: Iterable[Breach], *, stutters: bool = False) -> bool:
        """End with the first of some breaches, or before a full channel; true."""
        findings: Findings[int] = Findings(self.system)
        for each in breaches:
            findings.add(each, walk.states[-1])
        first = findings.first()
        assert first is not None, "what is suspected is breached"
        breach = first[0]
        if is_full_channel(self.system, breach):
            self.full_channels += 1
            return True
        attempted = (breach.instance,) if breach.kind is BreachKind.OBLIGATION else ()
        states = tuple(map(self.places.unpack, walk.states))
        self.breach = breach
        self.path = Path(walk.start, (*walk.instances, *attempted), states, stutters)
        return True
