"""A small CMX cluster that every rule of ``published`` accepts, and a way to change its text."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from cmxverify.topology.load import load_topology
from cmxverify.topology.model import Topology
from cmxverify.topology.rules.registry import judge
from cmxverify.topology.rules.rule import Finding
from cmxverify.topology.rules.subject import Profile

Edit = tuple[str, str]
"""A text of the file and what to write in its place."""

GOOD = """\
cmxverify: 1
name: good
plan_to: 80%
software: {dynamo: "1.5", nixl: "1.4", doca: "4.4"}
templates:
  tray:
    nodes:
      gpu[0-3]: rubin
      host: {is: vera-x2, kv: 1.5 TB}
      ssd: {is: solidigm-d7-ps1030, count: 4, usable: 25.6 TB}
      dpu: bluefield-4
    links:
      gpu[0-3] -- host: 450 GB/s
      ssd -- host: 64 GB/s
      host -- dpu: 128 GB/s
  enclosure:
    nodes:
      dpu[0-1]: bluefield-4
      flash: {is: tlc-gen6-30tb, count: 10, usable: 300 TB}
    links:
      dpu[0-1] -- flash: 128 GB/s
nodes:
  tray[0-1]: tray
  leaf[0-1]: sn5610
  cmx[0-1]: enclosure
links:
  tray[0-1].dpu -- leaf[0-1]: 400 Gb/s
  cmx[0-1].dpu[0-1] -- leaf[0-1]: 400 Gb/s
power:
  shelf: {of: "cmx[0-1]", budget: 1 kW}
workload:
  acme/chat: {model: llama-3.1-70b, kv_dtype: fp8, runs_on: "tray[0-1]", tp: 4, sessions: 10k, context: 25k,
              new_tokens: 400, turns: {every: 20 min}}
"""

BY_ARTICLE: Sequence[Edit] = (
    ('dynamo: "1.5"', 'dynamo: "2.0"'),
    ("dpu: bluefield-4\n", "dpu: {is: bluefield-4-article, ports: 2, port_rate: 200 Gb/s}\n"),
    ("dpu[0-1]: bluefield-4\n", "dpu[0-1]: bluefield-4-article\n"),
    ("host -- dpu: 128 GB/s", "host -- dpu: 64 GB/s"),
    ("dpu[0-1] -- flash: 128 GB/s", "dpu[0-1] -- flash: 64 GB/s"),
    ("count: 10, usable: 300 TB", "count: 5, usable: 150 TB"),
    ("tray[0-1].dpu -- leaf[0-1]: 400 Gb/s", "tray[0-1].dpu -- leaf[0-1]: 200 Gb/s"),
    ("budget: 1 kW", "budget: 500 W"),
    (
        "cmx[0-1].dpu[0-1] -- leaf[0-1]: 400 Gb/s",
        "cmx[0-1].dpu0 -- leaf0: 400 Gb/s\n  cmx[0-1].dpu1 -- leaf1: 400 Gb/s",
    ),
)
"""Edits that turn the good cluster into one that the article accepts, too."""

# Texts that edits replace, and edits that put a spine between GPUs and CMX.
TRAY_LINK = "tray[0-1].dpu -- leaf[0-1]: 400 Gb/s"
CMX_LINK = "cmx[0-1].dpu[0-1] -- leaf[0-1]: 400 Gb/s"
FLASH = "flash: {is: tlc-gen6-30tb, count: 10, usable: 300 TB}"
SSD = "ssd: {is: solidigm-d7-ps1030, count: 4, usable: 25.6 TB}"
TRAY_DPU = "dpu: bluefield-4\n"
SPINE: tuple[Edit, ...] = (
    ("leaf[0-1]: sn5610", "leaf[0-1]: sn5610\n  spine: sn5610"),
    (TRAY_LINK, "tray[0-1].dpu -- leaf0: 400 Gb/s"),
    (CMX_LINK, "cmx[0-1].dpu[0-1] -- leaf1: 400 Gb/s\n  leaf[0-1] -- spine: 800 Gb/s"),
)


def write(folder: Path, *edits: Edit) -> Path:
    """The good cluster with these edits, as a file; each must apply exactly once."""
    text = GOOD
    for old, new in edits:
        assert text.count(old) == 1, f"{old!r} stands {text.count(old)} times in the text"
        text = text.replace(old, new)
    path = folder / "rack.yaml"
    path.write_text(text, encoding="utf-8")
    return path


def load(folder: Path, *edits: Edit) -> Topology:
    """The good cluster with these edits."""
    return load_topology(write(folder, *edits))


def findings(folder: Path, profile: str, *edits: Edit) -> list[Finding]:
    """What the rules of a profile say of the edited cluster."""
    return list(judge(load(folder, *edits), Profile(profile)))


def of_rule(rule: str, found: Sequence[Finding]) -> list[Finding]:
    """The findings of one rule that are breaches."""
    return [each for each in found if each.rule.id == rule and not each.ok]
