"""What was measured, by case and contestant, and whether all agree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from _explore_cases import OURS, RUMUR, Case
from _explore_checkers import OWN_OPTIONS


@dataclass(frozen=True)
class Result:
    """All runs of one contestant on one case.

    Args:
        runs: CPU and wall seconds, CPU by stage, memory and counts of each.
        ended: Why there is no (further) run; of those ``absent``, what is not installed.
        date: When, UTC.
    """

    case: Case
    contestant: str
    runs: Sequence[Mapping[str, Any]]
    ended: str
    absent: bool
    date: str

    def figures(self, key: str) -> list[float]:
        """``cpu``, ``wall`` or the name of a stage, of every run."""
        return [run[key] if key in run else run["stages"][key] for run in self.runs]

    def middle(self, key: str) -> float:
        """The median of them."""
        return float(median(self.figures(key)))

    @property
    def counts(self) -> tuple[int, int]:
        """States and transitions of the last run."""
        return self.runs[-1]["states"], self.runs[-1]["transitions"]

    @property
    def peak_bytes(self) -> int:
        """Resident memory of the searching process at its highest."""
        return max(int(run["peak_bytes"]) for run in self.runs)


class Results:
    """Every result, found by case and contestant."""

    def __init__(self, found: Sequence[Mapping[str, Any]]) -> None:
        self.all = [_result(each) for each in found]

    def cases(self) -> list[Case]:
        """Those measured, each once."""
        return list({each.case.key: each.case for each in self.all}.values())

    def of(self, case: Case) -> list[Result]:
        """All of a case."""
        return [each for each in self.all if each.case.key == case.key]

    def find(self, case: Case, contestant: str) -> Result | None:
        """One that has a run, and agrees with ours."""
        for each in self.of(case):
            if each.contestant == contestant and each.runs and not self.error(each):
                return each
        return None

    def quickest(self, case: Case, contestants: Sequence[str]) -> Result | None:
        """The one of several with the least CPU time."""
        found = [each for name in contestants if (each := self.find(case, name)) is not None]
        return min(found, key=lambda each: each.middle("cpu"), default=None)

    def in_group(self, group: str) -> Iterator[Case]:
        """Cases that a target is about."""
        return (case for case in self.cases() if group in case.groups)

    def error(self, result: Result) -> str:
        """How its counts differ from ours, or from what is known; empty: they do not."""
        if not result.runs:
            return ""
        for run in result.runs:
            counted = (run["states"], run["transitions"])
            expected = self._expected(result.case)
            if any(known and known != found for known, found in zip(expected, counted, strict=True)):
                return f"ERROR: {counted[0]:,} states, {counted[1]:,} transitions; expected {expected}"
        return ""

    def _expected(self, case: Case) -> tuple[int, int]:
        ours = next((e for e in self.of(case) if e.contestant == OURS and e.runs), None)
        return case.states or (ours.counts[0] if ours else 0), case.transitions or (
            ours.counts[1] if ours else 0
        )


def _result(found: Mapping[str, Any]) -> Result:
    fields = {**found["case"], "contestants": tuple(found["case"]["contestants"])}
    case = Case(**{**fields, "groups": tuple(found["case"]["groups"])})
    return Result(
        case, found["contestant"], found["runs"], found["ended"], found.get("absent", False), found["date"]
    )


def is_ours(contestant: str) -> bool:
    """Whether it is cmxverify."""
    return contestant in OWN_OPTIONS


def fair(results: Results, case: Case) -> tuple[float, float] | None:
    """CPU time of rumur's exported model over that of the one written by hand: in all, and of the run alone."""
    hand, exported = (results.find(case, name) for name in RUMUR)
    if hand is None or exported is None:
        return None
    whole, run = (exported.middle(key) / max(hand.middle(key), 1e-3) for key in ("cpu", "run"))
    return whole, run
