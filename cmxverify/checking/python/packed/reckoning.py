"""Hash of the whole graph, in a pass of its own over the states that were found."""

from __future__ import annotations

from collections.abc import Iterable

from cmxverify.checking.python.packed.code import DISABLED, FAULTY, step_of
from cmxverify.checking.python.packed.places import Places
from cmxverify.modeling.ir.fingerprint import MASK, GraphHash, hash_words
from cmxverify.modeling.ir.system import System

_LANES = (0, 1)


def graph_hash(system: System, places: Places, states: Iterable[int]) -> str:
    """``GraphHash.text()`` of all states and transitions; states are hashed once each."""
    hashes = {state: [hash_words(places.split(state), lane) for lane in _LANES] for state in states}
    total = GraphHash([sum(each[lane] for each in hashes.values()) & MASK for lane in _LANES], [0, 0])
    for number, instance in enumerate(system.instances):
        step = step_of(instance, places)
        for state, ends in hashes.items():
            after = step(state)
            if after not in (DISABLED, FAULTY):
                for lane in _LANES:
                    total.edges[lane] += hash_words((ends[lane], number, hashes[after][lane]), lane)
    total.edges = [each & MASK for each in total.edges]
    return total.text()
