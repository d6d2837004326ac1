"""Small random clusters as YAML: boxes, pools and working sets of every kind that placement knows."""

from __future__ import annotations

from pathlib import Path
from random import Random

from cmxverify.topology.load import load_topology
from cmxverify.topology.model import Topology


def random_topology(random: Random, folder: Path) -> Topology:
    """Write one and read it; solvable more often than not, since devices are large for the sets."""
    path = folder / "random.yaml"
    path.write_text(random_text(random))
    return load_topology(path)


def random_text(random: Random) -> str:
    """Two to four boxes in one or two racks, one to three pools, one to four working sets."""
    kinds = [random.choice(["same", "same", "other"]) for _ in range(random.randint(1, 3))]
    boxes = random.randint(2, 4)
    sets = "\n".join(_set(random, index, boxes, kinds) for index in range(random.randint(1, 4)))
    lines = [
        "cmxverify: 1",
        "name: random",
        f"plan_to: {random.choice([80, 70, 100])}%",
        "chunk: 100 GB",
        "templates:",
        *_box(random),
    ]
    dpus = {kind: random.choice(["dpu0", "dpu[0-1]"]) for kind in dict.fromkeys(kinds)}
    for kind in dpus:
        lines += _enclosure(random, kind, dpus[kind])
    lines += ["nodes:", f"  box[0-{boxes - 1}]: box", "  leaf[0-1]: {kind: switch}"]
    if spine := random.random() < 0.3:
        lines += ["  core: {kind: switch}"]
    pools = [f"pool{n}-[0-{random.randint(0, 2)}]" for n in range(len(kinds))]
    lines += [f"  {pool}: enclosure-{kind}" for pool, kind in zip(pools, kinds, strict=True)]
    lines += ["links:", f"  box[0-{boxes - 1}].nic -- leaf[0-1]: {random.choice([10, 25, 50])} GB/s"]
    if spine:
        lines += ["  leaf[0-1] -- core: {rate: 50 GB/s, count: 2}"]
    for pool, kind in zip(pools, kinds, strict=True):
        ends = random.choice(["leaf[0-1]", "leaf[0-1]", "leaf0", *(["core"] if spine else [])])
        count = random.choice([1, 1, 2])
        lines += [f"  {pool}.{dpus[kind]} -- {ends}: {{rate: {random.choice([10, 20, 40])} GB/s, count: {count}}}"]
    lines += ["power:", f"  all: {{of: 'pool*', budget: {random.choice([1, 2, 3])} kW}}"]
    lines += ["tenants: {own: {isolation: enclosure-same}}"] if "same" in kinds else []
    return "\n".join([*lines, "workload:", sets]) + "\n"


def _box(random: Random) -> list[str]:
    gpus = random.choice([1, 2])
    disk = random.choice(["", "ssd0", "ssd[0-1]"])
    room = random.choice([100, 300])
    lines = ["  box:", "    nodes:", f"      gpu[0-{gpus - 1}]: {{kind: gpu, kv: {room} GB, read: 3 TB/s}}"]
    lines += [f"      host: {{kind: host, kv: {random.choice([200, 500])} GB}}"]
    lines += ["      nic: {kind: nic, rate: 60 GB/s}"]
    if disk:
        wear = random.choice(["", ", dwpd: 1 DWPD"])
        figures = "usable: 400 GB, read: 6 GB/s, write: 3 GB/s, idle: 5 W, full: 20 W"
        lines += [f"      {disk}: {{kind: flash, {figures}{wear}}}"]
    lines += ["    links:", f"      gpu[0-{gpus - 1}] -- host: 100 GB/s", "      host -- nic: 64 GB/s"]
    return lines + ([f"      host -- {disk}: 8 GB/s"] if disk else [])


def _enclosure(random: Random, kind: str, dpus: str) -> list[str]:
    flash = random.choice(["flash", "flash", "flash[0-1]"])
    usable, read = random.choice([1, 3]), random.choice([20, 60])
    figures = f"kind: flash, usable: {usable} TB, read: {read} GB/s, write: 10 GB/s"
    return [
        f"  enclosure-{kind}:",
        "    nodes:",
        f"      {dpus}: {{kind: dpu, rate: {random.choice([15, 50])} GB/s}}",
        f"      {flash}: {{{figures}, first_byte: 100 us, idle: 100 W, full: 300 W, dwpd: 1 DWPD}}",
        f"    links: {{'{dpus} -- {flash}': {random.choice([20, 64])} GB/s}}",
    ]


def _set(random: Random, index: int, boxes: int, kinds: list[str]) -> str:
    first = random.randrange(boxes)
    last = random.randint(first, boxes - 1)
    tenant = random.choice(["acme", "acme", "own"])
    size, read = random.choice([150, 400, 900]), random.choice([1, 4, 9])
    keys = [f"runs_on: 'box[{first}-{last}]'", f"bytes: {size} GB", f"read: {read} GB/s", "write: 5 MB/s"]
    keys.append("object: 2 GB")
    keys.append(random.choice(["sticky: tray", "sticky: rack", "sticky: none", "sticky: 60%"]))
    spread = f"copies: 2, spread: enclosure-{random.choice(kinds)}"
    limits = ["copy: exclusive", "tiers: [G2, G3]", "tiers: [G1, G3.5]"]
    extra = random.choice(["", "", f"copies: {random.choice([2, 3])}", spread, *limits])
    keys += [extra] if extra else []
    if random.random() < 0.6:
        keys.append("if_no_room: recompute")
    if random.random() < 0.3:
        keys.append(f"restore: {random.choice([150, 600])} ms")
    return f"  {tenant}/set{index}: {{{', '.join(keys)}}}"
