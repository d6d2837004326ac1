"""What was asked of the search, what was measured, and whether it is met; nothing absent is counted as beaten."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from _explore_cases import OURS, PACKED, RUMUR, SPIN, TLC, TWO_THREADS, Case
from _explore_results import Result, Results, fair

_FAIR_RATIO = 1.3
_LEAST_S = 0.3
"""A run phase below this tells nothing about an export: it is the start of a process."""


@dataclass(frozen=True)
class Target:
    """One line of the table; ``met`` is None where it could not be measured."""

    asked: str
    measured: str
    met: bool | None


def targets(results: Results, *, base_peak_bytes: int, base_python_cpu: float) -> list[Target]:
    """All of them, in the order they were asked; ``base``: what ours takes for a search of next to nothing."""
    return [
        *_ratios(results, "unreduced", (("rumur", RUMUR, 40), ("SPIN", SPIN, 12), ("TLC", TLC, 100))),
        *_ratios(results, "symmetric", (("rumur", RUMUR, 40),)),
        *_ratios(results, "small", (("rumur", RUMUR, 15),)),
        *_verdict_in_time(results),
        *_memory(results, base_peak_bytes),
        *_threads(results),
        *_large(results),
        *_fallback(results, base_python_cpu),
        *_fairness(results),
    ]


def _ratios(
    results: Results, group: str, rivals: Sequence[tuple[str, Sequence[str], int]]
) -> Iterator[Target]:
    for case in results.in_group(group):
        for name, contestants, least in rivals:
            asked = f"{least}x {name} on {case.title}"
            ours, theirs = results.find(case, OURS), results.quickest(case, contestants)
            if ours is None or theirs is None:
                yield Target(asked, _why_not(results, case, (OURS, *contestants)), None)
                continue
            ratio = theirs.middle("cpu") / ours.middle("cpu")
            wall = theirs.middle("wall") / ours.middle("wall")
            parts = " + ".join(f"{theirs.middle(stage):.2f}" for stage in theirs.runs[-1]["stages"])
            text = f"{ratio:.1f}x CPU, {wall:.1f}x wall: {ours.middle('cpu'):.2f} s against {parts} s"
            yield Target(asked, f"{text} ({theirs.contestant})", ratio >= least)


def _why_not(results: Results, case: Case, contestants: Sequence[str]) -> str:
    for each in results.of(case):
        if each.contestant in contestants and (reason := results.error(each) or each.ended):
            return f"{each.contestant}: {reason}"
    return "not measured"


def _verdict_in_time(results: Results) -> Iterator[Target]:
    for case in results.in_group("small"):
        ours = results.find(case, OURS)
        asked = f"0.3 s from process start to verdict on {case.title}"
        if ours is None:
            yield Target(asked, "not measured", None)
            continue
        text = f"{ours.middle('cpu'):.2f} s CPU, {min(ours.figures('wall')):.2f} s wall at the least"
        yield Target(asked, text, ours.middle("cpu") <= 0.3)


def _memory(results: Results, base_peak_bytes: int) -> Iterator[Target]:
    for group, words, most in (("unreduced", "one word", 14), ("large", "two words", 24)):
        for case in results.in_group(group):
            asked = f"{most} bytes a state of {words}, {case.key}"
            ours = results.find(case, OURS)
            if ours is None:
                yield Target(asked, "not measured", None)
                continue
            states = ours.counts[0]
            held = ours.runs[-1]["memory_bytes"] / states
            resident = (ours.peak_bytes - base_peak_bytes) / states
            text = (
                f"{held:.1f} held by the search (states, queue, table); {resident:.1f} of resident memory above "
                f"the {base_peak_bytes / 1e6:.0f} MB of a search of next to nothing"
            )
            yield Target(asked, text, max(held, resident) <= most)


def _threads(results: Results) -> Iterator[Target]:
    """Wall clock is what threads are for; its least over the runs is what other work on the machine spoils least."""
    for case in results.in_group("threads"):
        one, two = results.find(case, OURS), results.find(case, TWO_THREADS)
        asked = f"two threads 1.85x one with identical results, {case.key}"
        if one is None or two is None:
            yield Target(asked, _why_not(results, case, (OURS, TWO_THREADS)), None)
            continue
        ratio = min(one.figures("wall")) / min(two.figures("wall"))
        same = all(run["said"] == one.runs[0]["said"] for run in (*one.runs, *two.runs))
        text = (
            f"{ratio:.2f}x wall (least of {len(two.runs)} runs), CPU {two.middle('cpu') / one.middle('cpu'):.2f}x; "
            f"{'identical' if same else 'DIFFERENT'} results"
        )
        yield Target(asked, text, same and ratio >= 1.85)


def _large(results: Results) -> Iterator[Target]:
    for case in results.in_group("large"):
        ours = results.find(case, OURS)
        asked = "85 million two-word states within 24 GiB and about a minute of CPU"
        if ours is None:
            yield Target(asked, _why_not(results, case, (OURS,)), None)
            continue
        states, gib = ours.counts[0], ours.peak_bytes / 2**30
        scaled = ours.middle("cpu") * 85e6 / states
        text = (
            f"{states:,} states in {ours.middle('cpu'):.0f} s CPU and {gib:.1f} GiB ({case.key}): "
            f"{scaled:.0f} s for 85 million"
        )
        yield Target(asked, text, gib <= 24 and scaled <= 66)


def _fallback(results: Results, base_cpu: float) -> Iterator[Target]:
    for case in results.in_group("fallback"):
        ours, theirs = results.find(case, PACKED), results.quickest(case, RUMUR)
        asked = f"pure Python at least as fast as rumur's run phase, {case.key}"
        if ours is None or theirs is None:
            yield Target(asked, _why_not(results, case, (PACKED, *RUMUR)), None)
            continue
        running = ours.middle("cpu") - base_cpu
        text = (
            f"{running:.2f} s after a start of {base_cpu:.2f} s, against {theirs.middle('run'):.2f} s "
            f"after {theirs.middle('cpu') - theirs.middle('run'):.2f} s of generating and compiling"
        )
        yield Target(asked, text, running <= theirs.middle("run"))


def _fairness(results: Results) -> Iterator[Target]:
    """Judged where rumur runs long enough for its own start not to matter."""
    for case in results.cases():
        found, hand = fair(results, case), results.find(case, RUMUR[0])
        if found is None or hand is None or hand.middle("run") < _LEAST_S:
            continue
        whole, run = found
        is_fair = max(whole, run) <= _FAIR_RATIO
        note = (
            "" if is_fair else "; the export is an unfair yardstick here, so ratios are to the quicker model"
        )
        asked = f"export to Murphi at most 1.3x the hand-written, {case.key}"
        yield Target(asked, f"{whole:.2f}x in all, {run:.2f}x of the run alone{note}", is_fair)


def spread(result: Result, key: str) -> str:
    """Median, and least to greatest where there are several."""
    figures = result.figures(key)
    middle = f"{result.middle(key):.2f}"
    return middle if len(figures) == 1 else f"{middle} ({min(figures):.2f}-{max(figures):.2f})"
