from __future__ import annotations

from fractions import Fraction
from pathlib import Path

from cmxverify.topology.gpu_memory import gpu_memory
from cmxverify.topology.inlets import narrowest_inlet
from cmxverify.topology.load import load_topology
from cmxverify.topology.model import Tier, Topology
from cmxverify.topology.routes import Router, hop_count
from cmxverify.topology.summary import summarise

TRAFFIC = "sessions: 1k, context: 1k, new_tokens: 1, turns: {every: 1 h}"
SET = f"{{model: llama-3.1-70b, kv_dtype: fp8, runs_on: %s, tp: 4, {TRAFFIC}}}"


def _trays(tmp_path: Path, *, workload: str = "", gpu: str = "rubin", uplink: str = "400 Gb/s") -> Topology:
    path = tmp_path / "t.yaml"
    sets = f"workload:\n{workload}" if workload else ""
    path.write_text(
        f"""cmxverify: 1
name: t
templates:
  tray:
    nodes: {{"gpu[0-3]": {gpu}, host: {{is: vera-x2, kv: 1 TB}}, dpu: bluefield-4}}
    links: {{"gpu[0-3] -- host": 450 GB/s, host -- dpu: 128 GB/s}}
nodes: {{"tray[0-1]": tray, "leaf[0-1]": sn5610, spine: sn5610,
  near: {{kind: store, usable: 9 TB, read: 80 GB/s, idle: 1 kW, full: 2 kW}},
  far: {{kind: store, usable: 9 TB, read: 80 GB/s, idle: 1 kW, full: 2 kW}}}}
links: {{"tray[0-1].dpu -- leaf[0-1]": {uplink}, "leaf[0-1] -- spine": 800 Gb/s, near -- leaf0: 800 Gb/s,
  far -- spine: 800 Gb/s}}
{sets}
""",
        encoding="utf-8",
    )
    return load_topology(path)


def test_room_is_ninety_per_cent_of_hbm_without_a_workload(tmp_path: Path) -> None:
    """8 x 288 GB x 0.9, and nothing taken off."""
    memory = gpu_memory(_trays(tmp_path))

    assert (memory.room, memory.weights) == (8 * 288 * 10**9 * Fraction(9, 10), 0)


def test_weights_are_those_of_every_running_instance(tmp_path: Path) -> None:
    """Four GPUs under tp 4 hold the weights once, in fp8 as the KV."""
    memory = gpu_memory(_trays(tmp_path, workload=f"  a/b: {SET % 'tray0'}"))

    assert memory.weights == 70_553_706_496


def test_sets_with_the_same_model_share_its_instances(tmp_path: Path) -> None:
    """Two tenants on the same GPUs do not load the weights twice."""
    both = f"  a/b: {SET % 'tray0'}\n  c/d: {SET % 'tray0'}"

    assert gpu_memory(_trays(tmp_path, workload=both)).weights == 70_553_706_496


def test_a_stated_room_is_taken_as_it_is(tmp_path: Path) -> None:
    """`kv` of a GPU is room for KV: no share, no weights."""
    memory = gpu_memory(_trays(tmp_path, gpu="{is: rubin, kv: 100 GB}", workload=f"  a/b: {SET % 'tray0'}"))

    assert (memory.room, memory.given) == (8 * 100 * 10**9, 8)


def test_gpus_that_weights_overfill_have_no_room(tmp_path: Path) -> None:
    """Sixteen-bit weights of 70 B parameters do not fit one GPU of 141 GB; the others are untouched."""
    wide = (SET % "tray0").replace("fp8", "bf16").replace("tp: 4", "tp: 1")
    memory = gpu_memory(_trays(tmp_path, gpu="h200-sxm", workload=f"  a/b: {wide}"))

    assert (memory.crowded, memory.room) == (4, 4 * 141 * 10**9 * Fraction(9, 10))


def test_inlet_names_the_dpu_when_it_binds(tmp_path: Path) -> None:
    """Two cables of 100 GB/s are more than the DPU passes."""
    inlet = narrowest_inlet(_trays(tmp_path, uplink="800 Gb/s"))

    assert inlet is not None
    assert (inlet.title, inlet.rate_a_gpu) == ("tray DPU", 25 * 10**9)


def test_inlet_names_the_cables_when_they_bind(tmp_path: Path) -> None:
    """Two cables of 12.5 GB/s are less than the DPU passes."""
    inlet = narrowest_inlet(_trays(tmp_path, uplink="100 Gb/s"))

    assert inlet is not None
    assert (inlet.title, inlet.rate_a_gpu) == ("tray uplinks", Fraction(25 * 10**9, 4))


def test_hops_span_the_nearest_and_the_farthest(tmp_path: Path) -> None:
    """Representatives give the same range as every pair of place and GPU."""
    topology = _trays(tmp_path)
    router = Router(topology)
    gpus = [name for name in topology.nodes if ".gpu" in name]
    expected = {
        hop_count(router.read_route(place, [gpu]), topology.hops.metric)
        for place in ("near", "far")
        for gpu in gpus
    }

    shared = next(tier for tier in summarise(topology).tiers if tier.tier is Tier.G4)
    assert shared.hops == (min(expected), max(expected)) == (1, 2)


def test_equal_boxes_on_unequal_cables_are_told_apart(tmp_path: Path) -> None:
    """Two stores of one kind deliver what their own cables let through."""
    path = tmp_path / "t.yaml"
    store = "{kind: store, usable: 9 TB, read: 80 GB/s, idle: 1 kW, full: 2 kW}"
    path.write_text(
        f"""cmxverify: 1
name: t
nodes: {{gpu: rubin, leaf: sn5610, "store[0-1]": {store}}}
links: {{gpu -- leaf: 800 Gb/s, store0 -- leaf: 400 Gb/s, store1 -- leaf: 100 Gb/s}}
""",
        encoding="utf-8",
    )
    shared = summarise(load_topology(path)).tiers[-1]

    assert (shared.read, shared.read_a_gpu) == ((12_500_000_000, 50_000_000_000), 62_500_000_000)
