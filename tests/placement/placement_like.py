"""Programs that look like placements: bands of chunks on host copies and flash pools, four levels."""

from __future__ import annotations

from random import Random

from cmxverify.placement.proof.program import Objective, Program, Row, Sense, Variable


def placement_like(
    *, bands: int, hosts: int, pools: int, seed: int, fill: float = 0.7, hop_filter: float = 0.5
) -> Program:
    """A band may live on (host or no host) x pool, or be recomputed; ``fill`` sets how full the pools get."""
    random = Random(seed)
    chunks = [random.randint(1, 5000) for _ in range(bands)]
    chains = [_chains(random, hosts, pools, hop_filter) for _ in range(bands)]
    variables = [Variable(f"on[p{p}]", 0, random.randint(4, 24)) for p in range(pools)]
    variables += [Variable(f"none[b{b}]", 0, chunks[b]) for b in range(bands)]
    variables += [Variable(_name(b, h, p), 0, chunks[b]) for b in range(bands) for h, p in chains[b]]
    placed = [(b, h, p) for b in range(bands) for h, p in chains[b]]
    rows = [_demand(b, chunks[b], chains[b]) for b in range(bands)]
    rows += _host_rows(random, hosts, placed, sum(chunks))
    rows += _pool_rows(random, pools, placed, variables[:pools], chunks, fill)
    return Program(tuple(variables), tuple(rows), _objectives(random, bands, pools, placed))


def _name(b: int, h: int, p: int) -> str:
    return f"n[b{b}|h{h},p{p}]" if h >= 0 else f"n[b{b}|p{p}]"


def _chains(random: Random, hosts: int, pools: int, hop_filter: float) -> list[tuple[int, int]]:
    near = [p for p in range(pools) if random.random() >= hop_filter] or [random.randrange(pools)]
    host = random.randrange(hosts) if hosts else -1
    return [(h, p) for p in near for h in ((-1, host) if host >= 0 else (-1,))]


def _demand(b: int, count: int, chains: list[tuple[int, int]]) -> Row:
    terms = {f"none[b{b}]": 1, **{_name(b, h, p): 1 for h, p in chains}}
    return Row(f"demand of b{b}", terms, Sense.EQUAL, count, (f"band b{b}",))


def _host_rows(random: Random, hosts: int, placed: list[tuple[int, int, int]], total: int) -> list[Row]:
    capacity = total // max(4 * hosts, 1)
    return [
        Row(
            f"capacity of h{host}",
            {_name(b, h, p): 1 for b, h, p in placed if h == host},
            Sense.AT_MOST,
            random.randint(capacity // 2, capacity + 1),
            (f"host h{host}",),
        )
        for host in range(hosts)
    ]


def _pool_rows(
    random: Random,
    pools: int,
    placed: list[tuple[int, int, int]],
    on: list[Variable],
    chunks: list[int],
    fill: float,
) -> list[Row]:
    read = [random.randint(100, 9000) for _ in chunks]
    write = [random.randint(1, 300) for _ in chunks]
    rows: list[Row] = []
    for p in range(pools):
        here = [(b, _name(b, h, p), h) for b, h, q in placed if q == p]
        share = sum(chunks) / pools / fill / on[p].upper
        switch = f"on[p{p}]"
        each = max(int(share), 1)
        rate = max(int(share * random.uniform(2500, 6000)), 1)
        endurance = max(int(share * random.uniform(100, 250)), 1)
        rows.append(_per_unit(f"capacity of p{p}", {n: 1 for _, n, _ in here}, switch, each))
        reads = {n: read[b] // (3 if h >= 0 else 1) for b, n, h in here}
        rows.append(_per_unit(f"read rate of p{p}", reads, switch, rate))
        rows.append(_per_unit(f"endurance of p{p}", {n: write[b] for b, n, _ in here}, switch, endurance))
    power = {f"on[p{p}]": random.randint(300, 900) for p in range(pools)}
    budget = int(sum(power[v.name] * v.upper for v in on) * random.uniform(0.7, 1.0))
    return [*rows, Row("power budget", power, Sense.AT_MOST, budget, ("power budget",))]


def _per_unit(name: str, terms: dict[str, int], switch: str, each: int) -> Row:
    return Row(name, {**terms, switch: -each}, Sense.AT_MOST, 0, (name,))


def _objectives(
    random: Random, bands: int, pools: int, placed: list[tuple[int, int, int]]
) -> tuple[Objective, ...]:
    turns = [random.randint(1, 4000) for _ in range(bands)]
    flash = [random.randint(20_000, 90_000) for _ in range(pools)]
    late = {f"none[b{b}]": turns[b] for b in range(bands)}
    restore = {f"none[b{b}]": turns[b] * 400 for b in range(bands)}
    restore |= {_name(b, h, p): turns[b] * flash[p] // (900 if h >= 0 else 300) for b, h, p in placed}
    power = {f"on[p{p}]": random.randint(300_000, 900_000) for p in range(pools)}
    power |= {_name(b, h, p): random.randint(10, 400) for b, h, p in placed}
    cost = {f"on[p{p}]": random.randint(1000, 9000) for p in range(pools)}
    cost |= {_name(b, h, p): random.randint(1, 20) + (30 if h >= 0 else 0) for b, h, p in placed}
    return tuple(
        Objective(*level)
        for level in (("late", late), ("restore", restore), ("power", power), ("cost", cost))
    )
