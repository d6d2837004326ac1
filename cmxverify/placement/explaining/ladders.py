"""Changes of one figure, from the least to the most: the rungs are the values as they are printed."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import count, takewhile

TIMES = 4
"""A figure whose device has no known limit is not offered at more times of what it is."""


@dataclass(frozen=True, slots=True)
class Remedy:
    """One change: the ``--set`` argument, and how to say it; of one ``line`` the first that helps is enough.

    Without an argument nothing can be changed there, and ``limit`` says why.
    """

    override: str
    text: str
    line: str
    also: tuple[str, ...] = ()
    """Further ``--set`` arguments that belong to the change."""
    limit: str = ""
    """Why there is no more of it: ``the device holds 3 TB``."""

    def together_with(self, other: Remedy) -> Remedy:
        """Both changes as one."""
        also = (*self.also, other.override, *other.also)
        return Remedy(self.override, f"{self.text} + {other.text}", f"{self.line} + {other.line}", also)


@dataclass(frozen=True, slots=True)
class Ladder:
    """The changes ``rung(0)`` to ``rung(count - 1)``, each allowing all that the one before allows.

    What lies below ``rung(0)`` is known not to help: it is what the file says, or less than a proved minimum.
    """

    line: str
    count: int
    rung: Callable[[int], Remedy]
    rising: bool = False
    """Whether it is tried from the lowest up, which is likely to help, or more of which has a price of its own."""


def fixed(remedy: Remedy) -> Ladder:
    """A change that has no amount."""
    return Ladder(remedy.line, 1, lambda _: remedy)


def two_digits(above: Fraction, upto: Fraction) -> list[int]:
    """Whole numbers of at most two significant digits, more than ``above`` and at most ``upto``.

    >>> two_digits(Fraction(97), Fraction(135))
    [98, 99, 100, 110, 120, 130]
    """
    found, step = [], 1
    while step <= upto:
        tens = range(1 if step == 1 else 10, 100)
        found += [digits * step for digits in tens if above < digits * step <= upto]
        step *= 10
    return found


def least_rung(ladder: Ladder, helps: Callable[[Remedy], bool | None]) -> tuple[Remedy, bool | None, bool]:
    """The lowest rung that helps, by halves; whether it does, and whether the one below it is known not to.

    Where none of those tried helps, the highest comes back with its verdict, or the lowest of a rising ladder.
    """
    verdicts: dict[int, bool | None] = {}

    def enough(index: int) -> bool:
        if index not in verdicts:
            verdicts[index] = helps(ladder.rung(index))
        return bool(verdicts[index])

    last = ladder.count - 1
    tried = _upwards(last) if ladder.rising else [last]
    top = next((index for index in tried if enough(index)), None)
    if top is None:
        told = 0 if ladder.rising else last
        return ladder.rung(told), None if None in verdicts.values() else False, False
    known = max((index for index in verdicts if index < top), default=-1)
    best = bisect_left(range(top), True, lo=known + 1, key=enough)
    return ladder.rung(best), True, verdicts.get(best - 1, False) is False


def _upwards(last: int) -> list[int]:
    """``0, 3, 15, 63 ...`` and the last."""
    steps = takewhile(lambda index: index < last, (4**power - 1 for power in count()))
    return [*steps, last]
