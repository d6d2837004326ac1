from collections.abc import Callable
from fractions import Fraction

import pytest
from sample_texts import FLAT, SMALL

from cmxverify.errors import Location
from cmxverify.topology.model import HopLimit, HopMetric, PowerLimit, Topology

Load = Callable[..., Topology]
Refusal = Callable[..., str]


def test_hops_are_printed_in_switches_without_a_limit(load: Load) -> None:
    """No ``hops`` means no limit."""
    assert load(FLAT).hops == HopLimit(HopMetric.SWITCHES, None, None)


def test_a_hop_limit_keeps_its_line(load: Load) -> None:
    """The metric and the limit, with the line of the limit."""
    hops = load(SMALL).hops
    assert (hops.metric, hops.maximum, hops.at) == (HopMetric.SWITCHES, 2, Location("rack.yaml", 4, 26))


def test_of_is_one_budget_and_each_one_per_member(load: Load) -> None:
    """``of`` binds the sum, ``each`` every member alone; both keep their line."""
    at_of, at_each = Location("rack.yaml", 29, 27), Location("rack.yaml", 30, 29)
    assert load(SMALL).power == (
        PowerLimit("shelf", ("cmx0", "cmx1"), Fraction(2000), at_of),
        PowerLimit("every cmx0", ("cmx0",), Fraction(900), at_each),
        PowerLimit("every cmx1", ("cmx1",), Fraction(900), at_each),
    )


def test_a_glob_stops_at_the_outermost_match(load: Load) -> None:
    """``cmx*`` also fits ``cmx0.flash``, but the enclosure is meant, once."""
    text = SMALL.replace('each: "cmx[0-1]"', 'each: "cmx*"')
    assert load(text).power[1:] == tuple(
        PowerLimit(f"every {name}", (name,), Fraction(900), Location("rack.yaml", 30, 25)) for name in ("cmx0", "cmx1")
    )


def test_prices_are_exact_and_by_kind(load: Load) -> None:
    """Purchases in dollars; rents, energy and life are checked and named, and nothing is counted with them."""
    prices = load(SMALL).prices
    assert prices is not None
    assert prices.devices == {"box": 310_000}
    assert prices.uncounted == ("rubin", "energy", "life")


def test_a_file_without_prices_has_none(load: Load) -> None:
    """The catalog has no prices, so there is nothing to fall back to."""
    assert load(FLAT).prices is None


def test_a_tenant_in_the_shared_namespace_isolates_nothing(load: Load) -> None:
    """``namespace`` and silence are the same."""
    tenants = load(SMALL.replace("{isolation: box}", "{isolation: namespace}")).tenants
    assert tenants["hooli"].isolation == ""


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "hops: {metric: switches, max: 2}",
            "hops: {max: 2}",
            "rack.yaml:4:1: hops: key 'metric' is missing\n  Add it: switches, switch_links or links.",
        ),
        (
            "metric: switches",
            "metric: hops",
            "rack.yaml:4:8: hops.metric: 'hops' is not a choice here\n"
            "  Allowed: 'switches', 'switch_links' or 'links'.",
        ),
        (
            "max: 2",
            "max: -1",
            "rack.yaml:4:26: hops.max: -1 is not a whole number of 0 or more\n  Write one such as 0, 17 or 60k.",
        ),
        (
            'of: "cmx[0-1]"',
            'of: "cmy[0-1]"',
            "rack.yaml:29:11: 'cmy[0-1]' names nothing in this topology\n  Did you mean 'cmx0'?",
        ),
        (
            'of: "cmx[0-1]"',
            'of: "cmx[0-2]"',
            "rack.yaml:29:11: 'cmx2' of 'cmx[0-2]' does not exist\n  Did you mean 'cmx1'?",
        ),
        (
            'of: "cmx[0-1]"',
            "of: cmx[0-1]",
            "rack.yaml:29: unquoted range cmx[0-1] inside { }\n"
            '  Quote it: "cmx[0-1]" (brackets inside { } must be in quotes).',
        ),
        (
            'of: "cmx[0-1]", ',
            "",
            "rack.yaml:29:3: power.shelf needs 'of' or 'each', one of them\n  Write {of: ..., budget: ...}.",
        ),
        (
            'of: "cmx[0-1]", ',
            "of: cmx0, each: cmx1, ",
            "rack.yaml:29:3: power.shelf needs 'of' or 'each', one of them\n  Write {of: ..., budget: ...}.",
        ),
        (
            "budget: 2 kW",
            "budget: 2 kWh",
            "rack.yaml:29:27: power.shelf.budget: '2 kWh' is another dimension; expected a power\n"
            "  Write it as '2 kW'.",
        ),
        (
            "budget: 2 kW",
            "budget: -2 kW",
            "rack.yaml:29:27: power.shelf.budget: '-2 kW' must be 0 or more\n  Write it without the minus.",
        ),
        (
            "{box: 310 kUSD",
            "{boxx: 310 kUSD",
            "rack.yaml:31:10: price of 'boxx', which is no template or device\n  Did you mean 'box'?",
        ),
        ("310 kUSD", "310 k", "rack.yaml:31:10: unknown unit 'k'\n  Write it as '310 USD' or '310 kUSD'."),
        (
            "310 kUSD",
            "[1, {a: b}]",
            "rack.yaml:31:10: [1, {'a': 'b'}] is not a quantity; expected a price\n  Write it as '310 kUSD'.",
        ),
        ("310 kUSD", "-310 kUSD", "rack.yaml:31:10: price '-310 kUSD' is negative\n  Write 0 or more."),
        (
            "3.50 USD/h",
            "3.50 USD/GB",
            "rack.yaml:31:25: '3.50 USD/GB' is another dimension; expected a price per time\n"
            "  Write it as '3.50 USD/h'.",
        ),
        (
            "0.09 USD/kWh",
            "0.09 USD",
            "rack.yaml:31:44: prices.energy: '0.09 USD' is a price; expected a price per energy\n"
            "  Write it as '0.09 USD/kWh'.",
        ),
        (
            "life: 4 years",
            "life: 4",
            "rack.yaml:31:66: prices.life: 4 has no unit; expected a time\n  Write it as '4 ms', '4 s' or '4 h'.",
        ),
        (
            "isolation: box",
            "isolation: boxx",
            "rack.yaml:32:19: isolation 'boxx' is no template that is used here\n  Did you mean 'box'?",
        ),
        (
            "spread: box",
            "spread: bx",
            "rack.yaml:41:73: hooli/raw: spread 'bx' is no template that is used here\n  Did you mean 'box'?",
        ),
        (
            "spread: box",
            "isolation: bx",
            "rack.yaml:41:73: hooli/raw: isolation 'bx' is no template that is used here\n"
            "  Did you mean 'box'?",
        ),
    ],
)
def test_wrong_limits_are_one_message(refusal: Refusal, old: str, new: str, message: str) -> None:
    """Each demand that names nothing, or is of the wrong kind, is told with its line."""
    assert old in SMALL
    assert refusal(SMALL.replace(old, new)) == message


def test_isolation_in_an_unused_template_names_nothing(refusal: Refusal) -> None:
    """A template without instances has no places to own."""
    text = SMALL.replace("isolation: box", "isolation: idle").replace(
        "nodes:\n  tray[0-1]", "  idle: {nodes: {s: sn5610}}\nnodes:\n  tray[0-1]"
    )
    assert "isolation 'idle' is no template that is used here" in refusal(text)
