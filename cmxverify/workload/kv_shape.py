"""What a model keeps for every token it has seen, and for every sequence: groups of like layers.

The sizes here are the algorithmic minimum: what attention needs to go on. What an engine allocates for
it is ``cmxverify.workload.allocation``. All numbers are exact: bytes as ``Fraction``.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from typing import Any

from cmxverify.catalog.models import model_entry
from cmxverify.errors import InputError, Location
from cmxverify.workload.dtype import Dtype


class Kind(StrEnum):
    """How the stored entries of a layer relate to the tokens seen."""

    FULL = "full"  # a key and a value for every token: MHA, GQA, MQA
    SLIDING = "sliding"  # for the last `window` tokens
    CHUNKED = "chunked"  # for the tokens of the current chunk of `window`
    LATENT = "latent"  # one compressed vector for every token: MLA
    INDEX = "index"  # the side cache by which sparse attention picks tokens
    COMPRESSED = "compressed"  # one vector for every `ratio` tokens
    STATE = "state"  # a fixed state for every sequence: linear attention, state-space layers


class Attention(StrEnum):
    """How the ranks of a tensor-parallel group share attention."""

    TP = "tp"  # heads are split; what has fewer heads than ranks is copied
    DP = "dp"  # each sequence lives whole on one rank


@dataclass(frozen=True, slots=True, kw_only=True)
class LayerGroup:
    """Like layers: ``heads`` x (``k_dim`` + ``v_dim``) elements an entry and layer.

    Attributes:
        stores_v: False where values equal keys before normalisation and rotation, so that one suffices.
        window: Tokens kept at most; ``None`` when all are.
        ratio: Tokens that share one entry.
        dtype: Format where it does not follow the KV dtype.
        engine_fp8_bytes: Bytes an engine's 8-bit layout spends on one entry of one layer, with its scales.
    """

    kind: Kind
    layers: int
    k_dim: int
    v_dim: int = 0
    heads: int = 1
    stores_v: bool = True
    window: int | None = None
    ratio: int = 1
    dtype: Dtype | None = None
    engine_fp8_bytes: int | None = None

    @property
    def grows(self) -> bool:
        """Whether a longer sequence always needs more."""
        return self.window is None and self.kind is not Kind.STATE

    def entries(self, tokens: int) -> int:
        """Entries one layer keeps after ``tokens`` tokens."""
        if self.kind is Kind.STATE:
            return 1
        return (tokens if self.window is None else min(tokens, self.window)) // self.ratio

    def elements(self, heads: int | None = None) -> int:
        """Elements of one entry of one layer, of all heads or of ``heads`` of them."""
        count = self.heads if heads is None else heads
        if self.kind is Kind.STATE:
            return count * self.k_dim * self.v_dim
        return count * (self.k_dim + (self.v_dim if self.stores_v else 0))

    def entry_bytes(self, dtype: Dtype, heads: int | None = None) -> Fraction:
        """Bytes of one entry over all layers of the group."""
        return self.layers * self.elements(heads) * (self.dtype or dtype).bytes

    def rank_heads(self, tp: int) -> int:
        """Heads that one of ``tp`` ranks holds; at least one, so few heads are copied.

        Raises:
            InputError: If neither of heads and ranks divides the other; no engine runs that.
        """
        if self.heads % tp == 0:
            return self.heads // tp
        if tp % self.heads == 0:
            return 1
        fix = f"Take a tp that divides {self.heads} or is a multiple of it."
        raise InputError(f"{self.heads} heads cannot be split over tp {tp}", fix=fix)


@dataclass(frozen=True, slots=True)
class KvShape:
    """The KV cache of one model: its layer groups, its weights' number and published format.

    ``kv_dtype`` is the format an engine takes for the cache when nobody says otherwise.
    """

    name: str
    groups: tuple[LayerGroup, ...]
    parameters: int | None = None
    weights: Dtype | None = None
    kv_dtype: Dtype = Dtype.BF16
    notes: tuple[str, ...] = ()

    def bytes_per_token(self, dtype: Dtype) -> Fraction:
        """Bytes that each further token adds for good; bounded and fixed parts are not in it.

        >>> int(model_shape("deepseek-v3").bytes_per_token(Dtype.BF16))
        70272
        """
        return sum((g.entry_bytes(dtype) / g.ratio for g in self.groups if g.grows), Fraction(0))

    def bytes_of_sequence(self, tokens: int, dtype: Dtype) -> Fraction:
        """All bytes a sequence of ``tokens`` needs: growing, bounded and fixed parts."""
        return sum((g.entries(tokens) * g.entry_bytes(dtype) for g in self.groups), Fraction(0))

    def bounded_bytes(self, dtype: Dtype) -> Fraction:
        """What sliding and chunked layers hold at most."""
        return sum((g.entries(g.window) * g.entry_bytes(dtype) for g in self.groups if g.window), Fraction(0))

    def state_bytes(self, dtype: Dtype = Dtype.BF16) -> Fraction:
        """The fixed state of one sequence; ``dtype`` counts only for states that name no format."""
        return sum((g.entry_bytes(dtype) for g in self.groups if g.kind is Kind.STATE), Fraction(0))

    def rank_bytes(
        self, tokens: int, dtype: Dtype, *, tp: int = 1, attention: Attention = Attention.TP
    ) -> Fraction:
        """Bytes of one sequence on one rank that holds it.

        Raises:
            InputError: If the heads of some layer cannot be split over ``tp`` ranks.
        """
        if attention is Attention.DP:
            return self.bytes_of_sequence(tokens, dtype)
        parts = (g.entries(tokens) * g.entry_bytes(dtype, g.rank_heads(tp)) for g in self.groups)
        return sum(parts, Fraction(0))

    def resident_bytes(
        self, tokens: int, dtype: Dtype, *, tp: int = 1, attention: Attention = Attention.TP
    ) -> Fraction:
        """Bytes of one sequence in the memory of all ranks together, copies included.

        >>> shape = model_shape("deepseek-v3")
        >>> shape.resident_bytes(1, Dtype.BF16, tp=8) / shape.bytes_of_sequence(1, Dtype.BF16)
        Fraction(8, 1)
        """
        holders = 1 if attention is Attention.DP else tp
        return holders * self.rank_bytes(tokens, dtype, tp=tp, attention=attention)

    def paged_bytes(self, tokens: int, dtype: Dtype, page_tokens: int) -> Fraction:
        """Bytes of the pages a sequence touches: growing parts round up to whole pages, windows may straddle one.

        Fixed states are not paged.
        """
        parts = (paged_entries(g, tokens, page_tokens) * g.entry_bytes(dtype) for g in self.groups)
        return sum(parts, Fraction(0))

    def weight_bytes(self, dtype: Dtype) -> Fraction:
        """Weights at ``dtype``; block scales and layers left unquantised come on top.

        Raises:
            InputError: If the number of parameters is unknown.
        """
        return self.known_parameters() * dtype.bytes

    def known_parameters(self) -> int:
        """The number of parameters.

        Raises:
            InputError: If it is unknown, as for a config.json of an unusual architecture.
        """
        if self.parameters is None:
            fix = "Name a model of the catalog whose parameters are known: cmxverify catalog."
            raise InputError(f"the number of parameters of '{self.name}' is unknown", fix=fix)
        return self.parameters


def paged_entries(group: LayerGroup, tokens: int, page_tokens: int) -> Fraction:
    """Entries in the pages that a sequence of ``tokens`` touches, each page holding ``page_tokens`` tokens."""
    if group.kind is Kind.STATE or page_tokens == 1:
        return Fraction(group.entries(tokens))
    last = min(tokens, group.window) if group.kind is Kind.CHUNKED and group.window else tokens
    first = max(last - group.window, 0) if group.window else 0
    pages = -(-last // page_tokens) - first // page_tokens
    return Fraction(-(-pages * page_tokens // group.ratio))


def model_shape(name: str, at: Location | None = None) -> KvShape:
    """The KV shape of a catalog model.

    Raises:
        InputError: If the catalog has none of that name.

    >>> int(model_shape("llama-3.1-70b").bytes_per_token(Dtype.FP8))
    163840
    """
    entry = model_entry(name, at)
    groups = tuple(_group(**table) for table in entry.groups)
    weights = Dtype(entry.weights)
    kv_dtype = Dtype.FP16 if weights is Dtype.FP16 else Dtype.BF16
    return KvShape(name, groups, entry.parameters, weights, kv_dtype, entry.notes)


def _group(*, kind: str, k: int, v: int = 0, dtype: str | None = None, **same: Any) -> LayerGroup:
    return LayerGroup(kind=Kind(kind), k_dim=k, v_dim=v, dtype=Dtype(dtype) if dtype else None, **same)
