"""What the rounds of a loop read and write, and whether they commute (ruling S6).

Two rounds commute if neither writes what the other reads or writes (Bernstein's conditions); changes of one kind that
commute among themselves, such as adding to a set, count as no conflict. Whoever reads what they change is in conflict.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

ANY = object()
"""Key of an element that is not known while the model is compiled."""
GUARD = "require"
"""What ``require`` changes and each open duty reads: whether this point is reached at all."""
COMMUTATIVE = frozenset({"read", "require", "add", "discard", "intersect", "up", "down", "sum", "send"})


@dataclass(frozen=True, slots=True)
class Access:
    """One read or change.

    Args:
        kind: ``read``, ``write``, or the kind of a change that commutes with others of its kind.
        root: Field, local name or ``GUARD``.
        path: Key of each element on the way; ``ANY`` where it is computed; the whole is meant where it ends.
    """

    kind: str
    root: str
    path: tuple[object, ...] = ()


def conflict(rounds: list[list[Access]]) -> str | None:
    """Why the order of the rounds may matter, in words; None where it cannot."""
    by_root: dict[str, list[tuple[int, Access]]] = defaultdict(list)
    for number, accesses in enumerate(rounds):
        for each in dict.fromkeys(accesses):
            by_root[each.root].append((number, each))
    return next((_in_words(a, b) for entries in by_root.values() for a, b in _conflicts(entries)), None)


def _conflicts(entries: list[tuple[int, Access]]) -> Iterator[tuple[Access, Access]]:
    kinds = {each.kind for _, each in entries}
    if len(kinds) == 1 and kinds <= COMMUTATIVE:
        return
    for (i, a), (j, b) in combinations(entries, 2):
        if i != j and not (a.kind == b.kind and a.kind in COMMUTATIVE) and _overlap(a.path, b.path):
            yield a, b


def _overlap(left: tuple[object, ...], right: tuple[object, ...]) -> bool:
    return all(a is ANY or b is ANY or a == b for a, b in zip(left, right, strict=False))


def _in_words(a: Access, b: Access) -> str:
    name = a.root.partition("/")[0]
    if a.root == GUARD:
        return "a `require` in one round decides whether a duty of another is reached"
    if "read" in (a.kind, b.kind):
        return f"`{name}` is written in one round and read in another"
    return f"`{name}` is written in more than one round"
