"""Expressions as Python source over packed states, compiled one function at a time.

In the source ``s`` is the packed state and ``t`` the packed next state. Booleans are 0, 1, False or True, which serve
alike in conditions, comparisons and shifts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from cmxverify.checking.python.packed.places import Place, Places
from cmxverify.modeling.ir.expression import Expr, Op, walk
from cmxverify.modeling.ir.system import Instance

DISABLED, FAULTY = -1, -2
"""What the function of a step gives where there is no successor."""

_DEEPEST = 16
"""Nesting from which on a part gets a name of its own: Python's parser allows some two hundred parentheses."""

_BINARY = {Op.EQ: "==", Op.LT: "<", Op.ADD: "+", Op.MUL: "*", Op.FLOORDIV: "//", Op.MOD: "%"}

Pair = tuple[int, int]


@dataclass(slots=True)
class _Body:
    """Lines of a function and what stands for each node rendered so far."""

    places: Places
    lines: list[str] = field(default_factory=list)
    texts: dict[Expr, str] = field(default_factory=dict)
    depths: dict[Expr, int] = field(default_factory=dict)

    def add(self, roots: Iterable[Expr], indent: str) -> list[str]:
        """Render expressions; nodes used twice or lying deep are first put into local names."""
        roots = list(roots)
        uses = Counter(arg for node in walk(roots) for arg in node.args) + Counter(roots)
        for node in walk(roots):
            if node not in self.texts:
                text = self.text(node)
                self.depths[node] = depth = 1 + max((self.depths[arg] for arg in node.args), default=0)
                if node.args and (uses[node] > 1 or depth % _DEEPEST == 0):
                    self.lines.append(f"{indent}x{len(self.texts)} = {text}")
                    text = f"x{len(self.texts)}"
                self.texts[node] = text
        return [self.texts[root] for root in roots]

    def text(self, node: Expr) -> str:
        """Source of one node, in parentheses."""
        args = [self.texts[arg] for arg in node.args]
        match node.op:
            case Op.CONST:
                return f"({node.value})"
            case Op.CELL:
                return read(self.places.each[node.value], "s")
            case Op.NEXT:
                return read(self.places.each[node.value], "t")
            case Op.NOT:
                return f"(not {args[0]})"
            case Op.AND:
                return self.conjunction(node)
            case Op.OR:
                return f"({' or '.join(args)})"
            case Op.EQ:
                return self.literal(node) or f"({args[0]} == {args[1]})"
            case Op.ITE:
                return f"({args[1]} if {args[0]} else {args[2]})"
        return f"({args[0]} {_BINARY[node.op]} {args[1]})"

    def literal(self, node: Expr) -> str:
        """``cell == constant`` without taking the cell out, else empty."""
        found = fixed(node)
        if found is None:
            return ""
        place = self.places.each[found[0]]
        return f"(s & {place.mask} == {place.coded(found[1])})"

    def conjunction(self, node: Expr) -> str:
        """All cells that must have one value are compared at once."""
        pairs = [(fixed(arg), arg) for arg in node.args]
        cells = dict(found for found, _ in pairs if found is not None)
        rest = [self.texts[arg] for found, arg in pairs if found is None or cells[found[0]] != found[1]]
        if cells:
            mask, value = (
                self.places.mask_of(cells),
                sum(self.places.each[at].coded(is_) for at, is_ in cells.items()),
            )
            rest.insert(0, f"s & {mask} == {value}")
        return f"({' and '.join(rest)})"


def read(place: Place, name: str) -> str:
    """Source of the value at a place."""
    text = f"{name} >> {place.shift} & {place.field}" if place.shift else f"{name} & {place.field}"
    return f"(({text}) + {place.low})" if place.low else f"({text})"


def fixed(node: Expr) -> Pair | None:
    """Cell and value of a condition ``cell == constant``, which for a bool is the cell or its negation."""
    match node.op:
        case Op.CELL if node.is_bool:
            return node.value, 1
        case Op.NOT if node.args[0].op is Op.CELL:
            return node.args[0].value, 0
        case Op.EQ if node.args[0].op is Op.CELL and node.args[1].op is Op.CONST and not node.args[1].is_bool:
            cell, constant = node.args
            return (cell.value, constant.value) if cell.low <= constant.value <= cell.high else None
    return None


def condition_of(expr: Expr, places: Places) -> Callable[[int], object]:
    """Function of a packed state that is true where the condition holds."""
    return _returning(expr, places, "s")


def relation_of(expr: Expr, places: Places) -> Callable[[int, int], object]:
    """Function of a packed state and the next one that is true where the condition on both holds."""
    return _returning(expr, places, "s, t")


def step_of(instance: Instance, places: Places) -> Callable[[int], int]:
    """Function from a packed state to its successor, or to ``DISABLED``, or (an obligation is breached) ``FAULTY``."""
    body = _Body(places)
    for breach in body.add([each.breach for each in instance.obligations], "    "):
        body.lines.append(f"    if {breach}: return {FAULTY}")
    [guard] = body.add([instance.guard], "    ")
    body.lines.append(f"    if not {guard}: return {DISABLED}")
    body.lines.append(f"    return {_successor(body, instance, '    ')}")
    return _compiled("s", body.lines)


def steps_of(instance: Instance, places: Places) -> Callable[[Iterable[int]], tuple[list[Pair], list[int]]]:
    """The same over many states: (state, successor) pairs where it is enabled, and the states where it is faulty."""
    body = _Body(places, ["    pairs, faulty = [], []", "    for s in states:"])
    for breach in body.add([each.breach for each in instance.obligations], "        "):
        body.lines += [f"        if {breach}:", "            faulty.append(s)", "            continue"]
    [guard] = body.add([instance.guard], "        ")
    body.lines += [f"        if not {guard}: continue"]
    successor = _successor(body, instance, "        ")
    body.lines += [f"        pairs.append((s, {successor}))", "    return pairs, faulty"]
    return _compiled("states", body.lines)


def _successor(body: _Body, instance: Instance, indent: str) -> str:
    """Source of the packed successor: constants are merged into one mask and one addend."""
    addend, moving = 0, []
    for (index, expr), text in zip(
        instance.updates, body.add([expr for _, expr in instance.updates], indent), strict=True
    ):
        place = body.places.each[index]
        if expr.constant is not None:
            addend += place.coded(expr.constant)
        elif place.field:
            addend += place.coded(0)
            moving.append(f"({text} << {place.shift})")
    kept = ((1 << 64 * body.places.words) - 1) ^ body.places.mask_of(index for index, _ in instance.updates)
    return " + ".join([f"(s & {kept})" if instance.updates else "s", *moving, f"({addend})"])


def _returning(expr: Expr, places: Places, arguments: str) -> Callable[..., Any]:
    body = _Body(places)
    [result] = body.add([expr], "    ")
    return _compiled(arguments, [*body.lines, f"    return {result}"])


def _compiled(arguments: str, lines: list[str]) -> Callable[..., Any]:
    scope: dict[str, Any] = {}
    exec(f"def generated({arguments}):\n" + "\n".join(lines), scope)
    function: Callable[..., Any] = scope["generated"]
    return function
