import time
from collections.abc import Callable

import pytest
from sample_texts import FLAT, SMALL, flat

from cmxverify.topology.model import Topology

Load = Callable[..., Topology]
Refusal = Callable[..., str]


def test_names_are_paths_of_instances(load: Load) -> None:
    """Nodes inside a template are named by their instance, in the file's order."""
    topology = load(SMALL)
    assert list(topology.nodes)[:4] == ["tray0.gpu0", "tray0.gpu1", "tray0.host", "tray0.dpu"]
    assert topology.containers["cmx1"].template == "box"


def test_links_join_all_pairs(load: Load) -> None:
    """Both ranges of a link are combined."""
    assert len([link for link in load(SMALL).links if link.b == "leaf"]) == 6


def test_pairwise_links_join_equal_positions(load: Load) -> None:
    """With ``pairwise`` the first is joined with the first."""
    more = "host2[0-1] -- nic[0-1]: {rate: 1 GB/s, pairwise: true}\ngpu -- nic[0-1]: 1 GB/s"
    topology = load(flat(nodes="host2[0-1]: {kind: host, kv: 1 TB}\nnic[0-1]: {kind: nic}", links=more))
    assert [(link.a, link.b) for link in topology.links[1:3]] == [("host20", "nic0"), ("host21", "nic1")]


def test_every_cable_is_an_edge(load: Load) -> None:
    """``count`` makes parallel edges, each with the rate of one cable."""
    graph = load(FLAT.replace("64 GB/s", "{rate: 64 GB/s, count: 3}")).graph
    assert [cable["rate"] for cable in graph["gpu"]["host"].values()] == [64 * 10**9] * 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            flat(nodes="gpu: {kind: gpu, kv: 1 GB}"),
            "rack.yaml:6:3: key 'gpu' is given twice\n  It stands in line 4 already; keep one of the two.",
        ),
        (
            flat(nodes="gp[t-u]: {kind: gpu}"),
            "rack.yaml:6:3: '[t-u]' in 'gp[t-u]' is not a range\n"
            "  Write ranges as [0-3], [00-17] or [0-3,7].",
        ),
        (
            flat(nodes="n[0-3]: {kind: switch}\nn2: {kind: switch}"),
            "rack.yaml:7:3: name 'n2' is given twice\n  It is named in line 6 already; rename one.",
        ),
        (
            flat(nodes="a.b: {kind: switch}"),
            "rack.yaml:6:3: 'a.b' is not a node name\n"
            "  Use letters, digits, '-' and '_', at most 80; dots come from templates.",
        ),
        (
            flat(nodes="-x: {kind: switch}"),
            "rack.yaml:6:3: '-x' is not a node name\n"
            "  Use letters, digits, '-' and '_', at most 80; dots come from templates.",
        ),
        (
            flat(nodes="'': {kind: switch}"),
            "rack.yaml:6:3: '' is not a node name\n"
            "  Use letters, digits, '-' and '_', at most 80; dots come from templates.",
        ),
        (
            flat(nodes="größe: {kind: switch}"),
            "rack.yaml:6:3: 'größe' is not a name or a range\n"
            "  Names hold letters, digits, '-', '_' and '.'; ranges look like gpu[0-3,7].",
        ),
        (
            flat(nodes=f"{'x' * 81}: {{kind: switch}}"),
            f"rack.yaml:6:3: '{'x' * 81}' is not a node name\n"
            "  Use letters, digits, '-' and '_', at most 80; dots come from templates.",
        ),
        (
            flat(links="gpu -- hots: 1 GB/s"),
            "rack.yaml:8:3: link ends at 'hots', which is no node\n  Did you mean 'host'?",
        ),
        (
            flat(links="gpu -- gpu: 1 GB/s"),
            "rack.yaml:8:3: 'gpu' is linked to itself\n  Name two different nodes.",
        ),
        (
            flat(links="host -- gpu: 64 GB/s"),
            "rack.yaml:8:3: 'host' and 'gpu' are linked with this rate in line 7 already\n"
            "  A link works in both directions; write parallel cables as {rate: ..., count: 2}.",
        ),
        (flat(links="gpu: 1 GB/s"), "rack.yaml:8:3: 'gpu' is not a link\n  Write it as 'a -- b: 400 Gb/s'."),
        (
            flat(links="gpu-- host: 1 GB/s"),
            "rack.yaml:8:3: 'gpu-- host' is not a link\n  Write it as 'a -- b: 400 Gb/s'.",
        ),
        (
            flat(links="gpu --  : 1 GB/s"),
            "rack.yaml:8:3: 'gpu --' is not a link\n  Write it as 'a -- b: 400 Gb/s'.",
        ),
        (
            flat(links="gpu -- host -- gpu: 1 GB/s"),
            "rack.yaml:8:3: 'gpu -- host -- gpu' is not a link\n  Write it as 'a -- b: 400 Gb/s'.",
        ),
        (
            flat(links="gpu -- host[0-1: 1 GB/s"),
            "rack.yaml:8:3: 'host[0-1' is not a name or a range\n"
            "  Names hold letters, digits, '-', '_' and '.'; ranges look like gpu[0-3,7].",
        ),
        (
            flat(
                nodes="s[0-2]: {kind: switch}",
                links="gpu -- s[0-1]: 1 GB/s\ns[0-1] -- s[0-2]: {rate: 1 GB/s, pairwise: true}",
            ),
            "rack.yaml:10:3: 's[0-1] -- s[0-2]' pairs 2 with 3 nodes\n"
            "  Make both ranges equally long, or drop pairwise.",
        ),
        (
            SMALL.replace("tray[0-1].dpu -- leaf", "tray[0-1] -- leaf"),
            "rack.yaml:26:3: link ends at 'tray0', which is a template instance\n"
            "  Name a node inside it, such as 'tray0.gpu0'.",
        ),
        (
            SMALL.replace("cmx[0-1]: box", "cmx[0-1]: {is: box, count: 2}"),
            "rack.yaml:23:23: 'count' cannot override an instance of template 'box'\n"
            "  Change the nodes inside template 'box', or make a template of its own.",
        ),
    ],
)
def test_wrong_names_and_links_are_one_message(refusal: Refusal, text: str, message: str) -> None:
    """Duplicates, strange names, dangling, repeated and self links: the line, and the way out."""
    assert refusal(text) == message


def test_two_kinds_of_cable_between_two_nodes_are_kept(load: Load) -> None:
    """NVLink beside PCIe is real: another rate is another kind of cable, not a repetition."""
    topology = load(flat(links="host -- gpu: 450 GB/s"))
    assert [(link.rate, link.at.line) for link in topology.links] == [(64 * 10**9, 7), (450 * 10**9, 8)]


def test_a_name_repeated_from_an_included_template_names_its_file(refusal: Refusal) -> None:
    """The first mention may stand in another file, and is then named with it."""
    nodes = '{"g[0-1]": {kind: switch}, g0: {kind: switch}}'
    base = f"cmxverify: 1\nname: base\ntemplates:\n  t:\n    nodes: {nodes}\n"
    message = refusal(
        flat(nodes="t: {is: t}").replace("name: flat", "name: flat\ninclude: base.yaml"), base_yaml=base
    )
    assert (
        message == "base.yaml:5:39: name 't.g0' is given twice\n  It is named in line 5 already; rename one."
    )


def nested(levels: int, *, width: str = "[0-9]", leaf: str = "{d: {kind: switch}}") -> str:
    parts = [f'  t{i}: {{nodes: {{"x{width}": t{i + 1}}}}}\n' for i in range(levels)]
    return flat(nodes="x: t0", more="templates:\n" + "".join(parts) + f"  t{levels}: {{nodes: {leaf}}}\n")


@pytest.mark.parametrize("leaf", ["{d: {kind: switch}}", "{}"])
def test_ten_levels_of_ten_are_refused_before_they_are_built(refusal: Refusal, leaf: str) -> None:
    """10^10 nodes, or as many empty instances, end in one message at once."""
    begin = time.process_time()
    message = refusal(nested(10, leaf=leaf))
    assert (
        "the file stands for more than 100,000 nodes\n"
        "  Describe a part of the cluster; equal parts behave alike." in message
    )
    assert time.process_time() - begin < 1


def test_deep_nesting_is_refused(refusal: Refusal) -> None:
    """Twenty-one levels of templates are too many, however few nodes they hold."""
    assert "templates are nested deeper than 20 levels" in refusal(nested(21, width=""))
    assert "templates are nested deeper than 20 levels" in refusal(nested(2000, width=""))


def test_depth_counts_through_templates_already_known(refusal: Refusal) -> None:
    """A template measured near the surface still counts with its own depth further down."""
    chain = (
        "".join(f"  t{i}: {{nodes: {{x: t{i + 1}}}}}\n" for i in range(15))
        + "  t15: {nodes: {d: {kind: switch}}}\n"
    )
    upper = "".join(f"  u{i}: {{nodes: {{x: u{i + 1}}}}}\n" for i in range(10)) + "  u10: {nodes: {x: t0}}\n"
    text = flat(nodes="a: t0\nb: u0", more="templates:\n" + chain + upper)
    assert "templates are nested deeper than 20 levels" in refusal(text)


@pytest.mark.parametrize(
    ("templates", "chain"),
    [
        ("  a: {nodes: {x: a}}\n", "'a' contains itself: a -> a"),
        (
            "  a: {nodes: {x: b}}\n  b: {nodes: {y: c}}\n  c: {nodes: {z: b}}\n",
            "'b' contains itself: b -> c -> b",
        ),
    ],
)
def test_a_template_cannot_contain_itself(refusal: Refusal, templates: str, chain: str) -> None:
    """Containment in a circle is told with the way round."""
    message = refusal(flat(nodes="x: a", more="templates:\n" + templates))
    assert message.splitlines()[0].endswith(f"template {chain}")
    assert message.splitlines()[1] == "  Break the circle."


@pytest.mark.parametrize(
    ("text", "what"),
    [
        (
            flat(nodes="s[0-999999]: {kind: switch}"),
            "rack.yaml:6:3: 's[0-999999]' stands for more than 100,000 names",
        ),
        (
            flat(nodes="s[0-999999999999]: {kind: switch}"),
            "rack.yaml:6:3: 's[0-999999999999]' stands for more than 100,000 names",
        ),
        (
            flat(nodes="s[0-999]x[0-999]: {kind: switch}"),
            "rack.yaml:6:3: 's[0-999]x[0-999]' stands for more than 100,000 names",
        ),
        (
            flat(nodes="a[0-59999]: {kind: switch}\nb[0-59999]: {kind: switch}"),
            "rack.yaml:7:3: the file stands for more than 100,000 nodes",
        ),
        (
            flat(
                nodes="a[0-999]: {kind: switch}\nb[0-999]: {kind: switch}",
                links="a[0-999] -- b[0-999]: 1 GB/s",
            ),
            "rack.yaml:10:3: the file stands for more than 400,000 cables",
        ),
        (
            flat(
                nodes="a[0-19]: {kind: switch}\nb[0-19]: {kind: switch}",
                links="a[0-19] -- b[0-19]: {rate: 1 GB/s, count: 4096}",
            ),
            "rack.yaml:10:3: the file stands for more than 400,000 cables",
        ),
        (
            flat(
                nodes="x[0-9999]: t",
                more="templates:\n"
                '  t: {nodes: {a: {kind: nic}, b: {kind: nic}}, links: {"a -- b": {rate: 1 GB/s, count: 64}}}\n',
            ),
            "rack.yaml:6:3: the file stands for more than 400,000 cables",
        ),
    ],
)
def test_what_is_too_large_is_refused_at_once(refusal: Refusal, text: str, what: str) -> None:
    """A million nodes or cables, alone or together, end in one message within a second."""
    begin = time.process_time()
    assert refusal(text).splitlines()[0] == what
    assert time.process_time() - begin < 1
