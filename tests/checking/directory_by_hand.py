"""The directory protocol of ``benchmarks/peers/directory.m``, made from the constructors: a system of real size.

Actions are written as ``when guard: cell := value``, one instance a node; see the Murphi model for what they mean.
"""

from __future__ import annotations

from cmxverify.modeling.ir.expression import TRUE, Expr, and_, eq, implies, integer, ite, not_, or_
from cmxverify.modeling.ir.system import (
    ActionKind,
    Argument,
    Atom,
    Cell,
    Instance,
    Part,
    Property,
    PropertyKind,
    System,
)

INVALID, SHARED, HELD, MODIFIED = range(4)
NO_ASK, ASK_SHARED, ASK_MODIFIED = range(3)
NO_ORDER, RECALL, GRANT_SHARED, GRANT_MODIFIED = range(4)
NO_ANSWER, DROPPED, FLUSHED, WRITTEN_BACK = range(4)

PER_NODE = {"cache": 4, "value": 2, "ask": 3, "order": 4, "granted": 2, "answer": 4, "carried": 2}
FLAGS = ("sharer", "awaited")


def directory(nodes: int, *, quiescent: bool = False) -> System:
    """The protocol for so many nodes, with its three invariants."""
    return _Directory(nodes).system(TRUE if quiescent else None)


class _Directory:
    def __init__(self, nodes: int) -> None:
        self.nodes = nodes
        self.cells: list[Cell] = []
        self.instances: list[Instance] = []
        for name, codes in (("memory", 2), ("latest", 2)):
            self.add(name, (), codes)
        for name in ("dirty", "exclusive"):
            self.add(name, (), 2, is_bool=True)
        self.add("requester", (), nodes + 1, low=-1, sort="node")
        for node in range(nodes):
            for name, codes in PER_NODE.items():
                self.add(name, (node,), codes)
            for name in FLAGS:
                self.add(name, (node,), 2, is_bool=True)
        self.at = {(cell.field, *(atom.ordinal for atom in cell.place)): cell for cell in self.cells}

    def add(self, field: str, key: tuple[int, ...], codes: int, **options: object) -> None:
        place = tuple(Atom("node", node, f"node{node}") for node in key)
        self.cells.append(Cell(len(self.cells), field, place, f"{field}{list(key)}", codes, **options))  # type: ignore[arg-type]

    def read(self, field: str, *key: int) -> Expr:
        return self.at[field, *key].read()

    def is_(self, field: str, value: int, *key: int) -> Expr:
        return eq(self.read(field, *key), integer(value))

    def action(self, name: str, node: int, guard: Expr, **new: Expr | int | bool) -> None:
        """An instance; fields of a node are written plainly, those of the home with ``home_`` before them."""
        updates = []
        for field, value in new.items():
            cell = self.at[field[5:],] if field.startswith("home_") else self.at[field, node]
            constant = integer(value) if not cell.is_bool and isinstance(value, int) else value
            updates.append(
                (cell.index, (TRUE if value else not_(TRUE)) if isinstance(constant, bool) else constant)
            )
        arguments = (Argument("n", f"node{node}", "node", node),)
        self.instances.append(Instance(name, ActionKind.ACTION, arguments, guard, tuple(updates)))

    def system(self, quiescent: Expr | None) -> System:
        for part in (self.node_asks, self.node_obeys, self.home_accepts, self.home_hears, self.home_grants):
            for node in range(self.nodes):
                part(node)
        self.instances.sort(key=lambda each: each.name)
        first = tuple(cell.low for cell in self.cells)
        return System(
            "directory", tuple(self.cells), (first,), tuple(self.instances), self.properties(), quiescent,
            sorts={"node": self.nodes},
        )  # fmt: skip

    def node_asks(self, n: int) -> None:
        invalid, shared, modified = (self.is_("cache", state, n) for state in (INVALID, SHARED, MODIFIED))
        no_order, no_ask = self.is_("order", NO_ORDER, n), self.is_("ask", NO_ASK, n)
        self.action("node_asks_to_read", n, and_(invalid, no_ask, no_order), ask=ASK_SHARED)
        self.action("node_asks_to_write", n, and_(or_(invalid, shared), no_ask, no_order), ask=ASK_MODIFIED)
        self.action("node_holds", n, and_(shared, no_order), cache=HELD)
        self.action("node_lets_go", n, self.is_("cache", HELD, n), cache=SHARED)
        self.action("node_drops_copy", n, shared, cache=INVALID, value=0)
        ready = and_(modified, self.is_("answer", NO_ANSWER, n))
        value = self.read("value", n)
        self.action("node_writes_back", n, ready, answer=WRITTEN_BACK, carried=value, cache=INVALID, value=0)
        for stored in (0, 1):
            self.action(f"node_stores({stored})", n, modified, value=stored, home_latest=stored)

    def node_obeys(self, n: int) -> None:
        order, cache, value = self.read("order", n), self.read("cache", n), self.read("value", n)
        modified, held = self.is_("cache", MODIFIED, n), self.is_("cache", HELD, n)
        guard = and_(eq(order, integer(RECALL)), not_(held), self.is_("answer", NO_ANSWER, n))
        answer = ite(modified, integer(FLUSHED), integer(DROPPED))
        carried = ite(modified, value, self.read("carried", n))
        recalled = {"order": NO_ORDER, "answer": answer, "carried": carried, "cache": INVALID, "value": 0}
        self.action("node_obeys_recall", n, guard, **recalled)
        granted = {"value": self.read("granted", n), "order": NO_ORDER, "granted": 0}
        state = ite(self.is_("cache", INVALID, n), integer(SHARED), cache)
        self.action("node_takes_shared", n, eq(order, integer(GRANT_SHARED)), cache=state, **granted)
        guard = and_(eq(order, integer(GRANT_MODIFIED)), not_(held))
        self.action("node_takes_modified", n, guard, cache=MODIFIED, **granted)

    def home_accepts(self, n: int) -> None:
        free, ask = self.is_("requester", -1), self.read("ask", n)
        wants = eq(ask, integer(ASK_MODIFIED))
        guard = and_(free, not_(eq(ask, integer(NO_ASK))))
        self.action("home_accepts", n, guard, home_requester=n, home_exclusive=wants, ask=NO_ASK)
        theirs = not_(self.is_("requester", n))
        due = or_(self.read("dirty"), and_(self.read("exclusive"), theirs))
        guard = and_(not_(free), self.read("sharer", n), due, self.is_("order", NO_ORDER, n))
        self.action("home_recalls", n, guard, order=RECALL, sharer=False, awaited=True)

    def home_hears(self, n: int) -> None:
        answer, carried = self.read("answer", n), self.read("carried", n)
        self.action("home_takes_dropped", n, eq(answer, integer(DROPPED)), awaited=False, answer=NO_ANSWER)
        heard = {"home_memory": carried, "home_dirty": False, "answer": NO_ANSWER, "carried": 0}
        self.action("home_takes_flushed", n, eq(answer, integer(FLUSHED)), awaited=False, **heard)
        self.action("home_takes_written_back", n, eq(answer, integer(WRITTEN_BACK)), sharer=False, **heard)

    def home_grants(self, n: int) -> None:
        others = [m for m in range(self.nodes) if m != n]
        quiet = and_(*(not_(self.read("awaited", m)) for m in range(self.nodes)))
        alone = and_(*(not_(self.read("sharer", m)) for m in others))
        exclusive = self.read("exclusive")
        ready = and_(
            self.is_("requester", n), not_(self.read("dirty")), self.is_("order", NO_ORDER, n), quiet
        )
        grant = {"granted": self.read("memory"), "sharer": True, "home_requester": -1}
        self.action("home_grants_shared", n, and_(ready, not_(exclusive)), order=GRANT_SHARED, **grant)
        taken = {"home_dirty": True, "home_exclusive": False}
        self.action(
            "home_grants_modified", n, and_(ready, exclusive, alone), order=GRANT_MODIFIED, **grant, **taken
        )

    def properties(self) -> tuple[Property, ...]:
        nodes, invalid = range(self.nodes), [self.is_("cache", INVALID, n) for n in range(self.nodes)]
        writer, fresh = [], []
        for n in nodes:
            modified = self.is_("cache", MODIFIED, n)
            rest = and_(*(invalid[m] for m in nodes if m != n))
            writer.append(Part(f"n=node{n}", implies(modified, rest), modified))
            same = eq(self.read("value", n), self.read("latest"))
            fresh.append(Part(f"n=node{n}", or_(invalid[n], same), not_(invalid[n])))
        memory = implies(not_(self.read("dirty")), eq(self.read("memory"), self.read("latest")))
        parts = {"SINGLE-WRITER": writer, "FRESH-COPY": fresh, "FRESH-MEMORY": [Part("", memory)]}
        return tuple(Property(name, PropertyKind.INVARIANT, tuple(each)) for name, each in parts.items())
