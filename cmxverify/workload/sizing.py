"""How much KV a population of sessions needs, with every factor named, and the article's formula beside it.

Pure arithmetic on exact numbers: bytes as ``Fraction``, rates in bytes a second.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

from cmxverify.errors import InputError
from cmxverify.workload.allocation import Allocation, Allocator, allocate
from cmxverify.workload.dtype import Dtype
from cmxverify.workload.kv_shape import Attention, Kind, KvShape, LayerGroup

DEFAULT_RESERVE = Fraction(1, 5)
"""The lower end of the article's reserve, 0.2 to 0.3 (A22)."""


@dataclass(frozen=True, slots=True)
class HeatBand:
    """A share of the sessions that all take a turn ``every`` so many seconds."""

    name: str
    share: Fraction
    every: Fraction | None = None


@dataclass(frozen=True, slots=True)
class BandSize:
    """One heat band in sessions, bytes and turns a second (``None`` when no period is known)."""

    name: str
    sessions: Fraction
    stored: Fraction
    turns: Fraction | None


@dataclass(frozen=True, slots=True)
class SizingReport:
    """Every factor of the size of a working set.

    Attributes:
        formula: Bytes a token in words: ``2 x 80 layers x 8 KV heads x 128 x 1 B``.
        session: Algorithmic minimum of one session of ``context`` tokens.
        session_paged: The same in whole pages.
        allocation: What the ranks of an engine hold for one session in G1, step by step.
        rank: Algorithmic minimum of one session on one rank.
        stored: All sessions, stored once, without reserve.
        stored_paged: The same in whole pages.
        with_reserve: ``stored`` x (1 + reserve): the right figure beside A22.
        article: The article's capacity formula taken literally; ``None`` without a parameter count.
    """

    name: str
    dtype: Dtype
    formula: str
    context: int
    sessions: int
    reserve: Fraction
    page_tokens: int
    tp: int
    attention: Attention
    bytes_per_token: Fraction
    bounded: Fraction
    state: Fraction
    session: Fraction
    session_paged: Fraction
    allocation: Allocation
    rank: Fraction
    stored: Fraction
    stored_paged: Fraction
    with_reserve: Fraction
    bands: tuple[BandSize, ...]
    new_tokens: int
    parameters: int | None
    article: Fraction | None
    notes: tuple[str, ...]

    @property
    def article_ratio(self) -> Fraction | None:
        """How many times the article's formula exceeds the right figure, both with reserve."""
        return self.article / self.with_reserve if self.article is not None and self.with_reserve else None

    @property
    def turns(self) -> Fraction | None:
        """Turns a second of all bands together, when every band has a period."""
        turns = [band.turns for band in self.bands]
        return None if not turns or None in turns else sum((t for t in turns if t is not None), Fraction(0))

    @property
    def read_rate(self) -> Fraction | None:
        """Bytes a second brought back when every turn reads its whole session."""
        return None if self.turns is None else self.turns * self.session

    @property
    def write_rate(self) -> Fraction | None:
        """Bytes a second of new tokens."""
        return None if self.turns is None else self.turns * self.new_tokens * self.bytes_per_token


def size_sessions(
    shape: KvShape,
    *,
    dtype: Dtype,
    context: int,
    sessions: int,
    new_tokens: int = 0,
    bands: Sequence[HeatBand] = (),
    reserve: Fraction = DEFAULT_RESERVE,
    allocator: Allocator = Allocator(),
    tp: int = 1,
    attention: Attention = Attention.TP,
) -> SizingReport:
    """Size a population of ``sessions`` with ``context`` tokens each.

    Raises:
        InputError: If a count or the reserve is out of range, the bands do not make up the whole, or the
            heads cannot be split over ``tp`` ranks.

    >>> from cmxverify.workload.kv_shape import model_shape
    >>> report = size_sessions(model_shape("llama-3.1-70b"), dtype=Dtype.FP8, context=25_000, sessions=60_000)
    >>> report.formula, int(report.stored)
    ('2 x 80 layers x 8 KV heads x 128 x 1 B', 245760000000000)
    """
    _check(context=context, sessions=sessions, new_tokens=new_tokens, tp=tp, reserve=reserve)
    session = shape.bytes_of_sequence(context, dtype)
    paged = shape.paged_bytes(context, dtype, allocator.page_tokens)
    stored = session * sessions
    return SizingReport(
        name=shape.name,
        dtype=dtype,
        formula=token_formula(shape, dtype),
        context=context,
        sessions=sessions,
        reserve=reserve,
        page_tokens=allocator.page_tokens,
        tp=tp,
        attention=attention,
        bytes_per_token=shape.bytes_per_token(dtype),
        bounded=shape.bounded_bytes(dtype),
        state=shape.state_bytes(dtype),
        session=session,
        session_paged=paged,
        allocation=allocate(shape, context, dtype, allocator=allocator, tp=tp, attention=attention),
        rank=shape.rank_bytes(context, dtype, tp=tp, attention=attention),
        stored=stored,
        stored_paged=paged * sessions,
        with_reserve=stored * (1 + reserve),
        bands=_band_sizes(bands, sessions, session),
        new_tokens=new_tokens,
        parameters=shape.parameters,
        article=_article(shape, context, sessions, reserve),
        notes=shape.notes,
    )


def article_capacity(parameters: int, context: int, sessions: int, reserve: Fraction) -> Fraction:
    """The article's formula A22, literally: parameters x 2 (K and V) x 2 (FP16) x context x requests x (1 + reserve).

    It takes the weights of the model for the size of a token's keys and values, and is offered to be compared.

    >>> float(article_capacity(175_000_000_000, 32_768, 1, Fraction(0)) / 10**15)
    22.9376
    """
    return parameters * 2 * 2 * context * sessions * (1 + reserve)


def token_formula(shape: KvShape, dtype: Dtype) -> str:
    """Bytes a token in words, a term for each group that grows.

    >>> from cmxverify.workload.kv_shape import model_shape
    >>> token_formula(model_shape("deepseek-v3"), Dtype.BF16)
    '61 layers x 576 latent x 2 B'
    """
    return " + ".join(_term(group, dtype) for group in shape.groups if group.grows) or "0 B"


_WORDS: Mapping[Kind, str] = {Kind.LATENT: "latent", Kind.INDEX: "index", Kind.COMPRESSED: "shared"}


def _term(group: LayerGroup, dtype: Dtype) -> str:
    width = (group.dtype or dtype).bytes
    tail = f"{float(width):g} B" + (f" / {group.ratio} tokens" if group.ratio > 1 else "")
    if group.kind in _WORDS:
        return f"{group.layers} layers x {group.k_dim} {_WORDS[group.kind]} x {tail}"
    if not group.stores_v:
        return f"{group.layers} layers x {group.heads} KV heads x {group.k_dim} (K = V) x {tail}"
    if group.k_dim != group.v_dim:
        return f"{group.layers} layers x {group.heads} KV heads x ({group.k_dim} + {group.v_dim}) x {tail}"
    return f"2 x {group.layers} layers x {group.heads} KV heads x {group.k_dim} x {tail}"


def _check(*, context: int, sessions: int, new_tokens: int, tp: int, reserve: Fraction) -> None:
    for name, value, least in (
        ("context", context, 1),
        ("sessions", sessions, 0),
        ("new_tokens", new_tokens, 0),
        ("tp", tp, 1),
    ):
        if value < least:
            raise InputError(f"{name} is {value}", fix=f"It must be {least} or more.")
    if reserve < 0:
        raise InputError(
            f"the reserve is {float(reserve):g}", fix="Take 0 or more; the article takes 0.2 to 0.3."
        )


def _band_sizes(bands: Sequence[HeatBand], sessions: int, session: Fraction) -> tuple[BandSize, ...]:
    total = sum((band.share for band in bands), Fraction(0))
    if bands and total != 1:
        fix = "Shares must add up to 100 %."
        raise InputError(f"the heat bands make up {float(total * 100):g} %", fix=fix)
    sized = []
    for band in bands:
        if band.every is not None and band.every <= 0:
            raise InputError(
                f"band '{band.name}' takes a turn every {band.every} s", fix="Give a time above zero."
            )
        count = band.share * sessions
        sized.append(
            BandSize(band.name, count, count * session, None if band.every is None else count / band.every)
        )
    return tuple(sized)


def _article(shape: KvShape, context: int, sessions: int, reserve: Fraction) -> Fraction | None:
    return (
        None if shape.parameters is None else article_capacity(shape.parameters, context, sessions, reserve)
    )
