"""Small clusters of unlike shapes, each with a workload that has a plan: what is asked of one is asked of all."""

from __future__ import annotations

_BOX = """\
  box:
    nodes:
      gpu[0-1]: {is: h100-sxm, kv: 40 GB}
      host: {is: vera-x2, kv: 100 GB}
      dpu: {is: bluefield-4, rate: 100 GB/s}
    links:
      gpu[0-1] -- host: 100 GB/s
      host -- dpu: 100 GB/s
"""
_FLASH = """{is: tlc-gen6-30tb, tier: G3.5, usable: 8640 GB, read: 80 GB/s, write: 40 GB/s, dwpd: 1 DWPD,
              first_byte: 1 ms, idle: 100 W, full: 300 W}"""
_SSD = _FLASH.replace("G3.5", "G3").replace("8640 GB", "864 GB")
_ENCLOSURE = f"""\
  enclosure:
    nodes:
      dpu: {{is: bluefield-4, rate: 100 GB/s}}
      flash: {_FLASH}
    links:
      dpu -- flash: 100 GB/s
"""
_HEAD = """\
cmxverify: 1
name: small
plan_to: 50%
chunk: 10 GB
hops: {metric: switches}
templates:
"""
_ONE_SWITCH = """\
nodes: {"box[0-3]": box, leaf: sn5610, "cmx[0-2]": enclosure}
links:
  box[0-3].dpu -- leaf: 50 GB/s
  cmx[0-2].dpu -- leaf: 50 GB/s
"""
_RAW = "{runs_on: 'box[0-3]', bytes: 1 TB, read: 10 GB/s, write: 0.02 GB/s, object: 10 GB}"


def _cluster(
    network: str = _ONE_SWITCH, workload: str = f"  a/raw: {_RAW}\n", *, templates: str = _BOX + _ENCLOSURE
) -> str:
    head = (
        _HEAD if workload.startswith("  a/raw") else _HEAD.replace("10 GB", "1638400000 B")
    )  # of 10k tokens
    return f"{head}{templates}{network}workload:\n{workload}"


def _set(name: str = "a/raw", keys: str = "", **changes: str) -> str:
    """A line of the workload: the raw set with keys changed or added."""
    text = _RAW
    for key, value in changes.items():
        start = text.index(f"{key}: ") + len(key) + 2
        end = min(place for place in (text.find(",", start), text.find("}", start)) if place > 0)
        text = text[:start] + value + text[end:]
    return f"  {name}: {text[:-1]}{', ' + keys if keys else ''}}}\n"


_BANDS = "turns: {hot: {share: 10%, every: 10 s}, cold: {share: 90%, every: 100 s}}"
_CHAT = f"""\
  a/chat: {{model: llama-3.1-70b, kv_dtype: fp8, runs_on: "box[0-3]", tp: 2, sessions: 400, context: 10k,
           new_tokens: 20,
           {_BANDS}}}
"""
_TWO_LEVELS = """\
nodes: {"rack[0-1]": rack, "cmx2": enclosure, "spine[0-1]": sn5610}
links:
  rack[0-1].leaf -- spine[0-1]: 50 GB/s
  cmx2.dpu -- spine[0-1]: 50 GB/s
"""
_RACK = """\
  rack:
    nodes: {"box[0-1]": box, leaf: sn5610, cmx: enclosure}
    links:
      box[0-1].dpu -- leaf: 50 GB/s
      cmx.dpu -- leaf: 50 GB/s
"""
_IN_RACKS = "'rack[0-1].box[0-1]'"
_TWO_HOSTS = (
    _BOX.replace("      host: {is: vera-x2, kv: 100 GB}\n", "      host[0-1]: {is: vera-x2, kv: 49152 MB}\n")
    .replace("gpu[0-1] -- host:", "gpu[0-1] -- host[0-1]:")
    .replace("host -- dpu", "host[0-1] -- dpu")
)
_DISKS = _BOX.replace("      dpu:", f"      ssd[0-1]: {_SSD}\n      dpu:").replace(
    "      host -- dpu", "      ssd[0-1] -- host: 20 GB/s\n      host -- dpu"
)
_TWO_DRIVES = (
    _ENCLOSURE.replace("      dpu:", "      dpu[0-1]:")
    .replace("      flash:", "      flash[0-1]:")
    .replace("dpu -- flash", "dpu[0-1] -- flash[0-1]")
)
_DOUBLE_LEAF = """\
nodes: {"box[0-3]": box, "leaf[0-1]": sn5610, "cmx[0-2]": enclosure}
links:
  box[0-3].dpu -- leaf[0-1]: 50 GB/s
  cmx[0-2].dpu0 -- leaf0: 50 GB/s
  cmx[0-2].dpu1 -- leaf1: 50 GB/s
"""
_UNLIKE_DRIVES = _ENCLOSURE.replace(
    "      dpu:", f"      store: {_FLASH.replace('G3.5', 'G3.5').replace('8640', '864')}\n      dpu:"
).replace("      dpu -- flash", "      dpu -- store: 100 GB/s\n      dpu -- flash")
_BIG_BOX = _BOX.replace("box:", "bigbox:").replace("kv: 100 GB", "kv: 300 GB").replace("gpu[0-1]", "gpu[0-3]")

ZOO: dict[str, str] = {
    "one switch": _cluster(),
    "heat bands": _cluster(workload=_CHAT),
    "turns that move": _cluster(workload=_set(keys="sticky: 60%")),
    "turns anywhere": _cluster(workload=_set(keys="sticky: none")),
    "two copies": _cluster(workload=_set(keys="copies: 2, spread: enclosure")),
    "a tenant apart": _cluster(
        workload=_set() + _set("b/own", "isolation: enclosure", runs_on="box0", write="0.01 GB/s")
    ),
    "two sets on one box": _cluster(
        workload=_set() + _set("b/more", runs_on="'box[1-2]'", write="0.01 GB/s")
    ),
    "some of a box's GPUs": _cluster(
        workload=_set(runs_on="'box[0-3].gpu0'")
        + _set("b/more", runs_on="'box[0-1].gpu1'", write="0.01 GB/s")
    ),
    "instances across boxes": _cluster(workload=_CHAT.replace("tp: 2", "tp: 4")),
    "attention dp across boxes": _cluster(workload=_CHAT.replace("tp: 2", "tp: 4, attention: dp")),
    "near and far pools": _cluster(_TWO_LEVELS, _set(runs_on=_IN_RACKS), templates=_BOX + _ENCLOSURE + _RACK),
    "a pool for its rack only": _cluster(
        _TWO_LEVELS,
        _set(runs_on=_IN_RACKS, keys="sticky: rack"),
        templates=_BOX
        + _ENCLOSURE
        + _RACK.replace("cmx: enclosure", "cmx: own-enclosure")
        + _ENCLOSURE.replace("enclosure:", "own-enclosure:").replace(
            "tier: G3.5", "tier: G3.5, shared_by: rack"
        ),
    ),
    "unlike boxes": _cluster(
        _ONE_SWITCH.replace('"box[0-3]": box', '"box[0-1]": box, "box[2-3]": bigbox'),
        _set(bytes="1.2 TB"),
        templates=_BOX + _BIG_BOX + _ENCLOSURE,
    ),
    "two hosts a box": _cluster(workload=_CHAT, templates=_TWO_HOSTS + _ENCLOSURE),
    "disks in boxes": _cluster(workload=_CHAT, templates=_DISKS + _ENCLOSURE),
    "disks for all": _cluster(
        workload=_set(keys="sticky: none"),
        templates=_DISKS.replace("tier: G3", "tier: G3, shared_by: all") + _ENCLOSURE,
    ),
    "disks for a rack": _cluster(
        _TWO_LEVELS,
        _set(runs_on=_IN_RACKS, keys="sticky: none"),
        templates=_DISKS.replace("tier: G3", "tier: G3, shared_by: rack") + _ENCLOSURE + _RACK,
    ),
    "two drives an enclosure": _cluster(_DOUBLE_LEAF, templates=_BOX + _TWO_DRIVES),
    "unlike drives in an enclosure": _cluster(templates=_BOX + _UNLIKE_DRIVES),
    "thick and thin cables": _cluster(
        _DOUBLE_LEAF.replace(
            "  box[0-3].dpu -- leaf[0-1]: 50 GB/s\n",
            "  box[0-1].dpu -- leaf0: 50 GB/s\n  box[0-1].dpu -- leaf1: {rate: 50 GB/s, count: 2}\n"
            "  box[2-3].dpu -- leaf1: 50 GB/s\n  box[2-3].dpu -- leaf0: {rate: 50 GB/s, count: 2}\n",
        ),
        templates=_BOX + _TWO_DRIVES,
    ),
    "no containers": f"""{_HEAD.removesuffix("templates:" + chr(10))}
nodes:
  gpu[0-3]: {{is: h100-sxm, kv: 40 GB}}
  host: {{is: vera-x2, kv: 100 GB}}
  nic: {{is: bluefield-4, rate: 100 GB/s}}
  leaf: sn5610
  flash[0-1]: {_FLASH}
links:
  gpu[0-3] -- host: 100 GB/s
  host -- nic: 100 GB/s
  nic -- leaf: 50 GB/s
  flash[0-1] -- leaf: 50 GB/s
workload:
  a/raw: {{runs_on: "gpu[0-3]", bytes: 1 TB, read: 10 GB/s, write: 0.02 GB/s, object: 10 GB}}
""",
    "GPUs of two kinds in a set": _cluster(
        workload=_set(),
        templates=_BOX.replace(
            "      gpu[0-1]: {is: h100-sxm, kv: 40 GB}\n",
            "      gpu0: {is: h100-sxm, kv: 40 GB}\n      gpu1: {is: h200-sxm, kv: 80 GB}\n",
        )
        + _ENCLOSURE,
    ),
    "power of two racks": _cluster(
        _TWO_LEVELS
        + 'power: {rack: {each: "rack[0-1]", budget: 20 kW}, all: {of: "rack[0-1], cmx2", budget: 100 kW}}\n',
        _set(runs_on=_IN_RACKS),
        templates=_DISKS + _ENCLOSURE + _RACK,
    ),
    "a store behind flash": _cluster(
        _ONE_SWITCH.replace(
            '"cmx[0-2]": enclosure', '"cmx[0-2]": enclosure, store: {is: shared-store, usable: 100 TB}'
        )
        + "  store -- leaf: 50 GB/s\n",
    ),
    "nothing is read": _cluster(workload=_set(read="0 GB/s", write="0 GB/s")),
    "one byte": _cluster(workload=_set(bytes="1 B", read="1 B/s", write="1 B/s")),
    "may be recomputed": _cluster(workload=_set(bytes="60 TB", keys="if_no_room: recompute")),
    "exclusive copies": _cluster(workload=_set(keys="copy: exclusive")),
    "memory alone": _cluster(workload=_set(bytes="320 GB", keys="tiers: [G2]")),
    "HBM alone": _cluster(workload=_set(bytes="200 GB", keys="tiers: [G1]")),
}
