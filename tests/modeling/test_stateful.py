"""``Model.TestCase``: hypothesis takes random steps of a model."""

from __future__ import annotations

import sys
import unittest
from pathlib import Path

import pytest
from hypothesis import settings

from models.classics.lease import Lease

sys.path.insert(0, str(Path(__file__).parent))
from small_models import made

TestLease = Lease.TestCase(node=2, lease=2)
TestLease.settings = settings(max_examples=20, stateful_step_count=20, deadline=None)


def failures(case: type[unittest.TestCase]) -> list[str]:
    """What a run of a test case finds."""
    case.settings = settings(
        max_examples=60, stateful_step_count=10, deadline=None, derandomize=True, database=None
    )
    result = unittest.TestResult()
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result)
    return [text for _, text in [*result.failures, *result.errors]]


def test_a_false_invariant_is_found() -> None:
    """The message names the property."""
    members = '@invariant("SMALL")\ndef p(self) -> bool:\n    return self.a < 3'
    found = failures(
        type(made("a: Low", action="self.a = min(self.a + 1, 3)", members=members).model).TestCase()
    )
    assert len(found) == 1
    assert "SMALL does not hold" in found[0]


def test_a_false_step_property_is_found() -> None:
    """It is asked of each step, with the state before."""
    members = '@step("UP")\ndef p(self, old: M) -> bool:\n    return self.a >= old.a'
    found = failures(
        type(made("a: Low", action="self.a = wrap(self.a + 1)", members=members).model).TestCase()
    )
    assert "UP does not hold" in found[0]


def test_a_duty_that_is_not_met_is_found() -> None:
    """A store out of range fails."""
    assert "RANGE" in failures(type(made("a: Low", action="self.a += 1").model).TestCase())[0]


def test_parameters_are_drawn() -> None:
    """A step that needs one certain argument is found."""
    members = (
        '@invariant("NOT")\n'
        "def p(self) -> bool:\n"
        "    return not self.hit\n"
        "@action\n"
        "def b(self, x: Low, c: Color) -> None:\n"
        "    require(x == 2 and c == Color.GREEN)\n"
        "    self.hit = True"
    )
    assert "NOT does not hold" in failures(type(made("hit: bool", members=members).model).TestCase())[0]


def test_it_needs_the_bounds() -> None:
    """Bounds are checked when the test case is made."""
    with pytest.raises(Exception, match="needs the bound lease"):
        Lease.TestCase(node=2)
