"""The front end is confirmed from outside: a Murphi text of the lease protocol that nothing generated (S3)."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

from cmxverify.checking.crosscheck.comparison import CrossCheck, crosscheck
from cmxverify.checking.crosscheck.peer import PeerLimits
from cmxverify.checking.exploration import Request
from cmxverify.checking.export.murphi.program import MurphiExporter
from cmxverify.checking.native.engine import NativeEngine
from cmxverify.modeling.compile import system_of
from models.classics.lease import Lease
from models.classics.variants.lease import LeaseAcceptsAnyGrant

pytestmark = pytest.mark.skipif(
    shutil.which("rumur") is None or shutil.which("cc") is None,
    reason="rumur or a C compiler is not installed",
)
BY_HAND = Path(__file__).with_name("lease_by_hand.m").read_text(encoding="utf-8")


def compared(
    monkeypatch: pytest.MonkeyPatch, model: type[Any], text: str, *, node: int, lease: int
) -> CrossCheck:
    """Our search of the Python model beside rumur's of the text; deadlock is not asked of either."""
    monkeypatch.setattr(MurphiExporter, "export", lambda *_: f"const NODES: {node}; LEASES: {lease};\n{text}")
    system, request = system_of(model, {"node": node, "lease": lease}), Request(deadlock=False)
    found = NativeEngine().explore(system, request)
    return crosscheck(system, found, request, limits=PeerLimits(optimize=0))


@pytest.mark.parametrize(("node", "lease"), [(1, 1), (1, 3), (2, 1), (2, 2), (3, 2)])
def test_s03_a_text_by_hand_has_the_same_graph(
    monkeypatch: pytest.MonkeyPatch, node: int, lease: int
) -> None:
    """States, transitions, states at each depth, verdict and witnesses are those of the Python model."""
    table = compared(monkeypatch, Lease, BY_HAND, node=node, lease=lease)
    assert table.agrees, table.text()


def test_s03_the_same_mistake_by_hand_has_as_long_a_counterexample(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that accepts any grant reads without a lease, after as many steps in both."""
    assert BY_HAND.count(" & seen[n] < k") == 1
    wrong = BY_HAND.replace(" & seen[n] < k", "")
    table = compared(monkeypatch, LeaseAcceptsAnyGrant, wrong, node=1, lease=1)
    assert table.agrees, table.text()


def test_s03_another_protocol_by_hand_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    """The comparison tells the mistaken text from the right model."""
    wrong = BY_HAND.replace(" & seen[n] < k", "")
    assert not compared(monkeypatch, Lease, wrong, node=1, lease=1).agrees
