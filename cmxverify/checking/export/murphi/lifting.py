"""Which values of symmetric types an expression names, and the groups that one quantifier or loop can say.

A system is flattened: what was ``all(not awaited[m] for m in Node)`` is a conjunction over node0, node1, ... To write
it with a quantifier again, each conjunct is printed with a variable in the place of the values it names; conjuncts
that print alike, and of which there is one for each choice of values, are one ``forall``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from cmxverify.checking.export.murphi.natures import Nature, Natures, OfSort
from cmxverify.checking.export.murphi.vocabulary import Vocabulary
from cmxverify.modeling.ir.expression import Expr, Op

Value = tuple[str, int]
"""A value of a symmetric type: (sort, ordinal)."""


class Unliftable(Exception):  # noqa: N818 - not an error: the rule is then written for each value
    """Something that cannot be said for all values of a symmetric type at once."""


class Mentions:
    """The values of symmetric types that expressions name, in order of appearance."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary
        self._natures: Natures = vocabulary.natures
        self._found: dict[tuple[Expr, Nature], tuple[Value, ...]] = {}

    def of(self, expr: Expr, nature: Nature = None) -> tuple[Value, ...]:
        """Values named by an expression; a constant names one if it stands for a value of ``nature``."""
        key = (expr, nature)
        if key not in self._found:
            self._found[key] = tuple(dict.fromkeys(self._of_node(expr, nature)))
        return self._found[key]

    def of_cell(self, index: int) -> tuple[Value, ...]:
        """Values in a cell's place."""
        subscripts = self._vocabulary.places[index].subscripts
        return tuple((each.sort, each.ordinal) for each in subscripts if each.sort)

    def _of_node(self, expr: Expr, nature: Nature) -> Iterator[Value]:
        match expr.op:
            case Op.CONST:
                if isinstance(nature, OfSort) and expr.value >= 0:
                    yield nature.sort, expr.value
                return
            case Op.CELL:
                yield from self.of_cell(expr.value)
                return
            case Op.EQ:
                inner = [self._natures.of(*expr.args)] * 2
            case Op.ITE:
                inner = [None, nature, nature]
            case _:
                inner = [None] * len(expr.args)
        for arg, each in zip(expr.args, inner, strict=True):
            yield from self.of(arg, each)


def free_values(mentioned: Sequence[Value], bindings: Mapping[Value, str]) -> tuple[Value, ...]:
    """Those without a name in scope."""
    return tuple(each for each in mentioned if each not in bindings)


@dataclass(frozen=True, slots=True)
class Quantified:
    """Variables over symmetric types: (variable, sort) each."""

    variables: tuple[tuple[str, str], ...]

    def choices(self, sizes: Mapping[str, int], bindings: Mapping[Value, str]) -> set[tuple[Value, ...]]:
        """Every way to give the variables different values that have no name in scope."""
        domains = [
            [(sort, at) for at in range(sizes[sort]) if (sort, at) not in bindings]
            for _, sort in self.variables
        ]
        return {chosen for chosen in product(*domains) if len(set(chosen)) == len(chosen)}

    def differences(self, bindings: Mapping[Value, str]) -> list[str]:
        """Conditions that keep the variables apart, and from the names in scope."""
        found = []
        for at, (variable, sort) in enumerate(self.variables):
            others = [name for (of, _), name in bindings.items() if of == sort]
            others += [name for name, of in self.variables[:at] if of == sort]
            found += [f"{variable} != {name}" for name in dict.fromkeys(others)]
        return found


def complete(seen: set[tuple[Value, ...]], every: set[tuple[Value, ...]]) -> bool:
    """Whether each choice was seen, if need be with its values in another order (symmetric formulas)."""
    return {order for chosen in seen for order in permutations(chosen)} >= every
