"""Number formats by every name in use."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cmxverify.errors import InputError
from cmxverify.workload.dtype import Dtype, parse_dtype


def test_bits() -> None:
    assert [dtype.bits for dtype in Dtype] == [32, 16, 16, 8, 8, 4, 4]
    assert Dtype.FP4.bytes == Fraction(1, 2)


@pytest.mark.parametrize(
    ("text", "expected"),
    [("bf16", Dtype.BF16), ("torch.bfloat16", Dtype.BF16), ("fp8_e4m3", Dtype.FP8), ("nvfp4", Dtype.FP4)],
)
def test_spellings(text: str, expected: Dtype) -> None:
    assert parse_dtype(text) is expected


@pytest.mark.parametrize("wrong", ["bf61", "", None, 8])
def test_an_unknown_format_is_refused(wrong: object) -> None:
    with pytest.raises(InputError, match="unknown dtype"):
        parse_dtype(wrong)
