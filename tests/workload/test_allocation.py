"""What engines allocate beyond the minimum, one named step after another."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cmxverify.catalog.models import model_entries
from cmxverify.errors import InputError
from cmxverify.workload.allocation import Allocator, allocate
from cmxverify.workload.dtype import Dtype
from cmxverify.workload.kv_shape import Attention, model_shape

NAMES = [entry.name for entry in model_entries()]


@given(
    name=st.sampled_from(NAMES),
    tokens=st.integers(1, 300_000),
    dtype=st.sampled_from([Dtype.BF16, Dtype.FP8]),
    tp=st.sampled_from([1, 8]),
    bounds=st.booleans(),
)
def test_the_steps_multiply_up_to_the_whole(
    name: str, tokens: int, dtype: Dtype, tp: int, bounds: bool
) -> None:
    allocator = Allocator(bounds_windows=bounds)
    found = allocate(model_shape(name), tokens, dtype, allocator=allocator, tp=tp)

    assert found.minimum == model_shape(name).bytes_of_sequence(tokens, dtype)
    assert found.allocated >= found.minimum
    assert prod((step.factor for step in found.steps), start=Fraction(1)) == found.factor


def test_equal_keys_and_values_are_stored_twice_by_most_engines() -> None:
    """Gemma 4 26B grows by 10,240 B a token if they are stored once, by 20,480 B otherwise."""
    shape = model_shape("gemma-4-26b-a4b")
    long, longer = (allocate(shape, tokens, Dtype.BF16).allocated for tokens in (16_384, 32_768))
    once = Allocator(merges_k_and_v=True)
    slim, slimmer = (
        allocate(shape, tokens, Dtype.BF16, allocator=once).allocated for tokens in (16_384, 32_768)
    )

    assert (longer - long) / 16_384 == 20_480
    assert (slimmer - slim) / 16_384 == 10_240


def test_an_engine_that_never_gives_windows_back_stores_all_layers_of_llama_4() -> None:
    """196,608 B a token instead of 49,152."""
    found = allocate(
        model_shape("llama-4-scout"), 2**20, Dtype.BF16, allocator=Allocator(bounds_windows=False)
    )
    assert found.allocated == 2**20 * 196_608
    assert [step.reason for step in found.steps] == ["windows not given back"]


def test_sparse_latent_attention_in_8_bits_takes_656_and_132_bytes_a_layer() -> None:
    found = allocate(model_shape("deepseek-v3.2"), 1600, Dtype.FP8)

    assert found.allocated == 1600 * 61 * (656 + 132)
    assert [step.reason for step in found.steps] == ["8-bit layout with scales"]


def test_copies_are_a_step_of_their_own() -> None:
    shape = model_shape("deepseek-v3")
    step = allocate(shape, 1600, Dtype.BF16, tp=8).steps[-1]

    assert (step.reason, step.factor) == ("copies on 8 ranks", 8)
    assert not allocate(shape, 1600, Dtype.BF16, tp=8, attention=Attention.DP).steps


def test_a_plain_model_in_whole_pages_takes_the_minimum() -> None:
    assert allocate(model_shape("llama-3.1-8b"), 4096, Dtype.BF16).factor == 1


def test_a_page_without_tokens_is_refused() -> None:
    with pytest.raises(InputError, match="a page of 0 tokens"):
        Allocator(page_tokens=0)
