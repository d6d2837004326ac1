"""What an engine allocates for a sequence, beside the algorithmic minimum, and every factor between the two."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from cmxverify.errors import InputError
from cmxverify.workload.dtype import Dtype
from cmxverify.workload.kv_shape import Attention, Kind, KvShape, LayerGroup, paged_entries


@dataclass(frozen=True, slots=True, kw_only=True)
class Allocator:
    """Habits of an engine's KV allocator; the defaults are those of current vLLM with hybrid groups.

    Attributes:
        page_tokens: Tokens of a page (block).
        bounds_windows: Whether sliding and chunked layers give back what fell out of their window.
        merges_k_and_v: Whether equal keys and values are stored once.
        packs_fp8: Whether 8-bit entries take the engine's own layout, with scales and parts kept wide.
    """

    page_tokens: int = 16
    bounds_windows: bool = True
    merges_k_and_v: bool = False
    packs_fp8: bool = True

    def __post_init__(self) -> None:
        if self.page_tokens < 1:
            raise InputError(f"a page of {self.page_tokens} tokens", fix="Take 16, or what the engine uses.")


@dataclass(frozen=True, slots=True)
class Step:
    """One reason why an engine takes more: bytes after it, and the factor it brings."""

    reason: str
    bytes_after: Fraction
    factor: Fraction


@dataclass(frozen=True, slots=True)
class Allocation:
    """From the algorithmic minimum of one sequence to what all ranks hold of it, step by step."""

    minimum: Fraction
    steps: tuple[Step, ...]

    @property
    def allocated(self) -> Fraction:
        """Bytes over all ranks that hold the sequence."""
        return self.steps[-1].bytes_after if self.steps else self.minimum

    @property
    def factor(self) -> Fraction:
        """Allocated over minimum; one when both are zero."""
        return self.allocated / self.minimum if self.minimum else Fraction(1)


def allocate(
    shape: KvShape,
    tokens: int,
    dtype: Dtype,
    *,
    allocator: Allocator = Allocator(),
    tp: int = 1,
    attention: Attention = Attention.TP,
) -> Allocation:
    """What an engine holds for one sequence of ``tokens``; steps that change nothing are left out.

    Raises:
        InputError: If the heads of some layer cannot be split over ``tp`` ranks.
    """
    steps: list[Step] = []
    minimum = now = shape.bytes_of_sequence(tokens, dtype)
    for reason, measure in _measures(shape, tokens, dtype, allocator, tp, attention):
        after = measure()
        if after != now:
            steps.append(Step(reason, after, after / now))
        now = after
    return Allocation(minimum, tuple(steps))


def _measures(
    shape: KvShape, tokens: int, dtype: Dtype, allocator: Allocator, tp: int, attention: Attention
) -> list[tuple[str, Callable[[], Fraction]]]:
    """The size after each habit, each on top of those before it."""
    kept = shape.groups
    stored_twice = kept if allocator.merges_k_and_v else tuple(replace(g, stores_v=True) for g in kept)
    unbounded = stored_twice if allocator.bounds_windows else tuple(_unbounded(g) for g in stored_twice)
    packed = dtype is Dtype.FP8 and allocator.packs_fp8
    page = allocator.page_tokens

    def size(groups: tuple[LayerGroup, ...], *, page: int = 1, packed: bool = False, tp: int = 1) -> Fraction:
        parts = (
            paged_entries(g, tokens, page) * _entry_bytes(g, dtype, packed) * _copies(g, tp) for g in groups
        )
        return sum(parts, Fraction(0))

    return [
        ("equal keys and values stored twice", lambda: size(stored_twice)),
        ("windows not given back", lambda: size(unbounded)),
        ("8-bit layout with scales", lambda: size(unbounded, packed=packed)),
        (f"whole pages of {page} tokens", lambda: size(unbounded, packed=packed, page=page)),
        (
            f"copies on {tp} ranks",
            lambda: size(unbounded, packed=packed, page=page, tp=1 if attention is Attention.DP else tp),
        ),
    ]


def _unbounded(group: LayerGroup) -> LayerGroup:
    return replace(group, window=None, kind=Kind.FULL) if group.window else group


def _entry_bytes(group: LayerGroup, dtype: Dtype, packed: bool) -> Fraction:
    if packed and group.engine_fp8_bytes:
        return Fraction(group.layers * group.engine_fp8_bytes)
    return group.entry_bytes(dtype)


def _copies(group: LayerGroup, tp: int) -> Fraction:
    """How often each head is held: once, or more where there are fewer heads than ranks."""
    return Fraction(group.rank_heads(tp) * tp, group.heads)
