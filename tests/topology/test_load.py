from collections.abc import Callable
from fractions import Fraction

import pytest
from sample_texts import FLAT, POD, RACK, SMALL, flat

from cmxverify.topology.model import NodeKind, Tier, Topology

Load = Callable[..., Topology]
Refusal = Callable[..., str]


def kinds(topology: Topology) -> dict[str, int]:
    counts: dict[str, int] = {}
    for node in topology.nodes.values():
        counts[node.kind.value] = counts.get(node.kind.value, 0) + 1
    return counts


def test_a_rack_has_what_it_is_made_of(load: Load) -> None:
    """Eighteen trays of four GPUs, four enclosures, two leaf switches."""
    topology = load(RACK)
    assert kinds(topology) == {"gpu": 72, "host": 18, "dpu": 26, "switch": 2, "flash": 4}
    assert len(topology.places) == 94
    assert (
        sum(place.capacity for place in topology.places.values() if place.tier is Tier.G35) == 1200 * 10**12
    )


def test_a_pod_has_what_it_is_made_of(load: Load) -> None:
    """Sixteen racks of GPUs and two of enclosures: 1,152 GPUs, 19.2 PB, nested two deep."""
    topology = load(POD)
    assert kinds(topology) == {"gpu": 1152, "host": 288, "dpu": 416, "switch": 40, "flash": 32}
    assert (
        sum(place.capacity for place in topology.places.values() if place.tier is Tier.G35) == 19_200 * 10**12
    )
    assert [each.path for each in topology.ancestors("rack03.tray05.gpu1")] == ["rack03.tray05", "rack03"]


def test_the_graph_agrees_with_nodes_and_links(load: Load) -> None:
    """One edge per cable; nodes carry kind, tier and container."""
    topology = load(SMALL)
    assert topology.graph.number_of_edges() == sum(link.count for link in topology.links)
    assert topology.graph.nodes["cmx0.flash"] == {
        "kind": "flash",
        "device": "tlc-gen6-30tb",
        "tier": "G3.5",
        "container": "cmx0",
    }
    assert topology.graph is topology.graph


def test_members_are_the_nodes_under_a_container(load: Load) -> None:
    """A container's members lie anywhere below it; a node is its own member."""
    topology = load(POD)
    assert len(topology.members("rack00")) == 18 * 6 + 2
    assert topology.members("spine0") == ["spine0"]


def test_defaults_are_filled_in(load: Load) -> None:
    """80 % of rates is planned with; nothing else is limited."""
    topology = load(FLAT)
    assert (topology.plan_to, topology.hops.maximum, topology.power, topology.workload) == (
        Fraction(4, 5),
        None,
        (),
        None,
    )


def test_a_workload_may_lie_in_its_own_file(load: Load) -> None:
    """The path is relative to the topology; lines are the other file's."""
    topology = load(
        FLAT + "workload: chat.yaml\n",
        chat_yaml="a/b: {runs_on: gpu, bytes: 1 TB, read: 0 B/s, write: 0 B/s}\n",
    )
    assert topology.workload is not None
    assert str(topology.workload.sets[0].where("bytes")) == "chat.yaml:1:21"


def test_only_keeps_the_named_sets(load: Load) -> None:
    """The rest of the workload is left out."""
    workload = load(SMALL, only=("hooli/raw",)).workload
    assert workload is not None
    assert [entry.full_name for entry in workload.sets] == ["hooli/raw"]


@pytest.mark.parametrize(
    ("text", "only", "message"),
    [
        (SMALL, "hooli/row", "--only hooli/row: no working set 'hooli/row'\n  Did you mean 'hooli/raw'?"),
        (FLAT, "a/b", "--only a/b: the topology has no workload\n  Leave out --only, or add a 'workload:'."),
    ],
)
def test_only_refuses_unknown_sets(refusal: Refusal, text: str, only: str, message: str) -> None:
    """A name that selects nothing is an error."""
    assert refusal(text, only=(only,)) == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "rack.yaml: file is empty\n  Start from 'cmxverify init'."),
        (
            "7\n",
            "rack.yaml:1:1: keys and values are expected here\n"
            "  Known keys: chunk, cmxverify, hops, include, links, name, nodes, plan_to, "
            "power, prices, software, templates, tenants, workload.",
        ),
        (
            "name: x\nnodes: {}\n",
            "rack.yaml:1:1: key 'cmxverify' is missing\n  Add it: the schema version, 1; required, first.",
        ),
        (
            "cmxverify: 2\nname: x\nnodes: {}\n",
            "rack.yaml:1:1: cmxverify: 2 is not a schema version\n"
            "  Write cmxverify: 1, without quotes or point; this cmxverify reads version 1.",
        ),
        (
            "cmxverify: 1\nname: x\nnodes: {}\n",
            "rack.yaml:3:1: the file has no nodes\n  Name at least one under 'nodes:'.",
        ),
        (
            "cmxverify: 1\nname: x\n",
            "rack.yaml:1:1: the file has no nodes\n  Name at least one under 'nodes:'.",
        ),
        (
            "cmxverify: 1\nname: x\nnodes:\n",
            "rack.yaml:3:1: nodes: keys and values are expected here\n"
            "  Write 'key: value' lines, or {key: value}.",
        ),
        (
            "cmxverify: 1\nname: ../x\nnodes: {}\n",
            "rack.yaml:2:1: name: '../x' is not a name\n"
            "  Use letters, digits, '-', '_' and '.', a letter or digit first.",
        ),
        (FLAT + "plan_too: 80%\n", "rack.yaml:8:1: unknown key 'plan_too'\n  Did you mean 'plan_to'?"),
        (FLAT + "plan_to: 0%\n", "rack.yaml:8:1: plan_to: '0%' must be more than 0%\n  Write it as 80%."),
        (
            FLAT + "software: {dynamo: 2.10}\n",
            "rack.yaml:8:12: software.dynamo: a text is expected, and 2.10 is read as the number 2.1\n"
            '  Quote it: "2.10".',
        ),
        (
            FLAT.replace("64 GB/s", "64 Gbps"),
            "rack.yaml:7:3: links.gpu -- host: unknown unit 'Gbps'\n"
            "  Did you mean 'Gb/s'? (b is a bit, B a byte)",
        ),
        (
            FLAT.replace("64 GB/s", "0 GB/s"),
            "rack.yaml:7:3: links.gpu -- host: '0 GB/s' must be more than 0\n  Write it as '400 Gb/s'.",
        ),
        (
            FLAT.replace("64 GB/s", "64"),
            "rack.yaml:7:3: links.gpu -- host: 64 has no unit; expected a data rate\n"
            "  Write it as '64 Gb/s' or '64 GB/s' (b is a bit, B a byte).",
        ),
        (
            FLAT.replace("64 GB/s", "{rate: 1 GB/s, count: -1}"),
            "rack.yaml:7:31: links.gpu -- host.count: -1 is not a whole number of 0 or more\n"
            "  Write one such as 0, 17 or 60k.",
        ),
        (
            flat(nodes="far: {kind: host, kv: 1 TB}"),
            "rack.yaml:6:3: 'far' can be reached by no GPU\n"
            "  Link it, through hosts, DPUs, NICs or switches, to a GPU; or remove it.",
        ),
        (
            FLAT + "workload: no.yaml\n",
            "rack.yaml:8:1: file 'no.yaml': no such file\n  Paths are relative to the file that names them.",
        ),
        (
            FLAT + "workload: [a]\n",
            "rack.yaml:8:11: working sets by name are expected here\n"
            "  Write 'acme/chat: {model: ..., sessions: ...}' lines, or the path of a file with them.",
        ),
        (FLAT + "chunk: 0 GB\n", "rack.yaml:8:1: chunk: '0 GB' must be more than 0\n  Write it as '1.5 TB'."),
    ],
)
def test_a_wrong_file_is_one_message(refusal: Refusal, text: str, message: str) -> None:
    """The first breach, its line, and the way out."""
    assert refusal(text) == message


@pytest.mark.parametrize("version", ["true", "1.0", "01", "+1", '"1"', "~", "[1]", "2", "1e0"])
def test_only_the_integer_1_is_a_version(refusal: Refusal, version: str) -> None:
    """What equals 1 in Python, or reads as 1 in YAML, is refused with its line."""
    message = refusal(FLAT.replace("cmxverify: 1", f"cmxverify: {version}"))
    assert message.startswith("rack.yaml:1:1: cmxverify: ")
    assert "is not a schema version\n  Write cmxverify: 1, without quotes or point" in message


def test_gpus_do_not_pass_traffic_to_a_place(refusal: Refusal) -> None:
    """A place behind flash, or behind another GPU's flash, is not reached through it."""
    text = flat(
        nodes="f[0-1]: {kind: flash, usable: 1 TB, idle: 0 W, full: 1 W}",
        links="host -- f0: 1 GB/s\nf0 -- f1: 1 GB/s",
    )
    assert refusal(text).startswith("rack.yaml:6:3: 'f1' can be reached by no GPU\n")


def test_a_part_without_gpus_is_let_be(load: Load) -> None:
    """A storage rack alone describes a part of a cluster; there is nobody to reach it yet."""
    topology = load(
        "cmxverify: 1\nname: part\nnodes: {s: {kind: store, usable: 1 PB, idle: 1 W, full: 2 W}}\n"
    )
    assert not [node for node in topology.nodes.values() if node.kind is NodeKind.GPU]
    assert list(topology.places) == ["s"]


def test_an_override_leads_into_a_workload_file(load: Load) -> None:
    """``--set workload.a/raw.sticky=none`` changes a set that another file lists; its line stays in messages."""
    workload = "a/raw: {runs_on: tray0, bytes: 1 TB, read: 1 GB/s, write: 1 GB/s}\n"
    text = SMALL.partition("workload:")[0] + "workload: sets.yaml\n"
    found = load(text, overrides=("workload.a/raw.sticky=none",), sets_yaml=workload)
    assert found.workload is not None
    assert found.workload.sets[0].spec.sticky == "none"
