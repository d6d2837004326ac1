"""What is shipped, under which bounds, and what a search finds: one row a run, one row a mistake.

Tests search every row with each engine, ``crosscheck`` with Murphi. A changed number is a changed model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any


@dataclass(frozen=True, slots=True)
class Published:
    """What others have counted for the same algorithm and constants.

    Args:
        project: Repository with the count.
        states: Distinct states.
        generated: States generated, as TLC prints them: initial ones, one for each transition, and those ``beyond``.
            Of a Murphi text the rules fired: one for each transition.
        depth: As TLC prints it, with initial states at 1; None where it is not given.
        beyond: How many of ``generated`` are neither initial states nor transitions; ``why`` says what they are.
    """

    project: str
    states: int
    generated: int
    depth: int | None = None
    beyond: int = 0
    why: str = ""


@dataclass(frozen=True, slots=True)
class Run:
    """A model under bounds, and the whole graph that is found.

    Args:
        model: ``module:Class``, below ``models.classics``.
        states: Reachable states.
        transitions: Pairs of a state and an enabled action instance, those that change nothing included (L13).
        depth: Length of the longest of all shortest paths from an initial state.
        bounds: As given to the check.
        orbits: States and transitions when reduced by symmetry; None for a model without symmetric types.
        counted_in: Key of ``PUBLISHED``: the file in which others state their count.
    """

    model: str
    states: int
    transitions: int
    depth: int
    bounds: Mapping[str, int] = field(default_factory=dict)
    orbits: tuple[int, int] | None = None
    counted_in: str = ""

    @property
    def published(self) -> Published | None:
        """Counts by others, where there are any."""
        return PUBLISHED.get(self.counted_in)

    def load(self) -> type[Any]:
        """The class."""
        return _load(self.model)


@dataclass(frozen=True, slots=True)
class Mistake:
    """A model with one mistake, and what it breaks.

    Args:
        model: ``module:Class``, below ``models.classics.variants``.
        breaks: Name of the property, or DEADLOCK or RANGE.
        steps: Length of the shortest counterexample.
        bounds: As given to the check; with smaller ones the mistake may not show.
    """

    model: str
    breaks: str
    steps: int
    bounds: Mapping[str, int] = field(default_factory=dict)

    def load(self) -> type[Any]:
        """The class."""
        return _load(f"variants.{self.model}")


def _load(model: str) -> type[Any]:
    module, name = model.split(":")
    found: type[Any] = getattr(import_module(f"models.classics.{module}"), name)
    return found


TLC_EXAMPLES = "tlaplus/Examples"
CMURPHI = "melver/cmurphi"

PUBLISHED = {
    "2_peterson.m": Published(CMURPHI, 26, 52),
    "mcslock1.m": Published(CMURPHI, 159, 318),
    "Peterson.tla": Published(TLC_EXAMPLES, 42, 77, 11),
    "DiningPhilosophers.tla": Published(TLC_EXAMPLES, 67, 336, 29),
    "TCommit.tla": Published(TLC_EXAMPLES, 34, 94, 7),
    "HourClock.tla": Published(TLC_EXAMPLES, 12, 24, 1),
    "Barrier.tla": Published(TLC_EXAMPLES, 64, 194, 7),
    "SimpleAllocator.tla": Published(TLC_EXAMPLES, 400, 1_633, 6),
    "Prisoners.tla": Published(TLC_EXAMPLES, 214, 860, 14),
    "EWD840.tla": Published(
        TLC_EXAMPLES, 302, 2_001, 10, beyond=184, why="a successor for each disjunct of a guard that is true"
    ),
    "MCInternalMemory.tla": Published(TLC_EXAMPLES, 4_408, 21_400, 10),
    "MCInnerFIFO.tla": Published(
        TLC_EXAMPLES,
        3_864,
        9_660,
        11,
        beyond=1_944,
        why="states with a longer queue, made and then discarded",
    ),
}
"""By file. Those of CMurphi stand in a comment at the end of the file, those of TLC in the manifest beside it."""

MEMORY = {"processor": 2, "address": 3, "value": 2}
ALLOCATOR = {"client": 3, "resource": 2}

RUNS = (
    Run("peterson:Peterson", 26, 52, 7, counted_in="2_peterson.m"),
    Run("peterson:PetersonWithRest", 42, 76, 10, counted_in="Peterson.tla"),
    Run("dekker:Dekker", 122, 230, 23),
    Run("bakery:Bakery", 170, 275, 20, {"process": 2, "entries": 2}),
    Run("bakery:Bakery", 6_180, 14_630, 39, {"process": 3, "entries": 3}),
    Run("mcs:McsLock", 159, 318, 29, {"process": 2}, (81, 162), "mcslock1.m"),
    Run("mcs:McsLock", 7_597, 22_791, 52, {"process": 3}, (1_285, 3_855)),
    Run("dining:DiningPhilosophers", 19, 57, 16, {"philosopher": 3}),
    Run("dining:DiningPhilosophers", 67, 335, 28, {"philosopher": 5}, None, "DiningPhilosophers.tla"),
    Run("dining:DiningWithForksPickedUp", 18, 31, 4, {"philosopher": 3}),
    Run("dining:DiningWithForksPickedUp", 136, 400, 7, {"philosopher": 5}),
    Run("die_hard:DieHard", 16, 96, 7),
    Run("transaction_commit:TransactionCommit", 34, 93, 6, {"manager": 3}, (13, 36), "TCommit.tla"),
    Run("transaction_commit:TransactionCommit", 792, 4_566, 12, {"manager": 6}, (34, 189)),
    Run("two_phase:TwoPhaseCommit", 288, 1_145, 10, {"manager": 3}, (80, 317)),
    Run("two_phase:TwoPhaseCommit", 8_832, 58_145, 16, {"manager": 5}, (314, 2_047)),
    Run("hour_clock:HourClock", 12, 12, 0, counted_in="HourClock.tla"),
    Run("barrier:Barrier", 8, 13, 3, {"process": 3}, (4, 7)),
    Run("barrier:Barrier", 64, 193, 6, {"process": 6}, (7, 22), "Barrier.tla"),
    Run("simple_allocator:SimpleAllocator", 64, 198, 4, {"client": 2, "resource": 2}, (21, 70)),
    Run("simple_allocator:SimpleAllocator", 400, 1_632, 5, ALLOCATOR, (50, 225), "SimpleAllocator.tla"),
    Run("prisoners:Prisoners", 70, 210, 9, {"prisoner": 2, "tally": 5}, (46, 138)),
    Run("prisoners:Prisoners", 214, 856, 13, {"prisoner": 3, "tally": 7}, (78, 312), "Prisoners.tla"),
    Run("token_ring:TokenRing", 302, 1_625, 8, {"node": 3}, None, "EWD840.tla"),
    Run("token_ring:TokenRing", 7_742, 103_843, 14, {"node": 5}),
    Run("safra:SafraRing", 244, 592, 11, {"node": 2, "messages": 2}),
    Run("safra:SafraRing", 3_318, 9_495, 14, {"node": 3, "messages": 2}),
    Run("alternating_bit:AlternatingBit", 68, 312, 13, {"item": 2, "capacity": 1}, (36, 164)),
    Run("alternating_bit:AlternatingBit", 472, 2_572, 17, {"item": 2, "capacity": 3}, (240, 1_304)),
    Run("internal_memory:InternalMemory", 4_408, 21_392, 9, MEMORY, (524, 3_016), "MCInternalMemory.tla"),
    Run("fifo:InnerFifo", 344, 648, 8, {"message": 2, "length": 2}, (172, 324)),
    Run("fifo:InnerFifo", 3_864, 7_680, 10, {"message": 3, "length": 3}, (676, 1_368), "MCInnerFIFO.tla"),
    Run("bounded_buffer:BoundedBuffer", 6, 13, 3, {"producer": 2, "consumer": 1, "capacity": 1}, (5, 11)),
    Run("bounded_buffer:BoundedBuffer", 13, 49, 5, {"producer": 3, "consumer": 2, "capacity": 2}, (8, 31)),
    Run("paxos:Paxos", 145, 608, 12, {"acceptor": 2, "value": 2, "ballot": 2}, (56, 237)),
    Run("lease:Lease", 216, 778, 18, {"node": 2, "lease": 2}, (120, 434)),
    Run("lease:Lease", 1_998, 10_638, 26, {"node": 3, "lease": 2}, (440, 2_365)),
    Run("german:German", 3_390, 9_912, 18, {"node": 2}, (1_704, 4_982)),
    Run("german:German", 58_104, 235_872, 26, {"node": 3}, (10_470, 42_578)),
    Run("directory:Directory", 5_078, 15_988, 26, {"node": 2}, (2_558, 8_068)),
    Run("directory:Directory", 125_408, 577_554, 35, {"node": 3}, (22_124, 102_152)),
)
"""Correct models: every property holds, every ``@reachable`` has a witness, nothing deadlocks."""

LARGE_RUNS = (
    Run("paxos:Paxos", 3_921, 23_702, 16, {"acceptor": 3, "value": 2, "ballot": 2}, (443, 2_733)),
    Run("mcs:McsLock", 554_221, 2_216_884, 75, {"process": 4}, (23_636, 94_544)),
    Run("german:German", 1_105_434, 5_922_288, 34, {"node": 4}, (56_176, 301_168)),
    Run("directory:Directory", 4_031_402, 25_029_288, 44, {"node": 4}, (190_206, 1_182_596)),
)
"""The same, for the deeper profile: too large for engines in plain Python, or slow to compile."""

MISTAKES = (
    Mistake("peterson:PetersonTurnFirst", "MUTUAL-EXCLUSION", 6),
    Mistake("dekker:DekkerTurnAdmits", "MUTUAL-EXCLUSION", 7),
    Mistake("bakery:BakeryWithoutDoorway", "MUTUAL-EXCLUSION", 18, {"process": 2, "entries": 2}),
    Mistake("mcs:McsLinksFirst", "DEADLOCK", 16, {"process": 2}),
    Mistake("mcs:McsForgetsToLock", "MUTUAL-EXCLUSION", 9, {"process": 2}),
    Mistake("dining:DiningGrabbed", "NEIGHBOURS-DO-NOT-EAT-TOGETHER", 2, {"philosopher": 3}),
    Mistake("dining:DiningAllLeftFirst", "DEADLOCK", 3, {"philosopher": 3}),
    Mistake("die_hard:DieHardNeverFour", "NEVER-FOUR", 6),
    Mistake("die_hard:DieHardSpills", "RANGE", 2),
    Mistake("transaction_commit:TransactionCommitBlindAbort", "CONSISTENT", 4, {"manager": 2}),
    Mistake("two_phase:TwoPhaseFirstPromise", "CONSISTENT", 5, {"manager": 2}),
    Mistake("hour_clock:HourClockThirteen", "RANGE", 1),
    Mistake("barrier:BarrierOpensEarly", "NOBODY-PASSES-ALONE", 2, {"process": 2}),
    Mistake("simple_allocator:AllocatorForgetsHolders", "RESOURCE-MUTEX", 4, {"client": 2, "resource": 1}),
    Mistake("prisoners:PrisonersCountOnce", "ALL-WERE-INSIDE", 3, {"prisoner": 2, "tally": 5}),
    Mistake("token_ring:TokenRingUnstained", "INDUCTIVE", 3, {"node": 3}),
    Mistake("token_ring:TokenRingUnstained", "TERMINATED-WHEN-DETECTED", 5, {"node": 3}),
    Mistake("safra:SafraUnstained", "TERMINATED-WHEN-DETECTED", 8, {"node": 2, "messages": 2}),
    Mistake("safra:SafraUncounted", "TERMINATED-WHEN-DETECTED", 5, {"node": 2, "messages": 1}),
    Mistake(
        "bounded_buffer:BufferWakesOwnKind", "SOMEBODY-RUNS", 4, {"producer": 1, "consumer": 1, "capacity": 1}
    ),
    Mistake("paxos:PaxosDeafLeader", "AGREEMENT", 12, {"acceptor": 2, "value": 2, "ballot": 2}),
    Mistake("paxos:PaxosBrokenPromise", "AGREEMENT", 12, {"acceptor": 2, "value": 2, "ballot": 2}),
    Mistake("german:GermanHastyGrant", "COHERENCE", 8, {"node": 2}),
    Mistake("german:GermanLosesData", "FRESH-MEMORY", 9, {"node": 2}),
    Mistake("directory:DirectoryHastyGrant", "SINGLE-WRITER", 9, {"node": 2}),
    Mistake("directory:DirectoryForgetsAwaited", "SINGLE-WRITER", 18, {"node": 2}),
    Mistake("lease:LeaseAcceptsAnyGrant", "HELD-IS-LEASED", 5, {"node": 1, "lease": 1}),
    Mistake("lease:LeaseAcceptsAnyGrant", "PIN-SAFE", 6, {"node": 1, "lease": 1}),
    Mistake("lease:LeaseForgetfulCrash", "PIN-SAFE", 7, {"node": 1, "lease": 1}),
    Mistake("alternating_bit:AlternatingBitAcceptsAll", "AT-MOST-ONCE", 5, {"item": 1, "capacity": 1}),
    Mistake(
        "alternating_bit:AlternatingBitAnyAck", "ACKNOWLEDGED-IS-DELIVERED", 3, {"item": 1, "capacity": 1}
    ),
    Mistake(
        "internal_memory:MemoryWritesEarly",
        "WRITTEN-ON-REQUEST",
        1,
        {"processor": 1, "address": 1, "value": 2},
    ),
    Mistake("fifo:FifoImpatient", "VALUE-KEPT", 2, {"message": 2, "length": 1}),
)
"""Broken models: each row names one property and the length of its shortest counterexample."""
