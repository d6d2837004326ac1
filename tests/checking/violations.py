"""Counterexamples of shipped models with a mistake, found once for all tests that look at them."""

from __future__ import annotations

from functools import cache

from cmxverify.checking.check import Choices, check
from cmxverify.checking.sequence import MessageSequence, message_sequence
from cmxverify.checking.trace import Trace
from cmxverify.checking.verdict import Verdict, Verified
from cmxverify.modeling.loading import load_model


@cache
def verdict_on(name: str, **bounds: int) -> Verdict:
    """Verdict of the engine in plain Python, which starts fast."""
    loaded = load_model(name)
    return check(loaded.model, bounds, Choices(engine="packed"), reference=loaded.reference)


def trace_of(name: str, **bounds: int) -> Trace:
    """The counterexample."""
    verdict = verdict_on(name, **bounds)
    assert not isinstance(verdict, Verified)
    assert verdict.trace is not None
    return verdict.trace


def chart_of(name: str, **bounds: int) -> MessageSequence:
    """It as a message sequence."""
    return message_sequence(verdict_on(name, **bounds).report.compiled, trace_of(name, **bounds))


HASTY = ("german:GermanHastyGrant", {"node": 2})
"""German's protocol, where the home grants before the sharers are gone."""
RECALLED = ("directory:DirectoryHastyGrant", {"node": 2})
"""A directory that grants while a recall is under way."""
REPLAYED_GRANT = ("lease:LeaseAcceptsAnyGrant", {"node": 1, "lease": 1})
"""A lease that is given back and received again."""
FORGOTTEN_BIT = ("alternating_bit:AlternatingBitAcceptsAll", {"item": 1, "capacity": 1})
"""A receiver that takes a packet twice."""
FIRST_PROMISE = ("two_phase:TwoPhaseFirstPromise", {"manager": 2})
"""A coordinator that commits on one promise."""
SPILT = ("die_hard:DieHardSpills", {})
"""A jug that overflows: a duty is breached."""
