"""Tables: what agrees, what differs, what was not run."""

from __future__ import annotations

import shutil
from dataclasses import dataclass, replace
from random import Random

import pytest
from random_systems import random_system

from cmxverify.checking.crosscheck.comparison import Agreement, CrossCheck, crosscheck
from cmxverify.checking.crosscheck.peer import NotRun, PeerFinding, PeerLimits
from cmxverify.checking.exploration import Ending, Exploration, Request
from cmxverify.checking.export.exporter import ExportChoices
from cmxverify.checking.python.interpret import InterpretEngine
from cmxverify.errors import InputError
from cmxverify.modeling import Model, action, step
from cmxverify.modeling.compile import system_of
from cmxverify.modeling.ir.system import System


@dataclass(frozen=True)
class Parrot:
    """A peer with a ready answer."""

    answer: PeerFinding | NotRun
    name: str = "parrot"
    counting: str = "as told"

    def search(
        self, system: System, choices: ExportChoices, limits: PeerLimits, *, depth: int
    ) -> PeerFinding | NotRun:
        return self.answer


def explored(ending: Ending) -> tuple[System, Exploration]:
    """The first random system whose search ends so."""
    for seed in range(200):
        system = random_system(Random(seed))
        found = InterpretEngine().explore(system, Request())
        if found.ending is ending and found.states > 4 and found.breach is None:
            return system, found
        if found.ending is ending is Ending.BREACHED:
            return system, found
    raise AssertionError("no such system")


def echo(system: System, found: Exploration) -> PeerFinding:
    """What a peer that agrees would say."""
    reached = {system.properties[at].name: depth is not None for at, depth in found.witnesses.items()}
    return PeerFinding(found.states, found.transitions, found.levels, reached=reached)


def compared(**changes: object) -> CrossCheck:
    system, found = explored(Ending.COMPLETE)
    answer = replace(echo(system, found), **changes)  # type: ignore[arg-type]
    return crosscheck(system, found, Request(), peer=Parrot(answer))


def different(table: CrossCheck) -> list[str]:
    return [row.quantity for row in table.rows if row.agreement is Agreement.DIFFERENT]


def test_the_same_counts_agree() -> None:
    """Exit code 0."""
    assert (compared().agrees, compared().exit_code) == (True, 0)


@pytest.mark.parametrize(
    ("changes", "rows"),
    [
        ({"states": 1}, ["states"]),
        ({"transitions": 1}, ["transitions"]),
        ({"levels": (1,)}, ["depth", "states by depth"]),
        ({"error": "invariant failed", "steps": 2}, ["verdict", "counterexample"]),
    ],
)
def test_each_difference_is_a_row_of_its_own(changes: dict[str, object], rows: list[str]) -> None:
    """And the exit code is 1."""
    table = compared(**changes)
    assert different(table) == rows
    assert table.exit_code == 1


def test_a_peer_that_finds_nothing_where_we_do_is_different() -> None:
    """A missed violation is never hidden by counts that cannot be compared."""
    system, found = explored(Ending.BREACHED)
    table = crosscheck(
        system, found, Request(), peer=Parrot(PeerFinding(found.states, found.transitions, found.levels))
    )
    assert {"verdict", "counterexample"} <= set(different(table))


def test_not_run_never_passes() -> None:
    """Exit code 3 and the reason."""
    system, found = explored(Ending.COMPLETE)
    table = crosscheck(
        system, found, Request(), peer=Parrot(NotRun("rumur is not installed (apt install rumur)"))
    )
    assert (table.agrees, table.exit_code) == (False, 3)
    assert table.text() == "parrot: not run: rumur is not installed (apt install rumur)"


def test_a_stopped_search_has_nothing_to_compare() -> None:
    """Out of time or memory: bad input, with the way out."""
    system, found = explored(Ending.COMPLETE)
    stopped = replace(found, ending=Ending.STOPPED, reason="out of time")
    with pytest.raises(InputError, match="out of time"):
        crosscheck(system, stopped, Request(), peer=Parrot(NotRun("")))


class Stuck(Model):
    """Deadlocked from the start, where the only step also breaks a step property."""

    k: bool = False

    @action
    def idles(self) -> None:
        self.k = self.k

    @step("CHANGES")
    def changes(self, old: Stuck) -> bool:
        return self.k != old.k


@pytest.mark.skipif(
    not (shutil.which("rumur") and shutil.which("cc")), reason="rumur or a C compiler is not installed"
)
def test_two_faults_of_one_state_are_no_difference() -> None:
    """We tell the deadlock of the state, rumur the step from it: one step more, and the same place."""
    system = system_of(Stuck, {})
    request = Request()

    found = crosscheck(system, InterpretEngine().explore(system, request), request)

    assert found.agrees, found.text()
