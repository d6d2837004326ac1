"""Prices from file to verdict: what they add up to, and what is said of those that add nothing."""

from __future__ import annotations

import pytest
from command_runs import Run


@pytest.mark.parametrize(
    ("prices", "cost"),
    [
        ("{enclosure: 310 kUSD, tlc-gen6-30tb: 6 kUSD}", 4 * 310_000),
        ("{bluefield-4: 2 kUSD, tlc-gen6-30tb: 6 kUSD, rubin: 40 kUSD}", 4 * (2 * 2_000 + 10 * 6_000)),
    ],
)
def test_cost_is_of_what_is_on_and_the_auditor_agrees(run: Run, prices: str, cost: int) -> None:
    """cmx-rack has four enclosures on, each with two DPUs and ten drives."""
    solved = run("solve", "cmx-rack", "--set", f"prices={prices}", "-o", "plan.json", "--json")
    level = next(each for each in solved.document["certificate"]["levels"] if each["key"] == "cost")
    assert level["value"] == cost
    assert run("verify", "plan.json").code == 0


def test_prices_that_add_nothing_are_named(run: Run) -> None:
    """A tray is on whatever the plan, and a rent is of nobody's choice: no level of cost, and both are named."""
    out = run("solve", "cmx-rack", "--set", "prices={tray: 900 kUSD, rubin: 3.50 USD/h, life: 4 years}").out
    assert "| cost" not in out
    assert "prices that add to no cost: tray, rubin, life" in out
