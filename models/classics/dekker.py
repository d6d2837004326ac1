"""Dekker's algorithm: the first correct mutual exclusion of two processes by reads and writes alone.

Source: E. W. Dijkstra, "Cooperating sequential processes", EWD 123, 1965, where it is credited to Th. J.
Dekker.

Left out: weak memory. Each read and write of a shared variable is one atomic step.
"""

from __future__ import annotations

from enum import Enum

from cmxverify.modeling import Map, Model, Range, action, invariant, reachable, require

Process = Range(0, 1)


class At(Enum):
    """What a process does next."""

    REST = "rest"
    RAISE_FLAG = "raise flag"
    LOOK_AT_FLAG = "look at the other's flag"
    LOOK_AT_TURN = "look at the turn"
    STEP_BACK = "step back"
    AWAIT_TURN = "await turn"
    CRITICAL = "critical"
    PASS_TURN = "pass the turn"
    LOWER_FLAG = "lower flag"


class Dekker(Model):
    """Two processes; who has not the turn steps back while both want to enter."""

    at: Map[Process, At]
    flag: Map[Process, bool]
    turn: Process = 0

    @action
    def starts(self, p: Process) -> None:
        """Want to enter."""
        require(self.at[p] == At.REST)
        self.at[p] = At.RAISE_FLAG

    @action
    def raises_flag(self, p: Process) -> None:
        """Say that one wants to enter."""
        require(self.at[p] == At.RAISE_FLAG)
        self.flag[p] = True
        self.at[p] = At.LOOK_AT_FLAG

    @action
    def looks_at_flag(self, p: Process) -> None:
        """Enter if the other does not want to."""
        require(self.at[p] == At.LOOK_AT_FLAG)
        self.at[p] = At.LOOK_AT_TURN if self.flag[1 - p] else At.CRITICAL

    @action
    def looks_at_turn(self, p: Process) -> None:
        """Both want to: who has the turn insists, the other steps back."""
        require(self.at[p] == At.LOOK_AT_TURN)
        self.at[p] = At.LOOK_AT_FLAG if self.turn == p else At.STEP_BACK

    @action
    def steps_back(self, p: Process) -> None:
        """Let the other in."""
        require(self.at[p] == At.STEP_BACK)
        self.flag[p] = False
        self.at[p] = At.AWAIT_TURN

    @action
    def awaits_turn(self, p: Process) -> None:
        """Compete again once the other has been inside."""
        require(self.at[p] == At.AWAIT_TURN and self.turn == p)
        self.at[p] = At.RAISE_FLAG

    @action
    def works(self, p: Process) -> None:
        """Do what needs the lock."""
        require(self.at[p] == At.CRITICAL)
        self.at[p] = At.PASS_TURN

    @action
    def passes_turn(self, p: Process) -> None:
        """Give the other precedence."""
        require(self.at[p] == At.PASS_TURN)
        self.turn = 1 - p
        self.at[p] = At.LOWER_FLAG

    @action
    def lowers_flag(self, p: Process) -> None:
        """Let the other in."""
        require(self.at[p] == At.LOWER_FLAG)
        self.flag[p] = False
        self.at[p] = At.REST

    @invariant("MUTUAL-EXCLUSION")
    def one_at_most_is_inside(self) -> bool:
        """The two are never in their critical sections together."""
        return not all(self.at[p] == At.CRITICAL for p in Process)

    @reachable("ONE-STEPS-BACK")
    def one_steps_back(self) -> bool:
        """They may collide; then the turn decides."""
        return any(self.at[p] == At.AWAIT_TURN for p in Process)

    @reachable("SECOND-ENTERS")
    def the_second_enters(self) -> bool:
        """Neither process is shut out."""
        return self.at[1] == At.CRITICAL
