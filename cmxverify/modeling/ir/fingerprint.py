"""Order-independent 128-bit hash of a state graph (ruling S1): equal sizes are not equal graphs, equal hashes are.

Two lanes of 64 bits. A state hashes by mixing its packed words one after the other; an edge by mixing source hash,
instance number and target hash. The hash of a graph is the sum over its states, and over its edges, modulo 2^64 in
each lane. Every engine computes this same function; the sums do not depend on the order of the search.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

MASK = (1 << 64) - 1
SEEDS = (0x9E3779B97F4A7C15, 0xD1B54A32D192ED03)
FIRST, SECOND = 0xBF58476D1CE4E5B9, 0x94D049BB133111EB


def mix(word: int) -> int:
    """Finaliser of SplitMix64 (Steele, Lea, Flood 2014): a bijection of 64-bit words."""
    word = ((word ^ (word >> 30)) * FIRST) & MASK
    word = ((word ^ (word >> 27)) * SECOND) & MASK
    return word ^ (word >> 31)


def hash_words(words: Sequence[int], lane: int) -> int:
    """Hash of some words in one lane: ``h = mix(h ^ word)``, from the lane's seed."""
    found = SEEDS[lane]
    for word in words:
        found = mix(found ^ word)
    return found


@dataclass(slots=True)
class GraphHash:
    """Running sums over the states and the edges seen so far, per lane."""

    states: list[int]
    edges: list[int]

    @classmethod
    def empty(cls) -> GraphHash:
        """Of the empty graph."""
        return cls([0, 0], [0, 0])

    def add_state(self, words: Sequence[int]) -> None:
        """Count a state, once."""
        for lane in (0, 1):
            self.states[lane] = (self.states[lane] + hash_words(words, lane)) & MASK

    def add_edge(self, source: Sequence[int], instance: int, target: Sequence[int]) -> None:
        """Count a transition (source, instance, target), once."""
        for lane in (0, 1):
            ends = (hash_words(source, lane), instance, hash_words(target, lane))
            self.edges[lane] = (self.edges[lane] + hash_words(ends, lane)) & MASK

    def text(self) -> str:
        """``states-edges`` in hexadecimal, 32 digits each."""
        return "-".join("".join(f"{lane:016x}" for lane in pair) for pair in (self.states, self.edges))
