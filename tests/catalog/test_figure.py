"""A figure is published with source and grade, or assumed with a range and a reason: nothing between."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from cmxverify.catalog.figure import Grade, read_figure
from cmxverify.errors import InputError, Location

AT = Location("gpus.toml[x]")


def test_a_published_figure_is_exact_and_cites_the_full_reference() -> None:
    figure = read_figure("rate", {"is": "400 Gb/s", "grade": "A", "source": "nvidia-rubin: table 5"}, AT)

    assert (figure.value, figure.low, figure.high) == (50 * 10**9,) * 3
    assert figure.grade is Grade.PRIMARY
    assert not figure.assumed
    assert figure.source.startswith("NVIDIA Technical Blog")
    assert figure.note == "table 5"


def test_an_assumed_figure_keeps_its_range_and_reason() -> None:
    figure = read_figure("idle", {"assumed": "25 W", "low": "15 W", "high": "40 W", "why": "a guess"}, AT)

    assert figure.assumed
    assert (figure.low, figure.value, figure.high, figure.source) == (15, 25, 40, "a guess")
    assert figure.range_text() == "15 W to 40 W"


@pytest.mark.parametrize(
    ("key", "entry", "message"),
    [
        ("hbn", {"is": "1 GB", "grade": "A", "source": "article"}, "unknown figure 'hbn'"),
        ("hbm", {"is": "1 GB", "grade": "A"}, "figure 'hbm' has no 'source'"),
        ("hbm", {"is": "1 GB", "source": "article"}, "figure 'hbm' has no 'grade'"),
        ("hbm", {"is": "1 GB", "grade": "A", "source": "nobody"}, "unknown source 'nobody'"),
        ("hbm", {"assumed": "1 GB", "why": "x"}, "figure 'hbm' has no 'high'"),
        ("idle", {"assumed": "9 W", "low": "1 W", "high": "2 W", "why": "x"}, "lies outside its range"),
        ("hbm", {"is": "1 GB/s", "grade": "A", "source": "article"}, "expected a size"),
        ("hbm", {"is": "1 GB", "grade": "A", "source": "article", "sauce": "x"}, "an unknown part 'sauce'"),
        ("hbm", "1 GB", "figure 'hbm' is '1 GB'"),
    ],
)
def test_a_malformed_figure_is_refused(key: str, entry: Any, message: str) -> None:
    with pytest.raises(InputError, match=message):
        read_figure(key, entry, AT)


def test_counts_have_no_unit() -> None:
    figure = read_figure("ports", {"is": "64", "grade": "A", "source": "article"}, AT)

    assert (figure.value, figure.dimension, figure.text()) == (Fraction(64), None, "64")
