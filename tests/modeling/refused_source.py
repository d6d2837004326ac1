"""A model with one thing in it that the language refuses: ``source(body=..., member=..., field=...)`` is its text."""

from textwrap import indent

HEAD = """from __future__ import annotations
import enum, functools, math
from dataclasses import dataclass, field, replace
from enum import Enum
from cmxverify.modeling import *
from cmxverify.modeling.declarations import IndexValue
Node = Index("node")
Low = Range(0, 3)
Color = Enum("Color", "RED GREEN")
LIMIT = 3
MUTABLE = [1]
odd_range = range
def forever(a: int) -> int:
    return forever(a)
def wrapping(f):
    @functools.wraps(f)
    def inner(self):
        return f(self)
    return inner
@dataclass(frozen=True)
class Grant:
    n: Node
    k: Low = 0
@dataclass(frozen=True)
class Release:
    n: Node
@dataclass
class Unfrozen:
    n: Node
@dataclass(frozen=True)
class OddRecord:
    n: Low = 0
    def __eq__(self, other): return True
@dataclass(frozen=True)
class PostRecord:
    n: Low = 0
    def __post_init__(self): pass
@dataclass(frozen=True)
class Uncompared:
    n: Low = field(default=0, compare=False)
@dataclass(frozen=True)
class Holder:
    n: Set[Node]
@dataclass(frozen=True)
class Selfish:
    n: Selfish | None
class Empty(Enum): pass
class Bits(enum.Flag):
    A = 1
class OddEnum(Enum):
    A = 1
    def __eq__(self, other): return True
class M(Model):
"""
MEMBERS = """flag: bool
color: Color
k: Low
big: Range(0, 1_000_000)
maybe: Low | None
owner: Node | None
grant: Grant
last: Grant | None
held: Map[Node, bool]
seen: Owned[Node, bool]
s: Set[Node]
wire: Net[Grant | Release]
q: Queue[Color](cap=2)
g: Ghost[Low]
@initial
def start(self, v: Low, n: Node) -> None:
    self.k = v
def writes(self) -> int:
    self.k = 1
    return 1
def requires(self) -> int:
    require(self.flag)
    return 1
def calls_itself(self) -> None:
    self.calls_itself()
def ping(self) -> None:
    self.pong()
def pong(self) -> None:
    self.ping()
def sometimes(self) -> int:
    if self.flag:
        return 1
def nothing_returned(self) -> None:
    self.k = 1
def moves_ghost(self) -> int:
    self.k = self.g
    return 0
def requires_ghost(self) -> int:
    require(self.g > 0)
    return 0
"""


def source(*, body: str = "pass", member: str = "", field: str = "") -> str:
    """Text of a module with a model ``M``; the body is that of the action ``act(self, n: Node)``, lines 102 and on."""
    action = f"@action\ndef act(self, n: Node) -> None:\n{indent(body, '    ')}\n"
    return HEAD + indent(f"{MEMBERS}{action}{member}\n{field}\n", "    ")
