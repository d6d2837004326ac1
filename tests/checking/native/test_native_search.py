"""What is particular to the native engine: threads, limits, memory, and code that is replaced under way."""

from __future__ import annotations

import os
import signal
import threading
from dataclasses import replace
from random import Random

import pytest
from directory_by_hand import directory
from engines import comparable
from random_systems import random_system
from symmetric_systems import random_symmetric_system

from cmxverify.checking.exploration import Ending, Exploration, Progress, Request
from cmxverify.checking.native import search
from cmxverify.checking.native.engine import NativeEngine
from cmxverify.checking.python.interpret import InterpretEngine
from cmxverify.checking.symmetry import symmetry_of
from cmxverify.modeling.ir.expression import TRUE, add, integer, mod
from cmxverify.modeling.ir.system import ActionKind, Cell, Instance, System


def explored(system: System, **choices: object) -> Exploration:
    """Result of the native engine."""
    return NativeEngine().explore(system, Request(**choices))  # type: ignore[arg-type]


def counter(*, codes: int, wide: int = 0) -> System:
    """One cell that counts round and round; and some that fill words and never change."""
    cells = [Cell(0, "count", (), "count", codes)]
    cells += [Cell(1 + number, f"w{number}", (), f"w{number}", 1 << 60) for number in range(wide)]
    step = (0, mod(add(cells[0].read(), integer(1)), codes))
    return System(
        "Counter",
        tuple(cells),
        ((0,) * len(cells),),
        (Instance("tick", ActionKind.ACTION, (), TRUE, (step,)),),
        (),
    )


@pytest.mark.parametrize("threads", [1, 2, 3])
@pytest.mark.parametrize("seed", range(6))
def test_threads_change_nothing(seed: int, threads: int) -> None:
    """Any number of threads gives the oracle's answer, breaches and layers included."""
    draw = Random(100 + seed)
    for _ in range(8):
        system, request = random_system(draw, most_states=300), Request(graph_hash=True, threads=threads)
        expected = comparable(InterpretEngine().explore(system, request), system)
        assert comparable(NativeEngine().explore(system, request), system) == expected


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("seed", range(6))
def test_threads_and_symmetry(seed: int, threads: int) -> None:
    """So do reduced searches; orbits are spread over threads by their representatives."""
    draw = Random(200 + seed)
    for _ in range(5):
        system, request = (
            random_symmetric_system(draw, most_states=400),
            Request(symmetry=True, threads=threads),
        )
        expected = comparable(InterpretEngine().explore(system, request), system)
        assert comparable(NativeEngine().explore(system, request), system) == expected


def test_a_search_of_real_size_in_one_thread_and_two() -> None:
    """Tables grow, code is replaced, threads meet many times: the graph stays the same."""
    one = explored(directory(3), graph_hash=True)
    two = explored(directory(3), graph_hash=True, threads=2)
    assert (one.states, one.transitions) == (125_408, 577_554)
    assert comparable(one, directory(3)) == comparable(two, directory(3))


def test_code_is_replaced_in_the_middle_of_a_level(monkeypatch: pytest.MonkeyPatch) -> None:
    """Better code goes on where quick code stopped."""
    monkeypatch.setattr(search, "_PATIENCE", 0)
    assert explored(directory(3)).levels == explored(directory(3), threads=2).levels


@pytest.mark.parametrize("wide", [0, 1, 3, 7, 9])
def test_states_of_many_words(wide: int) -> None:
    """States of one word to ten are told apart and counted."""
    found = explored(counter(codes=5000, wide=wide), graph_hash=True)
    assert (found.ending, found.states, len(found.levels)) == (Ending.COMPLETE, 5000, 5000)


def test_bytes_a_state() -> None:
    """Everything that is held, tables and buffers included, is counted: the states alone take 8 bytes each."""
    found = explored(directory(3))
    assert 8 * found.states < found.memory_bytes < 40 * found.states


def test_the_memory_limit_stops_the_search() -> None:
    """What was covered until then is told."""
    found = explored(directory(4), memory_bytes=2 << 20)
    assert (found.ending, found.reason) == (
        Ending.STOPPED,
        "the memory limit of 2.097 MB was reached",
    )
    assert found.memory_bytes <= 2 << 20
    assert sum(found.levels) == found.states > 0


def test_the_time_limit_stops_the_search() -> None:
    """Levels that were finished are told; they say what no longer search would deny."""
    found, whole = explored(directory(4), seconds=0.2), explored(directory(3))
    assert (found.ending, "time limit" in found.reason) == (Ending.STOPPED, True)
    assert 0 < found.expanded < len(whole.levels) + 20


@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_stops_the_search(threads: int) -> None:
    """An interrupt while native code runs is heard between two slices."""
    timers: list[threading.Timer] = []

    def interrupt_soon(progress: Progress) -> None:
        if not timers:
            timers.append(threading.Timer(0.05, os.kill, (os.getpid(), signal.SIGINT)))
            timers[0].start()

    found = explored(directory(4), threads=threads, progress=interrupt_soon)
    assert (found.ending, found.reason) == (Ending.STOPPED, "interrupted")
    assert found.states > 0


def test_progress_may_stop_the_search() -> None:
    """Progress is told from the calling thread, and whoever watches may end the search."""
    seen: list[Progress] = []

    def watch(progress: Progress) -> None:
        seen.append(progress)
        raise KeyboardInterrupt

    assert explored(directory(4), progress=watch).ending is Ending.STOPPED
    assert seen[0].states >= seen[0].frontier > 0


def test_orbits_of_a_protocol_add_up_to_its_states() -> None:
    """S7: every state of the whole graph is in the orbit of exactly one representative."""
    system = directory(2)
    whole, reduced = search.Search(system, Request()), search.Search(system, Request(symmetry=True))
    counts = whole.run().states, reduced.run().states
    orbit = symmetry_of(system).orbit
    orbits = [orbit(reduced.state_at((0, index))) for index in range(counts[1])]
    assert sum(map(len, orbits)) == counts[0]
    assert frozenset().union(*orbits) == {whole.state_at((0, index)) for index in range(counts[0])}


def test_nothing_happens() -> None:
    """A system without actions has its initial states."""
    idle = replace(counter(codes=3), instances=(), initial=((0,), (2,)))
    found = explored(idle, threads=2)
    assert (found.ending, found.states, found.levels, found.fired) == (Ending.COMPLETE, 2, (2,), ())
