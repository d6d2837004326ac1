"""Topologies to start tests from: a small valid file with every section, a rack, and a pod of sixteen racks."""

SMALL = """\
cmxverify: 1
name: small
plan_to: 80%
hops: {metric: switches, max: 2}
software: {dynamo: "1.6"}
templates:
  tray:
    nodes:
      gpu[0-1]: rubin
      host: {is: vera-x2, kv: 1 TB}
      dpu: bluefield-4
    links:
      gpu[0-1] -- host: 450 GB/s
      host -- dpu: 128 GB/s
  box:
    nodes:
      dpu[0-1]: bluefield-4
      flash: {is: tlc-gen6-30tb, count: 10, tier: G3.5, usable: 300 TB}
    links:
      dpu[0-1] -- flash: 128 GB/s
nodes:
  tray[0-1]: tray
  cmx[0-1]: box
  leaf: sn5610
links:
  tray[0-1].dpu -- leaf: 400 Gb/s
  cmx[0-1].dpu[0-1] -- leaf: {rate: 400 Gb/s, latency: 1 us}
power:
  shelf: {of: "cmx[0-1]", budget: 2 kW}
  every: {each: "cmx[0-1]", budget: 900 W}
prices: {box: 310 kUSD, rubin: 3.50 USD/h, energy: 0.09 USD/kWh, life: 4 years}
tenants: {hooli: {isolation: box}}
workload:
  acme/chat:
    model: llama-3.1-70b
    runs_on: tray0
    sessions: 60k
    context: 25k
    new_tokens: 400
    turns: {hot: {share: 4%, every: 60 s}, cold: {share: 96%, every: 32 min}}
  hooli/raw: {runs_on: tray1, bytes: 5 TB, read: 1 GB/s, write: 0 GB/s, spread: box}
"""

RACK_TEMPLATES = """\
templates:
  tray:
    nodes: {"gpu[0-3]": rubin, host: {is: vera-x2, kv: 1.5 TB}, dpu: bluefield-4}
    links: {"gpu[0-3] -- host": 450 GB/s, host -- dpu: 128 GB/s}
  enclosure:
    nodes:
      dpu[0-1]: bluefield-4
      flash: {is: tlc-gen6-30tb, count: 10, tier: G3.5, usable: 300 TB}
    links: {"dpu[0-1] -- flash": 128 GB/s}
"""

RACK = f"""\
cmxverify: 1
name: rack
{RACK_TEMPLATES}
nodes: {{"tray[00-17]": tray, "leaf[0-1]": sn5610, "cmx[0-3]": enclosure}}
links:
  tray[00-17].dpu -- leaf[0-1]: 400 Gb/s
  cmx[0-3].dpu[0-1] -- leaf[0-1]: 400 Gb/s
"""

POD = f"""\
cmxverify: 1
name: pod
{RACK_TEMPLATES.replace("dpu[0-1]", "dpu[0-3]").replace("count: 10", "count: 20").replace("300 TB", "600 TB")}
  gpu-rack:
    nodes: {{"tray[00-17]": tray, "leaf[0-1]": sn5610}}
    links: {{"tray[00-17].dpu -- leaf[0-1]": 400 Gb/s}}
  store-rack:
    nodes: {{"cmx[00-15]": enclosure, "leaf[0-1]": sn5610}}
    links: {{"cmx[00-15].dpu[0-3] -- leaf[0-1]": 400 Gb/s}}
nodes: {{"rack[00-15]": gpu-rack, "store[0-1]": store-rack, "spine[0-3]": sn5610}}
links:
  rack[00-15].leaf[0-1] -- spine[0-3]: 800 Gb/s
  store[0-1].leaf[0-1] -- spine[0-3]: {{rate: 800 Gb/s, count: 8}}
"""

FLAT = """\
cmxverify: 1
name: flat
nodes:
  gpu: {kind: gpu, kv: 80 GB}
  host: {kind: host, kv: 1 TB}
links:
  gpu -- host: 64 GB/s
"""
"""Two devices that are not of the catalog, without templates: the least to add one thing to."""


def flat(*, nodes: str = "", links: str = "", more: str = "") -> str:
    """``FLAT`` with lines added to its nodes (from line 6), to its links, and after them."""
    text = FLAT.replace("links:\n", f"{_indented(nodes)}links:\n")
    return text + _indented(links) + more


def _indented(lines: str) -> str:
    return "".join(f"  {line}\n" for line in lines.splitlines())
