"""Small topologies of every shape, for tests of what people see."""

from __future__ import annotations

from pathlib import Path

from cmxverify.topology.load import load_topology
from cmxverify.topology.model import Topology

TEMPLATES = """
templates:
  tray:
    nodes: {"gpu[0-3]": rubin, host: {is: vera-x2, kv: 1.5 TB}, dpu: bluefield-4}
    links: {"gpu[0-3] -- host": 450 GB/s, host -- dpu: 128 GB/s}
  enclosure:
    nodes: {"dpu[0-1]": bluefield-4, flash: {is: tlc-gen6-30tb, count: 10, tier: G3.5, usable: 300 TB}}
    links: {"dpu[0-1] -- flash": 128 GB/s}
  gpu-rack:
    nodes: {"tray[00-17]": tray, "leaf[0-1]": sn5610}
    links: {"tray[00-17].dpu -- leaf[0-1]": 400 Gb/s}
  store-rack:
    nodes: {"cmx[00-15]": enclosure, "leaf[0-1]": sn5610}
    links: {"cmx[00-15].dpu[0-1] -- leaf[0-1]": 400 Gb/s}
"""

RACK = f"""cmxverify: 1
name: rack
hops: {{metric: switches, max: 2}}
{TEMPLATES}
nodes: {{"tray[00-17]": tray, "leaf[0-1]": sn5610, "cmx[0-3]": enclosure}}
links:
  tray[00-17].dpu -- leaf[0-1]: 400 Gb/s
  cmx[0-3].dpu[0-1] -- leaf[0-1]: 400 Gb/s
power: {{shelf: {{of: "cmx[0-3]", budget: 2 kW}}}}
workload:
  acme/chat: {{model: llama-3.1-70b, kv_dtype: fp8, runs_on: "tray[00-07]", tp: 4, sessions: 60k, context: 25k,
              new_tokens: 400, turns: {{every: 20 min}}}}
"""

POD = f"""cmxverify: 1
name: pod
hops: {{metric: switch_links, max: 2}}
{TEMPLATES}
nodes: {{"rack[00-15]": gpu-rack, "store[0-1]": store-rack, "spine[0-3]": sn5610}}
links:
  rack[00-15].leaf[0-1] -- spine[0-3]: 800 Gb/s
  store[0-1].leaf[0-1] -- spine[0-3]: {{rate: 800 Gb/s, count: 8}}
power: {{store-rack: {{each: "store[0-1]", budget: 14 kW}}, site: {{of: "store[0-1]", budget: 26 kW}}}}
"""

HBM_ONLY = """cmxverify: 1
name: hbm-only
nodes: {"gpu[0-7]": {kind: gpu, kv: 100 GB}}
"""

MANY_TRAYS = f"""cmxverify: 1
name: many-trays
{TEMPLATES}
nodes: {{"tray[00-63]": tray, "leaf[0-3]": sn5610, lake: {{kind: store, usable: 9 PB, idle: 1 kW, full: 2 kW}}}}
links:
  tray[00-63].dpu -- leaf[0-3]: 400 Gb/s
  lake -- leaf[0-3]: 800 Gb/s
"""


def _file(name: str, nodes: list[str], links: list[str]) -> str:
    lines = ["cmxverify: 1", f"name: {name}", "nodes:", *(f"  {node}" for node in nodes)]
    return "\n".join([*lines, "links:", *(f"  {link}" for link in links)]) + "\n"


def _flat() -> str:
    """Forty-eight servers without containers on six leaves, as an imported graph looks."""
    nodes = ["node[00-47]: {kind: gpu, kv: 500 GB}", "leaf[0-5]: sn5610", "spine[0-1]: sn5610"]
    nodes += ["store[0-2]: {kind: store, usable: 900 TB, idle: 1 kW, full: 2 kW}"]
    links = [f"node[{8 * leaf:02d}-{8 * leaf + 7:02d}] -- leaf{leaf}: 400 Gb/s" for leaf in range(6)]
    links += [
        "leaf[0-5] -- spine[0-1]: 800 Gb/s",
        "store[0-2] -- leaf[0-2]: {rate: 100 Gb/s, pairwise: true}",
    ]
    return _file("flat", nodes, links)


def _irregular() -> str:
    """Sixty edge switches with one to seven servers of two sizes each, over thirty in a second level."""
    nodes, links, count = ["edge-[00-59]: sn5610", "agg-[00-29]: sn5610"], [], 0
    for edge in range(60):
        for at in range(1 + edge * 7 % 8):
            nodes.append(f"n{count:03d}: {{kind: gpu, kv: {100 + 100 * (at % 2)} GB}}")
            links.append(f"n{count:03d} -- edge-{edge:02d}: {100 * (1 + at % 4)} Gb/s")
            count += 1
        links.append(f"edge-{edge:02d} -- agg-{edge % 30:02d}: 400 Gb/s")
    links += [f"agg-{at:02d} -- agg-{at + 1:02d}: 800 Gb/s" for at in range(29)]
    return _file("irregular", nodes, links)


TEXTS = {
    "rack": RACK,
    "pod": POD,
    "hbm-only": HBM_ONLY,
    "many-trays": MANY_TRAYS,
    "flat": _flat(),
    "irregular": _irregular(),
}


def sample(name: str, folder: Path) -> Topology:
    """Load one of the samples from a file in ``folder``."""
    path = folder / f"{name}.yaml"
    path.write_text(TEXTS[name], encoding="utf-8")
    return load_topology(path)
