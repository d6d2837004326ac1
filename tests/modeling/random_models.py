"""Random small models as Python source: every type, statement and expression of the language, drawn from a seed.

``random_source(seed)`` is the text of a module with one model ``Random``; ``load_source`` makes it a module whose
source can be read, as a notebook does, without a file.
"""

from __future__ import annotations

import linecache
import types
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

HEAD = """from __future__ import annotations
from dataclasses import dataclass, replace
from enum import Enum
from cmxverify.modeling import *

Node = Index("node")
Low = Range(0, 2)
Wide = Range(-1, 3)


class Color(Enum):
    RED = 1
    GREEN = 2
    BLUE = 3


@dataclass(frozen=True)
class Grant:
    n: Node
    k: Low = 1

    def later(self) -> Grant:
        return replace(self, k=(self.k + 1) % 3)


@dataclass(frozen=True)
class Release:
    n: Node


def larger(a: int, b: int) -> int:
    if a < b:
        return b
    return a


class Random(Model):
"""
TYPES = {
    "bool": "bool",
    "Color": "Color",
    "Low": "num",
    "Wide": "num",
    "Node": "Node",
    "Node | None": "Node?",
    "Low | None": "num?",
    "Grant | None": "Grant?",
    "Map[Node, bool]": "Node:bool",
    "Map[Node, Low]": "Node:num",
    "Owned[Node, Color]": "Node:Color",
    "Map[Low, Node | None]": "num:Node?",
    "Map[Color, Low]": "Color:num",
    "Map[Node, Set[Node]]": "Node:{Node}",
    "Set[Node]": "{Node}",
    "Set[Low]": "{num}",
    "Set[Grant]": "{Grant}",
    "Net[Grant | Release]": "~Message",
    "Bag[Grant](cap=2)": "[Grant]",
    "Bag[Color](cap=2, overflow='block', loss=1)": "[Color]",
    "Queue[Color](cap=2)": "<Color>",
    "Queue[Grant](cap=2, overflow='drop')": "<Grant>",
}
"""Types of fields, with the kind of their values as the generator knows it."""


@dataclass
class Scope:
    """What may be named where: variables with their kinds, and whether state may change."""

    names: dict[str, str] = field(default_factory=dict)
    depth: int = 0


class Writer:
    """Draws one model."""

    def __init__(self, seed: int, *, symmetric: bool = False) -> None:
        self.draw = Random(seed)
        self.symmetric = symmetric
        self.fields: dict[str, tuple[str, str]] = {}

    def one(self, *options: Any) -> Any:
        return self.draw.choice(options)

    def chance(self, share: float) -> bool:
        return self.draw.random() < share

    # Expressions, by the kind of their value

    def places(self, kind: str, scope: Scope, holder: str = "self") -> list[str]:
        """What already has a value of that kind."""
        found = [name for name, its in scope.names.items() if its == kind]
        for name, (_, its) in self.fields.items():
            if its == kind:
                found.append(f"{holder}.{name}")
            key, arrow, element = its.partition(":")
            if arrow and element == kind and scope.depth < 4:
                scope.depth += 1
                found.append(f"{holder}.{name}[{self.value(key, scope)}]")
                scope.depth -= 1
        return found

    def value(self, kind: str, scope: Scope) -> str:
        scope.depth += 1
        try:
            places = self.places(kind, scope)
            if places and (self.chance(0.55) or scope.depth > 4):
                return str(self.draw.choice(places))
            return str(getattr(self, f"make_{NAMES.get(kind, kind)}")(scope))
        finally:
            scope.depth -= 1

    def make_num(self, scope: Scope) -> str:
        if scope.depth > 3:
            return str(self.draw.randint(0, 2))
        a, b = (lambda: self.value("num", scope)), (lambda: self.value("bool", scope))
        return self.one(
            lambda: str(self.draw.randint(-1, 3)),
            lambda: f"({a()} + {a()})",
            lambda: f"({a()} - {a()})",
            lambda: f"({a()} * {a()})",
            lambda: f"({a()} // {self.draw.randint(1, 3)})",
            lambda: f"({a()} % {self.draw.randint(1, 4)})",
            lambda: f"(-{a()})",
            lambda: f"({a()} if {b()} else {a()})",
            lambda: f"{self.one('min', 'max')}({a()}, {a()})",
            lambda: f"larger({a()}, {a()})",
            lambda: self.loop_value("count", "bool", scope),
            lambda: self.loop_value("sum", "num", scope),
            lambda: self.loop_value("max", "num", scope),
            lambda: f"len({self.container(scope)})",
        )()

    def loop_value(self, function: str, kind: str, scope: Scope) -> str:
        name, where, element = self.binding(scope)
        inner = Scope({**scope.names, name: element}, scope.depth)
        test = f" if {self.value('bool', inner)}" if self.chance(0.3) else ""
        return f"{function}({self.value(kind, inner)} for {name} in {where}{test})"

    def binding(self, scope: Scope) -> tuple[str, str, str]:
        name = self.one("i", "j", "k")
        options = [("Node", "Node"), ("Low", "num"), ("Color", "Color"), ("range(2)", "num")]
        for each, (_, kind) in self.fields.items():
            if kind[0] in "{[<":
                options.append((f"self.{each}", kind[1:-1]))
        if self.symmetric and self.chance(0.6):
            options = [("Node", "Node")]
        where, kind = self.draw.choice(options)
        return name, where, kind

    def container(self, scope: Scope) -> str:
        found = [f"self.{name}" for name, (_, kind) in self.fields.items() if kind[0] in "{[<" or ":" in kind]
        return str(self.draw.choice([*found, "Node", "Low"]))

    def make_bool(self, scope: Scope) -> str:
        if scope.depth > 3:
            return self.one("True", "False")
        b, a = (lambda: self.value("bool", scope)), (lambda: self.value("num", scope))
        options: list[Callable[[], str]] = [
            lambda: f"({b()} and {b()})",
            lambda: f"({b()} or {b()})",
            lambda: f"(not {b()})",
            lambda: f"({a()} {self.one('<', '<=', '>', '>=', '==', '!=')} {a()})",
            lambda: f"({a()} <= {a()} < {a()})",
            lambda: self.same(self.one("Node", "Color", "bool", "Grant"), scope),
            lambda: f"({self.value('Color', scope)} in (Color.RED, {self.value('Color', scope)}))",
            lambda: self.loop_value(self.one("any", "all"), "bool", scope),
            lambda: f"implies({b()}, {b()})",
            lambda: f"({b()} if {b()} else {b()})",
            lambda: f"({a()} in Low)",
        ]
        for name, (_, kind) in self.fields.items():
            options += self.questions(f"self.{name}", kind, scope)
        return str(self.draw.choice(options)())

    def questions(self, place: str, kind: str, scope: Scope) -> list[Callable[[], str]]:
        if ":" in kind:
            return []
        inner = kind[1:-1]
        if kind.endswith("?"):
            wanted = kind[:-1]
            return [
                lambda: f"({place} {self.one('is', 'is not')} None)",
                lambda: f"({place} == {self.value(wanted, scope)})",
                lambda: f"({place} is not None and {place} == {self.value(wanted, scope)})",
            ]
        if kind == "~Message":
            return [lambda: f"({self.value(self.one('Grant', 'Release'), scope)} in {place})"]
        if kind[0] in "{[<":
            asked = [lambda: f"({self.value(inner, scope)} {self.one('in', 'not in')} {place})"]
            if kind[0] == "[":
                asked.append(lambda: f"({place}.count({self.value(inner, scope)}) > 1)")
            if kind[0] == "<":
                asked.append(lambda: f"(len({place}) > 0 and {place}.head == {self.value(inner, scope)})")
                asked.append(lambda: f"({place}.head == {self.value(inner, scope)})")
            if kind[0] == "{":
                asked.append(lambda: f"({place} <= {self.value(kind, scope)})")
                asked.append(lambda: f"({place} == {self.value(kind, scope)})")
            return asked
        return []

    def same(self, kind: str, scope: Scope) -> str:
        return f"({self.value(kind, scope)} {self.one('==', '!=')} {self.value(kind, scope)})"

    def make_color(self, scope: Scope) -> str:
        return f"Color.{self.one('RED', 'GREEN', 'BLUE')}"

    def make_node(self, scope: Scope) -> str:
        nodes = [name for name, kind in scope.names.items() if kind == "Node"]
        known = [f"self.{name}" for name, (_, kind) in self.fields.items() if kind == "Node"]
        return str(self.draw.choice(nodes + known))

    def make_grant(self, scope: Scope) -> str:
        if scope.depth < 3 and self.chance(0.2):
            return f"{self.value('Grant', scope)}.later()"
        return f"Grant({self.value('Node', scope)}, {self.value('num', scope)})"

    def make_release(self, scope: Scope) -> str:
        return f"Release({self.value('Node', scope)})"

    def make_maybe_node(self, scope: Scope) -> str:
        return self.one(
            "None",
            self.value("Node", scope),
            f"({self.value('Node', scope)} if {self.value('bool', scope)} else None)",
        )

    def make_maybe_num(self, scope: Scope) -> str:
        return self.one(
            "None",
            self.value("num", scope),
            f"(None if {self.value('bool', scope)} else {self.value('num', scope)})",
        )

    def make_maybe_grant(self, scope: Scope) -> str:
        return self.one("None", self.value("Grant", scope))

    def make_set(self, element: str, scope: Scope) -> str:
        fields = [f"self.{name}" for name, (_, kind) in self.fields.items() if kind == f"{{{element}}}"]
        options: list[Callable[[], str]] = [
            lambda: f"{{{self.value(element, scope)}, {self.value(element, scope)}}}",
            lambda: "frozenset()",
        ]
        if element == "Node":
            options.append(
                lambda: (
                    f"{{q for q in Node if {self.value('bool', Scope({**scope.names, 'q': 'Node'}, scope.depth))}}}"
                )
            )
        if fields:
            one = str(self.draw.choice(fields))
            options.append(lambda: f"({one} {self.one('|', '&', '-')} {{{self.value(element, scope)}}})")
        return str(self.draw.choice(options)())

    # Statements

    def block(self, scope: Scope, indent: str, most: int) -> list[str]:
        names = Scope(dict(scope.names), scope.depth)
        lines: list[str] = []
        for _ in range(self.draw.randint(1, most)):
            lines += self.statement(names, indent)
        return lines

    def statement(self, scope: Scope, indent: str) -> list[str]:
        nested = len(indent) < 20
        options: list[Callable[[Scope, str], list[str]]] = (
            [self.assign] * 4 + [self.mutate] * 3 + [self.augment, self.local]
        )
        options += [self.require, self.check] if self.chance(0.5) else []
        options += [self.branch, self.loop, self.match, self.helper] * (2 if nested else 0)
        return self.draw.choice(options)(scope, indent)

    def targets(self, scope: Scope) -> list[tuple[str, str]]:
        found = []
        for name, (_, kind) in self.fields.items():
            key, arrow, element = kind.partition(":")
            if arrow:
                found.append((f"self.{name}[{self.value(key, scope)}]", element))
            elif kind[0] not in "~[<":
                found.append((f"self.{name}", kind))
        return found

    def assign(self, scope: Scope, indent: str) -> list[str]:
        target, kind = self.draw.choice(self.targets(scope))
        value = self.value(kind, scope)
        if kind == "num" and self.chance(0.5):
            value = f"{self.one('saturate', 'wrap')}({value})"
        return [f"{indent}{target} = {value}"]

    def augment(self, scope: Scope, indent: str) -> list[str]:
        found = [each for each in self.targets(scope) if each[1] == "num" or each[1][0] == "{"]
        if not found:
            return self.assign(scope, indent)
        target, kind = self.draw.choice(found)
        if kind == "num":
            return [f"{indent}{target} {self.one('+=', '-=')} {self.value('num', scope)}"]
        return [f"{indent}{target} {self.one('|=', '-=', '&=')} {{{self.value(kind[1:-1], scope)}}}"]

    def local(self, scope: Scope, indent: str) -> list[str]:
        name = self.one("x", "y")
        kind = scope.names.get(name) or self.one("num", "bool", "Node", "Color")
        line = f"{indent}{name} = {self.value(kind, scope)}"
        scope.names[name] = kind
        return [line]

    def mutate(self, scope: Scope, indent: str) -> list[str]:
        found = [
            (name, kind)
            for name, (_, kind) in self.fields.items()
            if kind[0] in "{[<~" or kind.endswith("{Node}")
        ]
        if not found:
            return self.assign(scope, indent)
        name, kind = self.draw.choice(found)
        place = f"self.{name}"
        if ":" in kind:
            place, kind = f"{place}[{self.value('Node', scope)}]", "{Node}"
        element = self.one("Grant", "Release") if kind == "~Message" else kind[1:-1]
        verb = {
            "{": ("add", "add", "discard", "remove"),
            "[": ("send", "send", "receive"),
            "<": ("send", "send", "pop"),
            "~": ("send",),
        }[kind[0]]
        chosen = self.draw.choice(verb)
        return [f"{indent}{place}.{chosen}({'' if chosen == 'pop' else self.value(element, scope)})"]

    def require(self, scope: Scope, indent: str) -> list[str]:
        return [f"{indent}require({self.value('bool', scope)})"]

    def check(self, scope: Scope, indent: str) -> list[str]:
        return [f"{indent}assert {self.value('bool', scope)}"]

    def branch(self, scope: Scope, indent: str) -> list[str]:
        lines = [f"{indent}if {self.value('bool', scope)}:", *self.block(scope, indent + "    ", 2)]
        if self.chance(0.15):
            lines.append(f"{indent}    return")
        if self.chance(0.4):
            lines += [f"{indent}elif {self.value('bool', scope)}:", *self.block(scope, indent + "    ", 2)]
        if self.chance(0.4):
            lines += [f"{indent}else:", *self.block(scope, indent + "    ", 2)]
        return lines

    def loop(self, scope: Scope, indent: str) -> list[str]:
        name, where, kind = self.binding(scope)
        if name in scope.names:  # it would be forgotten after the inner loop
            name = next(each for each in "ijkuvw" if each not in scope.names)
        inner = Scope({**scope.names, name: kind}, scope.depth)
        lines = [f"{indent}for {name} in {where}:", *self.block(inner, indent + "    ", 2)]
        if self.chance(0.1):
            lines.append(f"{indent}    if {self.value('bool', inner)}:\n{indent}        return")
        return lines

    def match(self, scope: Scope, indent: str) -> list[str]:
        places = [f"self.{name}" for name, (_, kind) in self.fields.items() if kind == "Grant?"]
        deeper = indent + "        "
        if places and self.chance(0.6):
            inner = Scope({**scope.names, "a": "Node", "b": "num"}, scope.depth)
            guard = f" if {self.value('bool', inner)}" if self.chance(0.4) else ""
            if "a" in scope.names:  # a guard may be false, and Python would not give the names back
                guard = ""
            return [
                f"{indent}match {self.draw.choice(places)}:",
                f"{indent}    case Grant(a, b){guard}:",
                *self.block(inner, deeper, 2),
                f"{indent}    case None:",
                *self.block(scope, deeper, 1),
            ]
        return [
            f"{indent}match {self.value('Color', scope)}:",
            f"{indent}    case Color.RED | Color.BLUE:",
            *self.block(scope, deeper, 2),
            f"{indent}    case _:",
            *self.block(scope, deeper, 1),
        ]

    def helper(self, scope: Scope, indent: str) -> list[str]:
        name = self.one("x", "y")
        if scope.names.get(name, "num") != "num":
            return [f"{indent}self.changes({self.value('Node', scope)})"]
        line = f"{indent}{name} = self.changes({self.value('Node', scope)})"
        scope.names[name] = "num"
        return [line]

    # The whole

    def source(self) -> str:
        kinds = list(TYPES)
        chosen = ["Map[Node, bool]", *(self.draw.choice(kinds) for _ in range(self.draw.randint(2, 5)))]
        self.fields = {f"f{at}": (each, TYPES[each]) for at, each in enumerate(chosen)}
        lines = [f"    {name}: {text}" for name, (text, _) in self.fields.items()]
        lines += ["", "    def changes(self, n: Node) -> int:", *self._helper_body()]
        for at in range(self.draw.randint(1, 4)):
            lines += self._action(at)
        lines += self._property("invariant", "I", "")
        lines += self._property("step", "S", ", old")
        if self.chance(0.3):
            inner = self.value("bool", Scope({"p": "Node"}, 1))
            lines += ["", "    def quiescent(self) -> bool:", f"        return any({inner} for p in Node)"]
        return HEAD + "\n".join(lines) + "\n"

    def _helper_body(self) -> list[str]:
        scope = Scope({"n": "Node"})
        body = self.assign(scope, "        ") + self.mutate(scope, "        ")
        early = [f"        if {self.value('bool', scope)}:", f"            return {self.value('num', scope)}"]
        return (early if self.chance(0.5) else []) + body + [f"        return {self.value('num', scope)}"]

    def _action(self, at: int) -> list[str]:
        parameters = {"n": "Node"} if self.chance(0.6) else {"n": "Node", "m": "Node"}
        if self.chance(0.3):
            parameters["v"] = "num"
        words = "".join(f", {name}: {'Low' if kind == 'num' else kind}" for name, kind in parameters.items())
        decorator = self.one("@action", "@action", "@environment", "@fault(budget=1)")
        return [
            "",
            f"    {decorator}",
            f"    def a{at}(self{words}) -> None:",
            *self.block(Scope(parameters), "        ", 3),
        ]

    def _property(self, kind: str, name: str, more: str) -> list[str]:
        scope = Scope({"p": "Node"}, 1)
        inner = self.value("bool", scope)
        old = self.places("bool", Scope({"p": "Node"}, 3), "old") if more else []
        if old:
            inner = f"({inner} or {self.draw.choice(old)})"
        return [
            "",
            f'    @{kind}("{name}")',
            f"    def property_{name.lower()}(self{more}) -> bool:",
            f"        return all({inner} for p in Node)",
        ]


NAMES = {
    "Color": "color",
    "Node": "node",
    "Grant": "grant",
    "Release": "release",
    "Node?": "maybe_node",
    "num?": "maybe_num",
    "Grant?": "maybe_grant",
    "{Node}": "set_of_node",
    "{num}": "set_of_num",
    "{Grant}": "set_of_grant",
}
for _element in ("Node", "num", "Grant"):
    setattr(
        Writer,
        f"make_set_of_{_element.lower()}",
        lambda self, scope, element=_element: self.make_set(element, scope),
    )


def random_source(seed: int, *, symmetric: bool = False) -> str:
    """Text of a module with a model ``Random``; the same seed gives the same text."""
    return Writer(seed, symmetric=symmetric).source()


def load_source(text: str, name: str = "random_model") -> types.ModuleType:
    """The module of a text; its source is kept where ``inspect`` finds that of notebook cells."""
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    module = types.ModuleType(name)
    import sys

    sys.modules[name] = module
    exec(compile(text, file, "exec"), module.__dict__)
    return module
