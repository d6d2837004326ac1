from collections.abc import Callable
from fractions import Fraction

import pytest
from sample_texts import SMALL

from cmxverify.errors import InputError
from cmxverify.topology.model import Topology
from cmxverify.topology.override import apply_overrides
from cmxverify.yaml_tree import Plain, parse_yaml

Load = Callable[..., Topology]
Refusal = Callable[..., str]


def changed(text: str, *overrides: str) -> Plain:
    tree = parse_yaml(text, "f.yaml")
    apply_overrides(tree, overrides)
    return tree.plain()


@pytest.mark.parametrize(
    ("override", "expected"),
    [
        ("a.b=2", {"a": {"b": 2}, "x.y": {"z": 3}}),
        ("a.c=2", {"a": {"b": 1, "c": 2}, "x.y": {"z": 3}}),
        ("x.y.z=4", {"a": {"b": 1}, "x.y": {"z": 4}}),
        ("x.y=5", {"a": {"b": 1}, "x.y": 5}),
        ("a=[1, {q: r}]", {"a": [1, {"q": "r"}], "x.y": {"z": 3}}),
        ("a={m: 1}", {"a": {"m": 1}, "x.y": {"z": 3}}),
        ("new=1.4kW", {"a": {"b": 1}, "x.y": {"z": 3}, "new": "1.4kW"}),
        (" a.b = 'x = y' ", {"a": {"b": "x = y"}, "x.y": {"z": 3}}),
    ],
)
def test_a_path_leads_through_keys_that_hold_dots(override: str, expected: Plain) -> None:
    """Values are YAML; a last key may be new; keys with dots are found whole."""
    assert changed("a: {b: 1}\nx.y: {z: 3}\n", override) == expected


def test_overrides_apply_one_after_the_other() -> None:
    """A later one sees what an earlier one made."""
    assert changed("a: 1\n", "b={c: 1}", "b.c=2") == {"a": 1, "b": {"c": 2}}


def test_the_longest_fitting_key_is_taken() -> None:
    """Where a key and a key with a dot both fit, the longer one is meant."""
    assert changed("a: {b: 1}\na.b: 2\n", "a.b=3") == {"a": {"b": 1}, "a.b": 3}


def test_a_changed_budget_remembers_what_the_file_said(load: Load) -> None:
    """The limit keeps its line, and the file's own text for the report."""
    limit = load(SMALL, overrides=("power.shelf.budget=1.4kW",)).power[0]
    assert (limit.budget_w, limit.file_text, limit.at.line) == (Fraction(1400), "2 kW", 29)


def test_a_second_change_still_remembers_the_file(load: Load) -> None:
    """Changed twice, the text is the file's, not the first change."""
    overrides = ("power.shelf.budget=1.4kW", "power.shelf.budget=1.5kW")
    assert load(SMALL, overrides=overrides).power[0].file_text == "2 kW"


def test_slashes_and_links_are_plain_keys(load: Load) -> None:
    """Set names and links can be part of a path."""
    topology = load(SMALL, overrides=("workload.acme/chat.copies=2", "links.tray[0-1].dpu -- leaf=800 Gb/s"))
    assert topology.workload is not None
    assert topology.workload.sets[0].spec.copies == 2
    assert {link.rate for link in topology.links if link.a == "tray0.dpu" and link.b == "leaf"} == {10**11}


@pytest.mark.parametrize(
    ("overrides", "expected"),
    [
        (("hops.metric=links", "hops.max=2"), {"hops": {"metric": "links", "max": 2}}),
        (("prices.ssd-7.68tb=6 kUSD",), {"prices": {"ssd-7.68tb": "6 kUSD"}}),
        (('software.dynamo="1.6"',), {"software": {"dynamo": "1.6"}}),
        (("tenants.acme.isolation=box",), {"tenants": {"acme": {"isolation": "box"}}}),
        (("power.shelf={of: x, budget: 2 kW}",), {"power": {"shelf": {"of": "x", "budget": "2 kW"}}}),
    ],
)
def test_sections_that_are_left_out_are_made(overrides: tuple[str, ...], expected: dict[str, Plain]) -> None:
    """A limit, price or isolation can be tried on a file that says nothing of it."""
    assert changed("name: x\n", *overrides) == {"name": "x", **expected}


def test_an_empty_section_counts_as_left_out() -> None:
    """``tenants:`` with nothing under it can be filled."""
    assert changed("tenants:\n", "tenants.a.isolation=box") == {"tenants": {"a": {"isolation": "box"}}}


def test_defaults_of_the_workload_are_made() -> None:
    """Wherever the workload stands, ``workload.defaults`` need not be there to be given."""
    tree = parse_yaml("a/b: {tp: 1}\n", "w.yaml")
    apply_overrides(tree, ["workload.defaults.reserve=20%"], within="workload")
    assert tree.plain() == {"a/b": {"tp": 1}, "defaults": {"reserve": "20%"}}


def test_a_shorthand_takes_further_keys(load: Load) -> None:
    """``leaf: sn5610`` and a link that is only a rate are written out where more is said of them."""
    overrides = ("nodes.leaf.latency=1 us", "templates.tray.links.host -- dpu.count=2")
    topology = load(SMALL, overrides=overrides)
    assert (topology.nodes["leaf"].device, topology.nodes["leaf"].latency) == ("sn5610", Fraction(1, 10**6))
    assert {(link.rate, link.count) for link in topology.links if link.b == "tray0.dpu"} == {(128 * 10**9, 2)}


def test_a_tenant_of_the_workload_can_be_isolated(load: Load) -> None:
    """acme has sets, and no line under ``tenants``."""
    assert load(SMALL, overrides=("tenants.acme.isolation=box",)).tenants["acme"].isolation == "box"


def test_overrides_are_kept_verbatim(load: Load) -> None:
    """A certificate can tell what was changed."""
    assert load(SMALL, overrides=("plan_to=90%",)).overrides == ("plan_to=90%",)


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("foo", "--set foo: not of the form PATH=VALUE\n  Write --set power.shelf.budget=1.4kW"),
        ("=1", "--set =1: not of the form PATH=VALUE\n  Write --set power.shelf.budget=1.4kW"),
        ("a=", "--set a=: not of the form PATH=VALUE\n  Write --set power.shelf.budget=1.4kW"),
        (
            "power.shelv.budget=1",
            "--set power.shelv.budget=1: no key 'shelv'\n  Did you mean 'shelf'? "
            "To add it, give the whole of it: --set 'power.shelv={budget: 1, ...}'",
        ),
        (
            "tenants.acmee.isolation=box",
            "--set tenants.acmee.isolation=box: tenant 'acmee' has no working set\n  Did you mean 'acme'?",
        ),
        ("hopps.max=2", "--set hopps.max=2: no key 'hopps'\n  Did you mean 'hops'?"),
        (
            "workload.acme/chta.tp=2",
            "--set workload.acme/chta.tp=2: no key 'acme/chta'\n  Did you mean 'acme/chat'? "
            "To add it, give the whole of it: --set 'workload.acme/chta={tp: 2, ...}'",
        ),
        (
            "templates.trey.nodes.gpu=rubin",
            "--set templates.trey.nodes.gpu=rubin: no key 'trey'\n  Did you mean 'tray'? "
            "To add it, give the whole of it: --set 'templates.trey={...}'",
        ),
        (
            "nodes.cmx[0-1].usable=1 TB",
            "--set nodes.cmx[0-1].usable=1 TB: 'usable' cannot override an instance of template 'box'\n"
            "  Change the nodes inside template 'box', or make a template of its own.",
        ),
        ("a..b=1", "--set a..b=1: not of the form PATH=VALUE\n  Write --set power.shelf.budget=1.4kW"),
        (
            "plan_to.x=1",
            "--set plan_to.x=1: 'x' leads into the value 80%\n  Shorten the path, and give the whole value.",
        ),
        (
            "power.shelf.budget=[1,",
            "--set power.shelf.budget=[1,: value '[1,': not valid YAML: "
            "expected the node content, but found '<stream end>'\n"
            "  Quote it, or check its brackets.",
        ),
        (
            "x=1",
            "--set x=1: unknown key 'x'\n"
            "  Known: chunk, cmxverify, hops, include, links, name, nodes, plan_to, power, prices, software, templates "
            "and 2 more.",
        ),
        (
            "power.shelf.budgett=1 kW",
            "--set power.shelf.budgett=1 kW: power.shelf: unknown key 'budgett'\n  Did you mean 'budget'?",
        ),
        (
            "power.shelf.budget=1.4 kB",
            "rack.yaml:29:27: power.shelf.budget: '1.4 kB' is a size; expected a power (from --set)\n"
            "  Write it as '1.4 W' or '1.4 kW'.",
        ),
        (
            "software.dynamo=2.10",
            "rack.yaml:5:12: software.dynamo: a text is expected, and 2.10 is read as the number 2.1 (from --set)\n"
            '  Quote it: "2.10".',
        ),
        ("nodes={}", "rack.yaml:21:1: the file has no nodes\n  Name at least one under 'nodes:'."),
    ],
)
def test_a_wrong_override_is_one_message(refusal: Refusal, override: str, message: str) -> None:
    """Malformed, into nowhere, or of a wrong value: the override is named, or the line it changes."""
    assert refusal(SMALL, overrides=(override,)) == message


def test_a_path_into_a_list_is_refused() -> None:
    """Lists are given whole."""
    with pytest.raises(InputError, match="'0' leads into a list"):
        changed("a: [1]\n", "a.0=2")
