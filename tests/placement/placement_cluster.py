"""A cluster small enough to compute by hand: two boxes of two GPUs, one switch, two flash enclosures.

Rates are planned to half: cables to the switch carry 25 GB/s, all others 50 GB/s. An enclosure has 8,640 GB, so at one
drive write a day it endures 0.1 GB/s. The set of ``RAW`` has 100 objects of 10 GB, read once a second in all.
"""

from __future__ import annotations

import re

CLUSTER = """\
cmxverify: 1
name: small
plan_to: 50%
chunk: 10 GB
hops: {metric: switches, max: 1}
templates:
  box:
    nodes:
      gpu[0-1]: {is: h100-sxm, kv: 40 GB}
      host: {is: vera-x2, kv: 100 GB}
      dpu: {is: bluefield-4, rate: 100 GB/s}
    links:
      gpu[0-1] -- host: 100 GB/s
      host -- dpu: 100 GB/s
  enclosure:
    nodes:
      dpu: {is: bluefield-4, rate: 100 GB/s}
      flash: {is: tlc-gen6-30tb, tier: G3.5, usable: 8640 GB, read: 80 GB/s, write: 40 GB/s, dwpd: 1 DWPD,
              first_byte: 1 ms, idle: 100 W, full: 300 W}
    links:
      dpu -- flash: 100 GB/s
nodes: {"box[0-1]": box, leaf: sn5610, "cmx[0-1]": enclosure}
links:
  box[0-1].dpu -- leaf: 50 GB/s
  cmx[0-1].dpu -- leaf: 50 GB/s
"""

RAW = "  a/raw: {runs_on: 'box[0-1]', bytes: 1 TB, read: 10 GB/s, write: 0.05 GB/s, object: 10 GB}\n"
SESSIONS = """\
  a/chat: {model: llama-3.1-70b, kv_dtype: fp8, runs_on: "box[0-1]", tp: 2, sessions: 1k, context: 10k, new_tokens: 100,
           turns: {hot: {share: 10%, every: 10 s}, cold: {share: 90%, every: 100 s}}}
"""


def cluster(workload: str = RAW, *changes: tuple[str, str], more: str = "") -> str:
    """The cluster's text with a workload, further lines, and each change made: (old, new), old exactly once."""
    text = f"{CLUSTER}{more}workload:\n{workload}"
    for old, new in changes:
        assert text.count(old) == 1, f"{text.count(old)} times: {old}"
        text = text.replace(old, new)
    return text


def with_keys(keys: str, workload: str = RAW) -> str:
    """A workload of one set on one line, with further keys: ``copies: 2``."""
    return re.sub(r"\}\n$", f", {keys}}}\n", workload)
