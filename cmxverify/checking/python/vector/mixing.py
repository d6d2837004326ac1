"""The hash of ``fingerprint.py`` over many states at once; products wrap at 64 bits, as they must."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from cmxverify.modeling.ir.fingerprint import FIRST, SECOND, SEEDS

Hashes = npt.NDArray[np.uint64]


def mix(words: Hashes) -> Hashes:
    """Finaliser of SplitMix64."""
    words = (words ^ (words >> np.uint64(30))) * np.uint64(FIRST)
    words = (words ^ (words >> np.uint64(27))) * np.uint64(SECOND)
    return words ^ (words >> np.uint64(31))


def hash_words(words: Sequence[Hashes] | Hashes, lane: int) -> Hashes:
    """Hash of the columns of some rows of words in one lane."""
    found = mix(words[0] ^ np.uint64(SEEDS[lane]))
    for row in words[1:]:
        found = mix(found ^ row)
    return found


class GraphSums:
    """Order-independent sums over states and edges, per lane."""

    def __init__(self) -> None:
        self.states = [0, 0]
        self.edges = [0, 0]

    def add_states(self, words: Hashes) -> None:
        """Count states, once each."""
        for lane in (0, 1):
            self.states[lane] += int(hash_words(words, lane).sum(dtype=np.uint64))

    def add_edges(self, sources: Hashes, instance: int, targets: Hashes) -> None:
        """Count the steps of one instance from some states to others."""
        for lane in (0, 1):
            source, target = hash_words(sources, lane), hash_words(targets, lane)
            ends = (source, np.full_like(source, instance), target)
            self.edges[lane] += int(hash_words(ends, lane).sum(dtype=np.uint64))
