"""Routes against an independent count over all shortest paths of the networkx graph, and by hand on rack and pod."""

from collections.abc import Callable, Iterator
from fractions import Fraction

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sample_texts import FLAT, POD, RACK, flat

from cmxverify.errors import Location
from cmxverify.topology.model import HopLimit, HopMetric, Hops, Link, Node, NodeKind, Place, Tier, Topology
from cmxverify.topology.routes import Router, hop_count

Load = Callable[..., Topology]
AT = Location("test")
RATES = (Fraction(10**9), Fraction(25 * 10**8), Fraction(10**10))


def topology_of(kinds: list[NodeKind], cables: list[tuple[int, int, int, int]]) -> Topology:
    """A topology from kinds (node 0 is the place) and cables ``(a, b, count, rate index)``."""
    names = [f"{kind.value}{i}" for i, kind in enumerate(kinds)]
    nodes = {
        name: Node(
            name,
            kind,
            kind.value,
            "",
            AT,
            rate=Fraction(10**9) if kind is NodeKind.DPU else None,
            latency=Fraction(i),
        )
        for i, (name, kind) in enumerate(zip(names, kinds, strict=True))
    }
    place = Place(
        names[0], Tier.G4, Fraction(1), None, None, *[Fraction(0)] * 3, None, None, None, names[0], AT
    )
    links = tuple(Link(names[a], names[b], RATES[r], Fraction(1 + r), count, AT) for a, b, count, r in cables)
    return Topology(
        "t",
        "t",
        nodes,
        links,
        {},
        {names[0]: place},
        Fraction(1),
        AT,
        None,
        HopLimit(),
        {},
        (),
        {},
        None,
        None,
        (),
        {},
    )


@st.composite
def networks(draw: st.DrawFn) -> Topology:
    """Three to nine nodes: a store, some switches, hosts and DPUs, and GPUs, cabled at random, partly in parallel."""
    passing = draw(
        st.lists(st.sampled_from([NodeKind.SWITCH, NodeKind.HOST, NodeKind.DPU]), min_size=1, max_size=6)
    )
    kinds = [NodeKind.STORE, *passing, NodeKind.GPU, NodeKind.GPU]
    pair = st.tuples(st.integers(0, len(kinds) - 1), st.integers(0, len(kinds) - 1)).filter(
        lambda p: p[0] != p[1]
    )
    pairs = draw(st.lists(pair, min_size=len(kinds) - 1, max_size=3 * len(kinds)))
    return topology_of(kinds, [(a, b, draw(st.integers(1, 3)), draw(st.integers(0, 2))) for a, b in pairs])


def cable_paths(topology: Topology, start: str, end: str) -> list[list[tuple[str, str, int]]]:
    """Every shortest path as a list of cables ``(from, to, key)``, through nodes that pass traffic only."""
    allowed = [n for n, node in topology.nodes.items() if n in (start, end) or node.kind.passes_traffic]
    graph = nx.MultiGraph(topology.graph.subgraph(allowed))
    if not nx.has_path(graph, start, end):
        return []
    return [
        path
        for nodes in nx.all_shortest_paths(nx.Graph(graph), start, end)
        for path in _over_cables(graph, nodes)
    ]


def _over_cables(graph: nx.MultiGraph, nodes: list[str]) -> Iterator[list[tuple[str, str, int]]]:
    if len(nodes) == 1:
        yield []
        return
    for key in graph[nodes[0]][nodes[1]]:
        for rest in _over_cables(graph, nodes[1:]):
            yield [(nodes[0], nodes[1], key), *rest]


def shares_by_paths(paths: list[list[tuple[str, str, int]]]) -> dict[tuple[str, str], Fraction]:
    """Walk every path; at each node all cables that continue some shortest path are equally likely."""
    onward: dict[str, set[tuple[str, str, int]]] = {}
    for path in paths:
        for cable in path:
            onward.setdefault(cable[0], set()).add(cable)
    found: dict[tuple[str, str], Fraction] = {}
    for path in paths:
        weight = Fraction(1)
        for cable in path:
            weight /= len(onward[cable[0]])
        for start, end, _ in path:
            found[start, end] = found.get((start, end), Fraction(0)) + weight
    return found


def mean(shares: list[dict[tuple[str, str], Fraction]]) -> dict[tuple[str, str], Fraction]:
    found: dict[tuple[str, str], Fraction] = {}
    for each in shares:
        for edge, share in each.items():
            found[edge] = found.get(edge, Fraction(0)) + share / len(shares)
    return found


@settings(max_examples=120)
@given(networks())
def test_shares_are_those_of_all_shortest_paths(topology: Topology) -> None:
    """Reading and writing, alone and together: every edge carries what counting over all cable paths gives."""
    router = Router(topology)
    place, gpus = next(iter(topology.nodes)), list(topology.nodes)[-2:]
    out = {gpu: cable_paths(topology, place, gpu) for gpu in gpus}
    reached = [gpu for gpu in gpus if out[gpu]]
    assert [gpu for gpu in gpus if router.reaches(place, gpu)] == reached
    for some in ([gpu] for gpu in reached) if len(reached) < 2 else ([reached[0]], [reached[1]], reached):
        assert router.read_route(place, some).edges == mean([shares_by_paths(out[gpu]) for gpu in some])
        back = [shares_by_paths(cable_paths(topology, gpu, place)) for gpu in some]
        assert router.write_route(place, some).edges == mean(back)


@settings(max_examples=60)
@given(networks())
def test_hops_and_latency_are_those_of_the_worst_shortest_path(topology: Topology) -> None:
    """Each metric, and the latency, is the largest over all shortest paths."""
    router = Router(topology)
    place, gpu = next(iter(topology.nodes)), list(topology.nodes)[-1]
    paths = cable_paths(topology, place, gpu)
    if paths:
        route = router.read_route(place, [gpu])
        assert route.hops == Hops(
            *(max(count(topology, path) for path in paths) for count in (_switches, _switch_links, _cables))
        )
        assert route.latency == max(_latency(topology, path) for path in paths)


def _switches(topology: Topology, path: list[tuple[str, str, int]]) -> int:
    return sum(topology.nodes[end].kind is NodeKind.SWITCH for _, end, _ in path)


def _switch_links(topology: Topology, path: list[tuple[str, str, int]]) -> int:
    return sum(
        topology.nodes[start].kind is topology.nodes[end].kind is NodeKind.SWITCH for start, end, _ in path
    )


def _cables(topology: Topology, path: list[tuple[str, str, int]]) -> int:
    """All nodes lie in one box here: only what touches a switch is a cable outside."""
    return sum(
        NodeKind.SWITCH in (topology.nodes[start].kind, topology.nodes[end].kind) for start, end, _ in path
    )


def _latency(topology: Topology, path: list[tuple[str, str, int]]) -> Fraction:
    slowest = {frozenset((link.a, link.b)): Fraction(0) for link in topology.links}
    for link in topology.links:
        slowest[frozenset((link.a, link.b))] = max(slowest[frozenset((link.a, link.b))], link.latency)
    return sum((slowest[frozenset((a, b))] + topology.nodes[b].latency for a, b, _ in path), Fraction(0))


@settings(max_examples=60)
@given(networks())
def test_the_rate_is_what_the_first_full_cable_allows(topology: Topology) -> None:
    """At the rate of a route no cable and no DPU is over its own, and one of them is full."""
    router = Router(topology)
    place, gpu = next(iter(topology.nodes)), list(topology.nodes)[-1]
    if not router.reaches(place, gpu):
        return
    route = router.read_route(place, [gpu])
    rate = router.rate(route)
    assert rate is not None
    cables = {
        edge: share
        / topology.graph.number_of_edges(*edge)
        / min(c["rate"] for c in topology.graph[edge[0]][edge[1]].values())
        for edge, share in route.edges.items()
    }
    cards = {
        name: share / rate_of for name, share in route.nodes.items() if (rate_of := topology.nodes[name].rate)
    }
    assert rate * max([*cables.values(), *cards.values()]) == 1


@settings(max_examples=60)
@given(networks())
def test_bytes_are_conserved(topology: Topology) -> None:
    """What enters a node on the way leaves it, and is the node's own share."""
    router = Router(topology)
    place, gpus = next(iter(topology.nodes)), list(topology.nodes)[-2:]
    reached = [gpu for gpu in gpus if router.reaches(place, gpu)]
    for route in [r(place, reached) for r in (router.read_route, router.write_route) if reached]:
        for name, share in route.nodes.items():
            assert sum(part for (_, end), part in route.edges.items() if end == name) == share
            assert sum(part for (start, _), part in route.edges.items() if start == name) == share


@pytest.fixture
def rack(load: Load) -> Topology:
    return load(RACK)


@pytest.fixture
def pod(load: Load) -> Topology:
    return load(POD)


def gpus_of(topology: Topology) -> list[str]:
    return [name for name, node in topology.nodes.items() if node.kind is NodeKind.GPU]


@pytest.mark.parametrize(
    ("text", "place", "hops"), [(RACK, "cmx0.flash", (1, 0, 2)), (POD, "store0.cmx00.flash", (3, 2, 4))]
)
def test_hops_to_an_enclosure_differ_by_metric(
    load: Load, text: str, place: str, hops: tuple[int, int, int]
) -> None:
    """Rack: 1 switch, 0 links between switches, 2 cables. Pod: 3, 2 and 4. So "at most 2" needs its metric."""
    topology = load(text)
    route = Router(topology).read_route(place, gpus_of(topology))
    assert tuple(hop_count(route, metric) for metric in HopMetric) == hops


def test_a_trays_own_memory_is_no_hop_away(rack: Topology) -> None:
    """Cables inside a box are no hops."""
    assert Router(rack).read_route("tray00.host", ["tray00.gpu2"]).hops == Hops(0, 0, 0)


def test_a_route_into_a_tray_takes_its_uplinks(rack: Topology) -> None:
    """Two cables of 400 Gb/s and a DPU of 800 bring 100 GB/s into a tray, split evenly over both leaves."""
    router = Router(rack)
    route = router.read_route("cmx0.flash", ["tray00.gpu0"])
    assert router.rate(route) == 100 * 10**9
    assert route.edges["leaf0", "tray00.dpu"] == route.edges["cmx0.dpu1", "leaf1"] * 2 == Fraction(1, 2)


def test_an_own_gpu_reads_its_host_over_one_link(rack: Topology) -> None:
    """One of four 450 GB/s links."""
    router = Router(rack)
    assert router.rate(router.read_route("tray00.host", ["tray00.gpu0"])) == 450 * 10**9
    assert router.rate(router.read_route("tray00.host", [f"tray00.gpu{i}" for i in range(4)])) == 1800 * 10**9


def test_scopes_bound_who_reads(rack: Topology) -> None:
    """HBM serves its own GPU, a host the GPUs of its tray, an enclosure all."""
    router = Router(rack)
    assert [router.reaches("tray00.gpu0", gpu) for gpu in ("tray00.gpu0", "tray00.gpu1")] == [True, False]
    assert [router.reaches("tray00.host", gpu) for gpu in ("tray00.gpu1", "tray01.gpu1")] == [True, False]
    assert all(router.reaches("cmx0.flash", gpu) for gpu in gpus_of(rack))


def test_a_scope_is_not_a_prefix_of_a_name(load: Load) -> None:
    """tray1 is not read by tray10."""
    text = RACK.replace('"tray[00-17]"', '"tray[1,10]"').replace("tray[00-17]", "tray[1,10]")
    assert not Router(load(text)).reaches("tray1.host", "tray10.gpu0")


def test_a_gpus_own_memory_is_read_without_a_route(rack: Topology) -> None:
    """Nothing limits it but the memory itself."""
    router = Router(rack)
    route = router.read_route("tray00.gpu0", ["tray00.gpu0"])
    assert (route.edges, route.hops, router.rate(route)) == ({}, Hops(0, 0, 0), None)


def test_a_gpu_named_twice_takes_two_shares(rack: Topology) -> None:
    """Shares are per mention."""
    route = Router(rack).read_route("cmx0.flash", ["tray00.gpu0", "tray00.gpu0", "tray01.gpu0"])
    assert route.nodes["tray00.dpu"] == Fraction(2, 3)


def test_a_route_needs_a_gpu(rack: Topology) -> None:
    """No GPUs, no route."""
    with pytest.raises(AssertionError):
        Router(rack).read_route("cmx0.flash", [])


def test_unequal_cables_carry_what_the_slowest_allows(load: Load) -> None:
    """An even split over 64 and 450 GB/s is bound by twice 64."""
    topology = load(flat(links="host -- gpu: 450 GB/s"))
    assert Router(topology).capacity(("gpu", "host")) == 2 * 64 * 10**9


def test_before_names_the_last_nodes_on_the_way(rack: Topology) -> None:
    """The leaves stand before a tray's DPU, nothing before the place."""
    router = Router(rack)
    assert router.before("cmx0.flash", "tray00.dpu") == ["leaf0", "leaf1"]
    assert router.before("cmx0.flash", "cmx0.flash") == []


def test_a_cable_in_a_flat_file_is_no_hop(load: Load) -> None:
    """Without templates the whole file is one box."""
    assert Router(load(FLAT)).read_route("host", ["gpu"]).hops == Hops(0, 0, 0)


def test_a_long_chain_of_switches_does_not_overflow() -> None:
    """Two thousand switches in a row are walked without recursion."""
    kinds = [NodeKind.STORE, *[NodeKind.SWITCH] * 2000, NodeKind.GPU]
    topology = topology_of(kinds, [(i, i + 1, 1, 0) for i in range(2001)])
    route = Router(topology).read_route("store0", ["gpu2001"])
    assert route.hops == Hops(2000, 1999, 2001)


def test_routes_to_a_whole_pod_are_fast(pod: Topology) -> None:
    """One place read by 1,152 GPUs: every uplink of a rack carries a 64th, within a fraction of a second."""
    router = Router(pod)
    route = router.read_route("store0.cmx00.flash", gpus_of(pod))
    assert {share for (start, _), share in route.edges.items() if start.startswith("spine")} == {
        Fraction(1, 16 * 8)
    }
    assert sum(share for (_, end), share in route.edges.items() if ".gpu" in end) == 1
