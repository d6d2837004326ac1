"""Answers of a check. Each is a type of its own, and "not finished" never looks like "holds"."""

from __future__ import annotations

from dataclasses import dataclass

from cmxverify.checking.exploration import Ending, Exploration
from cmxverify.checking.trace import Trace
from cmxverify.modeling.compile import Compiled
from cmxverify.modeling.ir.system import System


@dataclass(frozen=True, slots=True)
class Run:
    """One search and the properties it was about (indices into the system's)."""

    properties: tuple[int, ...]
    exploration: Exploration


@dataclass(frozen=True, slots=True)
class Report:
    """What every verdict knows.

    Args:
        reference: Words that name the model.
        compiled: The model under its bounds.
        runs: The searches, the main one first; a property that is not symmetric has one of its own.
        seconds: From start to verdict, compilation included.
    """

    reference: str
    compiled: Compiled
    runs: tuple[Run, ...]
    seconds: float

    @property
    def system(self) -> System:
        """What was searched."""
        return self.compiled.system

    @property
    def main(self) -> Exploration:
        """The main search."""
        return self.runs[0].exploration

    @property
    def is_complete(self) -> bool:
        """Whether every reachable state was seen: only then it means something that a thing never happened."""
        return all(run.exploration.ending is Ending.COMPLETE for run in self.runs)

    def never_enabled(self) -> tuple[str, ...]:
        """Actions none of whose instances was ever enabled, in source order; meaningful after a complete search."""
        fired = self.fired()
        return tuple(name for name, (times, _) in fired.items() if not times)

    def only_idle(self) -> tuple[str, ...]:
        """Actions that were enabled but never changed a state (L12)."""
        return tuple(name for name, (times, changed) in self.fired().items() if times and not changed)

    def fired(self) -> dict[str, tuple[int, int]]:
        """Per action: transitions, and those that changed the state."""
        found: dict[str, tuple[int, int]] = {}
        for index, instance in enumerate(self.system.instances):
            times, changed = found.get(instance.action, (0, 0))
            here = self.main.fired[index], self.main.changed[index]
            found[instance.action] = (times + here[0], changed + here[1])
        return found

    def vacuous(self) -> tuple[str, ...]:
        """Conjuncts whose premise was never true: ``NAME: text``; one line a text, whatever the instance."""
        found: dict[str, bool] = {}
        for run in self.runs:
            for index in run.properties:
                each = self.system.properties[index]
                for position, part in enumerate(each.parts):
                    if part.premise is not None:
                        text = f"{each.name}: {part.text.partition('  [')[0]}"
                        seen = (index, position) in run.exploration.premises
                        found[text] = found.get(text, False) or seen
        return tuple(text for text, seen in found.items() if not seen)

    def witnesses(self) -> dict[str, int | None]:
        """Depth of the first witness of each REACHABLE property checked."""
        return {
            self.system.properties[index].name: depth
            for run in self.runs
            for index, depth in run.exploration.witnesses.items()
        }

    def checked(self) -> tuple[str, ...]:
        """Names of the properties checked, in source order."""
        return tuple(self.system.properties[index].name for run in self.runs for index in run.properties)


@dataclass(frozen=True, slots=True)
class Verified:
    """Every property holds in every reachable state within the bounds; each REACHABLE one has a witness."""

    report: Report


@dataclass(frozen=True, slots=True)
class Violated:
    """Something fails: with a shortest trace, or, for a REACHABLE property, because no state is a witness."""

    report: Report
    trace: Trace | None
    unreachable: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Incomplete:
    """Stopped early: says nothing beyond ``depth`` steps, and nothing at all where that is -1.

    ``trace`` leads to the full channel, if one is the reason.
    """

    report: Report
    reason: str
    depth: int
    trace: Trace | None = None


Verdict = Verified | Violated | Incomplete
