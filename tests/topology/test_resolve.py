from collections.abc import Callable
from fractions import Fraction

import pytest
from sample_texts import FLAT, SMALL, flat

from cmxverify.topology.model import NodeKind, Tier, Topology

Load = Callable[..., Topology]
Refusal = Callable[..., str]
STORE = "s: {kind: store, usable: 1 PB, read: 80 GB/s, write: 40 GB/s, idle: 1 kW, full: 2 kW}"


def test_a_file_may_do_without_the_catalog(load: Load) -> None:
    """Devices of their own kind take every figure from the file; what is missing and not needed stays None."""
    topology = load(flat(nodes=STORE, links="host -- s: 10 GB/s"))
    place = topology.places["s"]
    assert (place.tier, place.capacity, place.read, place.full_w) == (Tier.G4, 10**15, 80 * 10**9, 2000)
    assert topology.nodes["s"].device == "store"
    assert topology.places["host"].read is None


def test_the_file_wins_over_the_catalog(load: Load) -> None:
    """``kv`` replaces the catalog's room; the rest of the device's figures stay."""
    topology = load(SMALL)
    assert topology.places["tray0.host"].capacity == 10**12
    assert topology.places["cmx0.flash"].capacity == 300 * 10**12


def test_catalog_figures_of_flash_are_per_drive(load: Load) -> None:
    """Ten drives read ten times as fast as one; a rate in the file is of the whole node."""
    one = load(SMALL.replace("count: 10, tier", "tier")).places["cmx0.flash"]
    ten = load(SMALL).places["cmx0.flash"]
    given_rate = load(SMALL.replace("count: 10,", "count: 10, read: 7 GB/s,")).places["cmx0.flash"]
    assert one.read is not None
    assert (ten.read, ten.idle_w, given_rate.read) == (10 * one.read, 10 * one.idle_w, 7 * 10**9)


def test_assumed_figures_are_noted_once_each(load: Load) -> None:
    """What nobody publishes is listed by device and key, however many nodes use it."""
    noted = [(each.device, each.key) for each in load(SMALL).assumed]
    assert len(noted) == len(set(noted))
    assert ("tlc-gen6-30tb", "idle") in noted


def test_an_override_is_not_assumed(load: Load) -> None:
    """A figure that the file gives is the user's own."""
    text = SMALL.replace("count: 10,", "count: 10, idle: 250 W, full: 550 W, first_byte: 200 us,")
    assert not {"idle", "full", "first_byte"} & {each.key for each in load(text).assumed}


def test_flash_beside_a_gpu_is_local(load: Load) -> None:
    """Flash in a box with GPUs is G3 and serves that box; in a box of its own it is G3.5 and serves all."""
    text = SMALL.replace(
        "      dpu: bluefield-4\n", "      dpu: bluefield-4\n      ssd: {is: tlc-gen6-30tb, count: 2}\n", 1
    )
    text = text.replace(
        "      host -- dpu: 128 GB/s\n", "      host -- dpu: 128 GB/s\n      host -- ssd: 28 GB/s\n"
    ).replace("tier: G3.5, ", "")
    places = load(text).places
    assert (places["tray0.ssd"].tier, places["tray0.ssd"].scope, places["tray0.ssd"].unit) == (
        Tier.G3,
        "tray0",
        "tray0.ssd",
    )
    assert (places["cmx0.flash"].tier, places["cmx0.flash"].scope, places["cmx0.flash"].unit) == (
        Tier.G35,
        None,
        "cmx0",
    )


def test_shared_by_widens_a_scope(load: Load) -> None:
    """A host may serve all GPUs, or those of a template around it."""
    text = SMALL.replace("kv: 1 TB}", "kv: 1 TB, shared_by: all}")
    assert load(text).places["tray0.host"].scope is None
    text = SMALL.replace("kv: 1 TB}", "kv: 1 TB, shared_by: tray}")
    assert load(text).places["tray0.host"].scope == "tray0"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            flat(nodes="x: sn56100"),
            "rack.yaml:6:3: 'sn56100' is neither a template nor in the catalog\n  Did you mean 'sn5610'?",
        ),
        (
            SMALL.replace("cmx[0-1]: box", "cmx[0-1]: boxx"),
            "rack.yaml:23:3: 'boxx' is neither a template nor in the catalog\n  Did you mean 'box'?",
        ),
        (
            flat(nodes="x: {latency: 1 us}"),
            "rack.yaml:6:3: 'x' has neither 'is' nor 'kind'\n  Name a device: is: rubin.",
        ),
        (
            flat(nodes="x: {is: rubin, kind: switch}"),
            "rack.yaml:6:18: 'rubin' is a gpu, not a switch\n"
            "  Leave out 'kind', or leave out 'is' and give the figures.",
        ),
        (
            flat(nodes="x: {kind: flash, usable: 1 TB}", links="host -- x: 1 GB/s"),
            "rack.yaml:6:3: 'x' (flash) has no idle\n  Give it: {is: ..., idle: ...}.",
        ),
        (flat(nodes="x: {kind: gpu}"), "rack.yaml:6:3: 'x' (gpu) has no kv\n  Give it: {is: ..., kv: ...}."),
        (
            flat(nodes="x: {is: rubin, usable: 1 TB}"),
            "rack.yaml:6:18: 'usable' has no meaning for a gpu\n  Only a flash or store has it.",
        ),
        (
            flat(nodes="x: {is: sn5610, rate: 1 TB/s}"),
            "rack.yaml:6:19: 'rate' has no meaning for a switch\n  Only a dpu or nic has it.",
        ),
        (
            flat(nodes="x: {is: rubin, count: 4}"),
            "rack.yaml:6:18: 'count' has no meaning for a gpu\n  Only a flash has it.",
        ),
        (
            flat(nodes="x: {is: sn5610, tier: G4}"),
            "rack.yaml:6:19: a switch cannot be tier G4\n  Leave out 'tier'.",
        ),
        (flat(nodes="x: {is: rubin, tier: G2}"), "rack.yaml:6:18: a gpu cannot be tier G2\n  A gpu is G1."),
        (
            SMALL.replace("tier: G3.5", "tier: G1"),
            "rack.yaml:18:45: a flash cannot be tier G1\n  A flash is G3 or G3.5 or G4.",
        ),
        (
            flat(nodes="x: {kind: host, kv: 1 TB, shared_by: rack}", links="gpu -- x: 1 GB/s"),
            "rack.yaml:6:29: 'x' lies in no 'rack'\n  Known: all.",
        ),
        (
            flat(nodes="x: {is: rubin, kv: 0 GB}"),
            "rack.yaml:6:18: nodes.x.kv: '0 GB' must be more than 0\n  Write it as '1.5 TB'.",
        ),
        (
            flat(nodes="x: {is: rubin, kv: -5 GB}"),
            "rack.yaml:6:18: nodes.x.kv: '-5 GB' must be more than 0\n  Write it without the minus.",
        ),
        (
            flat(nodes="x: {is: rubin, kv: 5 Gb}"),
            "rack.yaml:6:18: nodes.x.kv: '5 Gb' is a size in bits\n"
            "  Sizes are written in bytes: '5 GB', or an eighth of it if bits were meant.",
        ),
        (
            flat(nodes="x: {is: tlc-gen6-30tb, count: 0}"),
            "rack.yaml:6:26: nodes.x.count: 0 must be 1 to 4,096\n  Check the number.",
        ),
        (
            flat(nodes="x: {is: rubin, hbm: 5 GB}"),
            "rack.yaml:6:18: nodes.x: unknown key 'hbm'\n"
            "  Known: count, dwpd, first_byte, full, idle, is, kind, kv, latency, port_rate, ports, rate and 5 more.",
        ),
    ],
)
def test_wrong_devices_are_one_message(refusal: Refusal, text: str, message: str) -> None:
    """Unknown devices, contradictions, missing and meaningless figures: the line of the key, and the way out."""
    assert refusal(text) == message


def test_a_gpu_needs_no_host(load: Load) -> None:
    """HBM alone is a topology: a GPU without a host or any link has its own memory."""
    topology = load("cmxverify: 1\nname: lone\nnodes: {gpu: rubin}\n")
    assert [place.tier for place in topology.places.values()] == [Tier.G1]


def test_nodes_without_links_are_let_be(load: Load) -> None:
    """A switch or card that is not cabled yet does no harm; only places must be reachable."""
    topology = load(flat(nodes="spare: sn5610"))
    assert topology.nodes["spare"].kind is NodeKind.SWITCH


def test_latency_is_of_the_node(load: Load) -> None:
    """A switch's latency is kept in seconds."""
    assert load(FLAT.replace("kv: 1 TB", "kv: 1 TB, latency: 600 ns")).nodes["host"].latency == Fraction(
        6, 10**7
    )
