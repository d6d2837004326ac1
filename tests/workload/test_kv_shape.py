"""KV shapes: the known answers of public models, and laws that every shape obeys."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmxverify.catalog.models import model_entries
from cmxverify.errors import InputError
from cmxverify.workload.dtype import Dtype
from cmxverify.workload.kv_shape import Attention, Kind, KvShape, LayerGroup, model_shape

MIB, GIB = 2**20, 2**30
NAMES = [entry.name for entry in model_entries()]

# Bytes a token at 16 and 8 bits, and the fixed or bounded part at 16 bits in bytes.
KNOWN = [
    ("gpt-3-175b", 4_718_592, 2_359_296, 0),
    ("llama-3.1-8b", 131_072, 65_536, 0),
    ("llama-3.1-70b", 327_680, 163_840, 0),
    ("llama-3.1-405b", 516_096, 258_048, 0),
    ("llama-4-maverick", 49_152, 24_576, 8192 * 147_456),
    ("llama-4-scout", 49_152, 24_576, 8192 * 147_456),
    ("mixtral-8x7b", 131_072, 65_536, 0),
    ("mixtral-8x22b", 229_376, 114_688, 0),
    ("qwen3-8b", 147_456, 73_728, 0),
    ("qwen3-32b", 262_144, 131_072, 0),
    ("qwen3-30b-a3b", 98_304, 49_152, 0),
    ("qwen3-235b-a22b", 192_512, 96_256, 0),
    ("qwen3-coder-480b", 253_952, 126_976, 0),
    ("qwen3.5-397b-a17b", 30_720, 15_360, 0),
    ("qwen3.5-27b", 65_536, 32_768, 0),
    ("gpt-oss-120b", 36_864, 18_432, 9 * MIB // 2),
    ("gpt-oss-20b", 24_576, 12_288, 3 * MIB),
    ("gemma-4-26b-a4b", 10_240, 5_120, 200 * MIB),
    ("gemma-4-31b", 40_960, 20_480, 800 * MIB),
    ("deepseek-v3", 70_272, 35_136, 0),
    ("deepseek-r1", 70_272, 35_136, 0),
    ("deepseek-v3.2", 78_080, 42_944, 0),
    ("deepseek-v4-pro", 9_848, 4_924, 7_995_392),
    ("deepseek-v4-flash", 6_880, 3_440, 5_636_096),
    ("kimi-k2", 70_272, 35_136, 0),
    ("kimi-k2.5", 70_272, 35_136, 0),
    ("kimi-k3", 27_648, 13_824, 0),
    ("glm-5", 89_856 + 78 * 128, 44_928 + 78 * 128, 0),
    ("glm-5.2", 89_856 + 21 * 128, 44_928 + 21 * 128, 0),
    ("minimax-m2.5", 253_952, 126_976, 0),
    ("minimax-m3", 122_880, 61_440, 0),
    ("mimo-v2-flash", 23_040, 11_520, 39 * 8 * 320 * 128 * 2),
    ("nemotron-3-super-120b", 8_192, 4_096, 0),
    ("nemotron-3-nano-30b", 6_144, 3_072, 0),
]


@pytest.mark.parametrize(("name", "wide", "narrow", "bounded"), KNOWN)
def test_known_bytes_a_token(name: str, wide: int, narrow: int, bounded: int) -> None:
    shape = model_shape(name)

    assert shape.bytes_per_token(Dtype.BF16) == wide
    assert shape.bytes_per_token(Dtype.FP8) == narrow
    assert shape.bounded_bytes(Dtype.BF16) == bounded


@pytest.mark.parametrize(
    ("name", "gibibytes"),
    [("gpt-3-175b", 576), ("llama-3.1-8b", 16), ("llama-3.1-405b", 63), ("qwen3-235b-a22b", Fraction(47, 2))],
)
def test_known_size_at_128k(name: str, gibibytes: int | Fraction) -> None:
    assert model_shape(name).bytes_of_sequence(131_072, Dtype.BF16) == gibibytes * GIB


def test_the_175b_model_of_the_article_needs_44_times_its_figure() -> None:
    """A2 says 3.5 GB at 32k tokens; GPT-3 175B needs 154.6 GB."""
    size = model_shape("gpt-3-175b").bytes_of_sequence(32_768, Dtype.FP16)

    assert round(size / 10**9, 1) == Fraction(1546, 10)
    assert round(size / Fraction(35 * 10**8)) == 44


@pytest.mark.parametrize(
    ("name", "mebibytes", "digits"),
    [
        ("kimi-k3", "428.6", 1),
        ("deepseek-v4-pro", "17.8", 1),
        ("deepseek-v4-flash", "11.6", 1),
    ],
)
def test_known_states(name: str, mebibytes: str, digits: int) -> None:
    assert round(model_shape(name).state_bytes() / MIB, digits) == Fraction(mebibytes)


def test_the_delta_state_of_qwen35_is_180_mib_in_fp32_beside_its_convolution() -> None:
    shape = model_shape("qwen3.5-397b-a17b")
    delta, conv = (group for group in shape.groups if group.kind is Kind.STATE)

    assert delta.entry_bytes(Dtype.BF16) == 180 * MIB
    assert delta.elements() * delta.layers * 2 == 90 * MIB
    assert conv.entry_bytes(Dtype.BF16) == 45 * 12_288 * 3 * 2


@pytest.mark.parametrize(("name", "gibibytes"), [("deepseek-v4-pro", "9.62"), ("deepseek-v4-flash", "6.72")])
def test_a_million_tokens_of_compressed_attention(name: str, gibibytes: str) -> None:
    size = 2**20 * model_shape(name).bytes_per_token(Dtype.BF16)

    assert round(size / GIB, 2) == Fraction(gibibytes)


def test_the_prediction_layer_of_deepseek_v3_would_add_one_latent() -> None:
    shape = model_shape("deepseek-v3")
    assert shape.bytes_per_token(Dtype.BF16) + shape.groups[0].elements() * 2 == 71_424


@pytest.mark.parametrize("name", NAMES)
def test_a_catalog_shape_names_its_weights_and_kv_format(name: str) -> None:
    shape = model_shape(name)
    assert shape.weights is not None
    assert shape.kv_dtype in (Dtype.BF16, Dtype.FP16)


@given(name=st.sampled_from(NAMES), tokens=st.integers(0, 10**6), more=st.integers(0, 10**5))
def test_longer_sequences_never_need_less(name: str, tokens: int, more: int) -> None:
    shape = model_shape(name)
    assert shape.bytes_of_sequence(tokens, Dtype.BF16) <= shape.bytes_of_sequence(tokens + more, Dtype.BF16)


@given(name=st.sampled_from(NAMES), tokens=st.integers(10**4, 10**7).map(lambda n: n // 128 * 128))
def test_far_out_a_sequence_is_growth_plus_what_is_bounded(name: str, tokens: int) -> None:
    """Beyond every window, size = tokens x bytes a token + bounded + state."""
    shape = model_shape(name)
    expected = (
        tokens * shape.bytes_per_token(Dtype.FP8) + shape.bounded_bytes(Dtype.FP8) + shape.state_bytes()
    )

    assert shape.bytes_of_sequence(tokens, Dtype.FP8) == expected


@given(name=st.sampled_from(NAMES), tokens=st.integers(0, 10**6), page=st.sampled_from([1, 16, 64, 256]))
def test_pages_never_hold_less_than_the_sequence(name: str, tokens: int, page: int) -> None:
    shape = model_shape(name)
    assert shape.paged_bytes(tokens, Dtype.BF16, page) >= shape.bytes_of_sequence(tokens, Dtype.BF16)
    assert shape.paged_bytes(tokens, Dtype.BF16, 1) == shape.bytes_of_sequence(tokens, Dtype.BF16)


def test_pages_of_a_sequence_of_25000_tokens() -> None:
    """25,000 tokens take 1,563 pages of 16: 4.097 GB for 4.096."""
    assert model_shape("llama-3.1-70b").paged_bytes(25_000, Dtype.FP8, 16) == 1563 * 16 * 163_840


def test_a_window_may_straddle_one_page_more() -> None:
    """The last 128 of 200 tokens lie in pages 4 to 12 of 16 tokens: nine pages, not eight."""
    group = LayerGroup(kind=Kind.SLIDING, layers=1, k_dim=1, window=128)
    shape = KvShape("x", (group,))

    assert shape.paged_bytes(200, Dtype.INT8, 16) == 9 * 16
    assert shape.paged_bytes(256, Dtype.INT8, 16) == 8 * 16


@given(name=st.sampled_from(NAMES), tp=st.sampled_from([1, 2, 4, 8, 16]))
def test_ranks_together_hold_at_least_one_copy(name: str, tp: int) -> None:
    shape = model_shape(name)
    once = shape.bytes_of_sequence(4096, Dtype.BF16)

    assert once <= shape.resident_bytes(4096, Dtype.BF16, tp=tp) <= tp * once


@pytest.mark.parametrize(("tp", "copies"), [(1, 1), (4, 1), (8, 2), (16, 4)])
def test_few_kv_heads_are_copied(tp: int, copies: int) -> None:
    """Qwen3-235B has 4 KV heads: from tp 8 on each is held more than once."""
    shape = model_shape("qwen3-235b-a22b")
    assert shape.resident_bytes(1000, Dtype.BF16, tp=tp) == copies * shape.bytes_of_sequence(1000, Dtype.BF16)


def test_latent_attention_is_copied_on_every_rank_unless_attention_is_data_parallel() -> None:
    shape = model_shape("deepseek-v3")
    once = shape.bytes_of_sequence(1000, Dtype.BF16)

    assert shape.resident_bytes(1000, Dtype.BF16, tp=8) == 8 * once
    assert shape.resident_bytes(1000, Dtype.BF16, tp=8, attention=Attention.DP) == once
    assert shape.rank_bytes(1000, Dtype.BF16, tp=8, attention=Attention.DP) == once


def test_heads_that_no_rank_count_divides_are_refused() -> None:
    with pytest.raises(InputError, match="8 heads cannot be split over tp 6"):
        model_shape("llama-3.1-70b").rank_bytes(1, Dtype.BF16, tp=6)


def test_weights_follow_their_format() -> None:
    shape = model_shape("llama-3.1-70b")
    assert shape.weight_bytes(Dtype.BF16) == 2 * shape.weight_bytes(Dtype.FP8) == 141_107_412_992


def test_weights_of_unknown_number_are_an_error() -> None:
    with pytest.raises(InputError, match="number of parameters of 'minimax-m3' is unknown"):
        model_shape("minimax-m3").weight_bytes(Dtype.BF16)
