"""A cluster of two boxes and two enclosures, small enough to alter every field of its placement."""

from __future__ import annotations

from pathlib import Path

TINY = """\
cmxverify: 1
name: tiny
plan_to: 80%
chunk: 100 GB
hops: {metric: switches, max: 2}
templates:
  box:
    nodes: {gpu: {kind: gpu, kv: 100 GB, read: 3 TB/s}, host: {kind: host, kv: 300 GB}, nic: {kind: nic, rate: 50 GB/s}}
    links: {gpu -- host: 100 GB/s, host -- nic: 64 GB/s}
  shelf:
    nodes:
      dpu: {kind: dpu, rate: 50 GB/s}
      flash: {kind: flash, usable: 2 TB, read: 40 GB/s, write: 9 GB/s, idle: 100 W, full: 300 W, dwpd: 1 DWPD}
    links: {dpu -- flash: 64 GB/s}
nodes: {"box[0-1]": box, "shelf[0-1]": shelf, leaf: {kind: switch}}
links: {"box[0-1].nic -- leaf": 50 GB/s, "shelf[0-1].dpu -- leaf": 50 GB/s}
power: {all: {of: "shelf[0-1]", budget: 1 kW}}
tenants: {own: {isolation: shelf}}
workload:
  acme/chat: {runs_on: "box[0-1]", bytes: 1.2 TB, read: 9 GB/s, write: 5 MB/s, object: 2 GB, restore: 500 ms}
  own/docs: {runs_on: box0, bytes: 300 GB, read: 2 GB/s, write: 1 MB/s, object: 1 GB, tiers: [G3.5]}
"""
OVERRIDE = "power.all.budget=900 W"


def write_tiny(folder: Path) -> Path:
    """Write it."""
    path = folder / "tiny.yaml"
    path.write_text(TINY)
    return path
