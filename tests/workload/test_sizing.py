"""Sizing arithmetic: a working set with every factor, and the article's formula next to the right one."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from cmxverify.errors import InputError
from cmxverify.workload.dtype import Dtype
from cmxverify.workload.kv_shape import model_shape
from cmxverify.workload.sizing import (
    HeatBand,
    SizingReport,
    article_capacity,
    size_sessions,
    token_formula,
)

BANDS = (
    HeatBand("hot", Fraction(4, 100), Fraction(60)),
    HeatBand("cold", Fraction(96, 100), Fraction(32 * 60)),
)


def chat(**changes: Any) -> SizingReport:
    """The chat working set of a rack: 60,000 sessions of 25,000 tokens on Llama 3.1 70B in 8 bits."""
    options: dict[str, Any] = {
        "dtype": Dtype.FP8,
        "context": 25_000,
        "sessions": 60_000,
        "new_tokens": 400,
        "bands": BANDS,
        "tp": 4,
    }
    return size_sessions(model_shape("llama-3.1-70b"), **{**options, **changes})


def test_one_session() -> None:
    report = chat()

    assert report.formula == "2 x 80 layers x 8 KV heads x 128 x 1 B"
    assert report.bytes_per_token == 163_840
    assert report.session == 4_096_000_000
    assert round(report.session_paged / 10**9, 3) == Fraction("4.097")
    assert round(100 * (report.session_paged / report.session - 1), 2) == Fraction("0.03")


def test_all_sessions_and_their_heat_bands() -> None:
    report = chat()
    hot, cold = report.bands

    assert round(report.stored / 10**12, 1) == Fraction("245.8")
    assert (hot.sessions, round(hot.stored / 10**12, 1)) == (2_400, Fraction("9.8"))
    assert (cold.sessions, round(cold.stored / 10**12, 1)) == (57_600, Fraction("235.9"))
    assert hot.stored + cold.stored == report.stored


def test_turns_and_rates() -> None:
    """40 + 30 turns a second read 286.7 GB/s and write 4.59 GB/s."""
    report = chat()
    assert [band.turns for band in report.bands] == [40, 30]
    assert report.turns == 70
    assert report.read_rate is not None
    assert report.write_rate is not None
    assert round(report.read_rate / 10**9, 1) == Fraction("286.7")
    assert round(report.write_rate / 10**9, 2) == Fraction("4.59")


def test_the_article_formula_exceeds_the_right_figure_1_7_million_times() -> None:
    report = chat()
    assert report.article is not None
    assert report.article_ratio is not None
    assert round(report.article / 10**18) == 508
    assert round(report.with_reserve / 10**12) == 295
    assert round(report.article_ratio / 10**6, 1) == Fraction("1.7")


def test_the_article_formula_contradicts_the_article() -> None:
    """A22 gives 22.9 PB for what A2 puts at 3.5 GB, 6.55 million times more, and 148,349 times the true size at 1.2."""
    literal = article_capacity(175 * 10**9, 32_768, 1, Fraction(0))
    true = model_shape("gpt-3-175b").bytes_of_sequence(32_768, Dtype.FP16)

    assert round(literal / 10**15, 1) == Fraction("22.9")
    assert round(literal / Fraction(35 * 10**8) / 10**6, 2) == Fraction("6.55")
    assert round(literal / true) == 148_349
    assert round(article_capacity(175 * 10**9, 32_768, 1, Fraction(1, 5)) / 10**15, 1) == Fraction("27.5")
    assert round(article_capacity(175 * 10**9, 32_768, 1, Fraction(3, 10)) / 10**15, 1) == Fraction("29.8")


def test_llama_70b_makes_3_million_tokens_a_terabyte() -> None:
    """The figure of the Mooncake paper: 320 KB a token, 3 M tokens in about 1 TB."""
    report = size_sessions(model_shape("llama-3.1-70b"), dtype=Dtype.BF16, context=3_000_000, sessions=1)
    assert round(report.stored / 10**12, 2) == Fraction("0.98")


def test_the_capacity_cliff_of_a_published_benchmark() -> None:
    """20 clients x 7 rounds x 4,096 tokens on Qwen3-8B pass an 80 GB pool; six rounds do not."""
    shape = model_shape("qwen3-8b")
    six, seven = (
        size_sessions(shape, dtype=Dtype.BF16, context=rounds * 4096, sessions=20).stored for rounds in (6, 7)
    )
    assert six < 80 * 10**9 < seven
    assert round(seven / 10**9) == 85


def test_rank_and_allocation_share_the_factors() -> None:
    report = chat()
    assert report.rank * 4 == report.session
    assert report.allocation.allocated == report.session_paged


@pytest.mark.parametrize(
    ("name", "formula"),
    [
        ("deepseek-v3", "61 layers x 576 latent x 2 B"),
        ("gemma-4-31b", "10 layers x 4 KV heads x 512 (K = V) x 2 B"),
        ("mimo-v2-flash", "9 layers x 4 KV heads x (192 + 128) x 2 B"),
        ("deepseek-v3.2", "61 layers x 576 latent x 2 B + 61 layers x 128 index x 1 B"),
    ],
)
def test_formulas_in_words(name: str, formula: str) -> None:
    assert token_formula(model_shape(name), Dtype.BF16) == formula


def test_a_model_without_parameter_count_has_no_article_figure() -> None:
    report = size_sessions(model_shape("minimax-m3"), dtype=Dtype.BF16, context=1000, sessions=1)
    assert report.article is None
    assert report.article_ratio is None


def test_bands_without_period_have_no_rates() -> None:
    report = chat(bands=(HeatBand("all", Fraction(1)),))
    assert report.turns is None
    assert report.read_rate is None


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"context": 0}, "context is 0"),
        ({"sessions": -1}, "sessions is -1"),
        ({"reserve": Fraction(-1, 10)}, "the reserve is -0.1"),
        ({"tp": 0}, "tp is 0"),
        ({"bands": (HeatBand("hot", Fraction(1, 2)),)}, "the heat bands make up 50 %"),
        ({"bands": (HeatBand("hot", Fraction(1), Fraction(0)),)}, "band 'hot' takes a turn every 0 s"),
    ],
)
def test_bad_factors_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        chat(**changes)
