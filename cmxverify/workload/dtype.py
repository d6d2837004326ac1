"""Number formats of KV elements and weights."""

from __future__ import annotations

from enum import StrEnum
from fractions import Fraction

from cmxverify.errors import InputError, Location, did_you_mean


class Dtype(StrEnum):
    """A number format; block scales of quantised formats are not counted here."""

    FP32 = "fp32"
    BF16 = "bf16"
    FP16 = "fp16"
    FP8 = "fp8"
    INT8 = "int8"
    FP4 = "fp4"
    INT4 = "int4"

    @property
    def bits(self) -> int:
        """Bits of one element."""
        return int(self.value[-2:] if self.value[-2:].isdigit() else self.value[-1])

    @property
    def bytes(self) -> Fraction:
        """Bytes of one element; a half for the four-bit formats."""
        return Fraction(self.bits, 8)


_SPELLINGS = {
    "float32": Dtype.FP32,
    "bfloat16": Dtype.BF16,
    "float16": Dtype.FP16,
    "half": Dtype.FP16,
    "float8_e4m3fn": Dtype.FP8,
    "float8_e5m2": Dtype.FP8,
    "fp8_e4m3": Dtype.FP8,
    "fp8_e5m2": Dtype.FP8,
    "mxfp4": Dtype.FP4,
    "nvfp4": Dtype.FP4,
}


def parse_dtype(text: object, at: Location | None = None) -> Dtype:
    """Read a format by our name or by the one PyTorch or an engine gives it.

    Raises:
        InputError: If the name is unknown.

    >>> parse_dtype("bfloat16")
    <Dtype.BF16: 'bf16'>
    """
    known = {each.value: each for each in Dtype} | _SPELLINGS
    found = known.get(text.removeprefix("torch.")) if isinstance(text, str) else None
    if found is None:
        fix = did_you_mean(text, known) if isinstance(text, str) else "Write it as bf16 or fp8."
        raise InputError(f"unknown dtype {text!r}", at=at, fix=fix)
    return found
