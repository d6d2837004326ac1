"""Rulings L11 to L26 and S of the language: steps, channels, faults, ghosts, properties.

L26 is in test_refines.py, on the explicit graph. Waiting for the issue on proofs and liveness: L22, L23, L24
(fairness), L26 by induction and non-interference, S8 to S13; for the one on controllers: S16.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from cmxverify.checking.exploration import BreachKind, Ending, Exploration, Request
from cmxverify.checking.native.engine import NativeEngine
from cmxverify.checking.python.interpret import InterpretEngine
from cmxverify.errors import InputError
from cmxverify.modeling.compile import Compiled
from cmxverify.modeling.functions import NotEnabled

sys.path.insert(0, str(Path(__file__).parent))
from small_models import after, made


def explored(model: Compiled, **options: bool) -> Exploration:
    """What both engines find; they agree."""
    request = Request(graph_hash=True, deadlock=options.get("deadlock", False))
    first, second = (each.explore(model.system, request) for each in (InterpretEngine(), NativeEngine()))
    assert (first.states, first.transitions, first.breach, first.graph_hash) == (
        second.states,
        second.transitions,
        second.breach,
        second.graph_hash,
    )
    return first


def test_l11_assignment_is_sequential() -> None:
    """A read sees earlier writes of the same step."""
    assert after(made("a: Low\nb: Low", action="self.a = 2\nself.b = self.a"))["b"] == 2


def test_l11_require_anywhere_cancels_the_whole_step() -> None:
    """A false require leaves the state as it was."""
    model = made("a: Low\nb: bool", action="self.a = 2\nrequire(self.b)")
    before = model.model.state
    with pytest.raises(NotEnabled):
        model.model.act()
    assert model.model.state == before


def test_l11_early_return_merges_paths() -> None:
    """After a return only the other paths go on."""
    model = made("a: Low\nb: bool", action="if self.b:\n    self.a = 1\n    return\nself.a = 2")
    assert (after(model, b=True)["a"], after(model, b=False)["a"]) == (1, 2)


def test_l11b_record_methods_return_new_values() -> None:
    """A record is changed by replacing it."""
    model = made(
        "g: Grant | None", action="for n in Node:\n    if self.g is None:\n        self.g = Grant(n, 2)"
    )
    assert after(model)["g"].k == 2


def test_l12_a_step_that_changes_nothing_counts() -> None:
    """A self-loop is a transition and no progress."""
    found = explored(made("a: bool", action="self.a = self.a"))
    assert (found.states, found.transitions, found.fired, found.changed) == (1, 1, (1,), (0,))


def test_l13_transitions_are_pairs_of_state_and_instance() -> None:
    """Equal successors count apart; initial states do not count."""
    model = made(
        "a: bool",
        members="@action\ndef other(self, v: Low) -> None:\n    self.a = not self.a",
        action="self.a = not self.a",
    )
    assert explored(model).transitions == 2 * 5


def test_l14_a_node_touches_its_own_and_messages() -> None:
    """A local action reads and writes its node's element and the channels, those in maps too."""
    fields = "held: Owned[Node, bool]\nwire: Net[Grant]\nlinks: Map[Node, Queue[Color](cap=1)]"
    member = (
        '@action(at="n")\n'
        "def a(self, n: Node, m: Node) -> None:\n"
        "    require(not self.held[n])\n"
        "    self.held[n] = True\n"
        "    self.wire.send(Grant(m))\n"
        "    self.links[m].send(Color.RED)"
    )
    assert made(fields, members=member).system.instances


def test_l15_erasing_ghosts_leaves_the_graph() -> None:
    """The rest of a model goes the same ways without its ghosts."""
    member = "@action\ndef b(self, n: Node) -> None:\n    require(self.a[n] > 0)\n    self.a[n] -= 1{}"
    ghost = "\n    self.seen = saturate(self.seen + self.a[n])\n    self.last = n"
    action = "for n in Node:\n    self.a[n] = wrap(self.a[n] + 1)"
    fields = "a: Map[Node, Low]"
    with_ghosts = made(
        f"{fields}\nseen: Ghost[Low]\nlast: Ghost[Node | None]", action=action, members=member.format(ghost)
    )
    without = made(fields, action=action, members=member.format(""))
    cells = [each.index for each in with_ghosts.system.cells if not each.ghost]
    edges = lambda system, kept: {  # noqa: E731
        (tuple(s[i] for i in kept), name, tuple(t[i] for i in kept)) for s, name, t in graph(system)
    }
    assert edges(with_ghosts.system, cells) == edges(without.system, range(len(without.system.cells)))


@pytest.mark.parametrize(
    "update",
    [
        "self.seen.add(self.k)",
        "self.seen.discard(self.last)",
        "self.seen.clear()",
        "for n in Node:\n    self.by[n].add(self.last)",
        "self.steps[self.last] = saturate(self.k)",
        "self.steps[self.last] += 0",
        "self.per[self.last].add(self.k)",
    ],
)
def test_l15_sets_and_elements_of_ghosts_are_updated_in_place(update: str) -> None:
    """Also at a key that is a ghost."""
    fields = "k: Low\nseen: Ghost[Set[Low]]\nby: Ghost[Map[Node, Set[Low]]]\nlast: Ghost[Low]"
    made(f"{fields}\nsteps: Ghost[Map[Low, Low]]\nper: Ghost[Map[Low, Set[Low]]]", action=update)


@pytest.mark.parametrize(
    "update", ["self.seen.add(self.last)", "self.m[self.last] = 1", "self.k = self.last"]
)
def test_l15_ghosts_do_not_flow_into_the_state(update: str) -> None:
    """Neither as an element, nor as a key, nor as a value."""
    with pytest.raises(InputError, match="'last' is a ghost: behaviour cannot depend on it"):
        made("k: Low\nseen: Set[Low]\nm: Map[Low, Low]\nlast: Ghost[Low]", action=update)


def graph(system: object) -> set[tuple[tuple[int, ...], str, tuple[int, ...]]]:
    """Every transition of a small system."""
    from cmxverify.modeling.ir.evaluate import enabled, successor

    found, pending, seen = set(), list(system.initial), set(system.initial)
    while pending:
        state = pending.pop()
        for each in system.instances:
            if enabled(each, state):
                target = successor(each, state)
                found.add((state, each.name, target))
                if target not in seen:
                    seen.add(target)
                    pending.append(target)
    return found


def test_l16_a_net_keeps_what_was_sent() -> None:
    """Receiving does not remove; sending twice changes nothing."""
    model = made(
        "wire: Net[Grant]",
        action="for n in Node:\n    self.wire.send(Grant(n))\nfor n in Node:\n    self.wire.send(Grant(n))",
    )
    assert len(after(model)["wire"]) == 2


def test_l16_a_bag_counts_and_a_queue_orders() -> None:
    """A bag is a multiset, a queue is first in first out."""
    lines = (
        "self.b.send(Color.RED)\n"
        "self.b.send(Color.RED)\n"
        "self.q.send(Color.RED)\n"
        "self.q.send(Color.GREEN)\n"
        "self.q.pop()"
    )
    found = after(made("b: Bag[Color](cap=2)\nq: Queue[Color](cap=2)", action=lines))
    assert found["b"] == (2, 0)
    assert [each.name for each in found["q"]] == ["GREEN"]


@pytest.mark.parametrize(
    ("overflow", "ending"), [("bound", "BOUND"), ("block", "not enabled"), ("drop", {"b": (1, 0)})]
)
def test_l17_a_full_channel(overflow: str, ending: object) -> None:
    """It ends the run, blocks or drops, as declared; never silently."""
    model = made(f"b: Bag[Color](cap=1, overflow='{overflow}')", action="self.b.send(Color.RED)")
    assert after(model, b=(1, 0)) == ending


def test_l17_a_full_channel_ends_the_run_incomplete() -> None:
    """The engines stop, with the capacity as reason."""
    found = explored(made("b: Bag[Color](cap=1)", action="self.b.send(Color.RED)"))
    assert (found.ending, found.reason) == (Ending.STOPPED, "the channel is full, capacity 1")


def test_l18_a_bound_that_cuts_is_a_budget_in_the_state() -> None:
    """A fault with a budget has a cell that counts."""
    model = made("a: bool", members="@fault(budget=2)\ndef f(self) -> None:\n    self.a = not self.a")
    assert "f.count" in [each.name for each in model.system.cells]
    assert explored(model).states == 3


def test_l19_loss_and_duplication_have_budgets() -> None:
    """A bag's own faults are instances of kind fault."""
    model = made(
        "b: Bag[Color](cap=1, loss=1, dup=1)", action="require(len(self.b) == 0)\nself.b.send(Color.RED)"
    )
    names = {each.action for each in model.system.instances if each.kind.value == "fault"}
    assert names == {"b.lose", "b.duplicate"}


def test_l20_normalize_runs_after_each_step() -> None:
    """What nobody can tell apart is removed by the model, for all engines."""
    model = made(
        "a: Low\nb: Low",
        action="self.a = wrap(self.a + 1)\nself.b = self.a",
        members="@normalize\ndef tidy(self) -> None:\n    self.b = 0",
    )
    assert explored(model).states == 4


def test_l21_an_invariant_holds_in_initial_states() -> None:
    """Initial states count."""
    found = explored(made("a: bool", members='@invariant("A")\ndef p(self) -> bool:\n    return self.a'))
    assert found.breach is not None
    assert (found.breach.kind, found.breach.steps) == (BreachKind.INVARIANT, 0)


def test_l21_a_step_property_sees_self_loops_and_stutters() -> None:
    """It is asked of every transition, and of the step that changes nothing."""
    found = explored(
        made(
            "a: bool",
            action="self.a = True",
            members='@step("S")\ndef p(self, old: M) -> bool:\n    return self.a != old.a',
        )
    )
    assert found.breach is not None
    assert found.breach.kind is BreachKind.STEP


def test_l21_a_helper_of_the_old_state_reads_the_old_state() -> None:
    """``old.total()`` is what it was before the step."""
    members = (
        '@step("S")\n'
        "def p(self, old: M) -> bool:\n"
        "    return old.total() <= self.total()\n"
        "def total(self) -> int:\n"
        "    return self.a"
    )
    assert explored(made("a: Low", action="self.a = max(self.a, 2)", members=members)).breach is None


def test_l21_a_premise_that_is_never_true_is_seen() -> None:
    """Each instance of an ``implies`` is measured apart."""
    members = '@invariant("I")\ndef p(self) -> bool:\n    return all(implies(self.a == i, True) for i in Low)'
    assert len(explored(made("a: Low", action="self.a = min(self.a + 1, 2)", members=members)).premises) == 3


def test_l21_reachable_wants_a_witness() -> None:
    """The depth of the first witness is found."""
    members = '@reachable("R")\ndef p(self) -> bool:\n    return self.a == 2'
    assert explored(made("a: Low", action="self.a = wrap(self.a + 1)", members=members)).witnesses == {0: 2}


def test_l25_a_fault_does_not_cure_a_deadlock() -> None:
    """Only actions count, and only those that change the state."""
    members = "@fault\ndef f(self) -> None:\n    self.a = not self.a"
    found = explored(made("a: bool\nb: bool", action="require(self.b)", members=members), deadlock=True)
    assert found.breach is not None
    assert found.breach.kind is BreachKind.DEADLOCK


def test_l25_quiescent_states_may_end() -> None:
    """Where nothing is due there is no deadlock."""
    members = "def quiescent(self) -> bool:\n    return True"
    assert explored(made("a: bool", action="require(self.a)", members=members), deadlock=True).breach is None


def test_l26_step_properties_relate_two_states() -> None:
    """Monotone growth is a step property."""
    members = '@step("S")\ndef p(self, old: M) -> bool:\n    return self.s <= old.s or old.s <= self.s'
    assert explored(made("s: Set[Low]", action="self.s.add(len(self.s) % 4)", members=members)).breach is None


@pytest.mark.parametrize("bound", [3, 4])
def test_s04_the_digest_names_source_and_bounds(bound: int) -> None:
    """The digest changes with the bounds, constants and types."""
    one = made("m: Map[Node, bool]", node=2).system.source_hash
    assert made("m: Map[Node, bool]", node=bound).system.source_hash != one


@pytest.mark.parametrize(
    "lines",
    [
        "for n in Node:\n    self.m[n] = 1",
        "for n in Node:\n    if self.b[n]:\n        self.m[n] += 1\n        self.b[n] = False",
        "for n in Node:\n    self.total = saturate(len(self.s))",
        "for n in self.s:\n    self.b[n] = True\n    self.s.discard(n)",
        "k = 0\nfor n in Node:\n    k += self.m[n]\nself.total = saturate(k)",
        "for n in Node:\n    for k in Node:\n        self.s.add(k)",
    ],
)
def test_s06_rounds_that_commute(lines: str) -> None:
    """Elements of the round's own, and additions, leave the type symmetric."""
    model = made("m: Map[Node, Low]\nb: Map[Node, bool]\ns: Set[Node]\ntotal: Low", action=lines, node=2)
    expected = {} if "self.total = saturate(len" in lines else {"node": 2}
    assert model.system.sorts == expected


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ("for n in Node:\n    self.last = n", "`last` is written in more than one round"),
        ("for n in Node:\n    self.m[n] = self.sums()", "`m` is written in one round and read in another"),
        (
            "for n in Node:\n    self.total += 1\n    self.m[n] = self.total",
            "`total` is written in one round and read",
        ),
        ("for n in Node:\n    self.total += self.d[n]", "`total` is written in more than one round"),
        ("for n in Node:\n    if self.m[n] > 0:\n        return", "a return in the loop"),
        ("x = 0\nfor n in Node:\n    x = self.m[n]\nself.total = x", "`x` is written in more than one round"),
        ("for n in Node:\n    require(self.m[n] > 0)\n    self.m[n] += 1", "a `require` in one round"),
        (
            "require(any(self.q.head == Color.RED for n in Node))",
            "a duty inside depends on which element comes first",
        ),
    ],
)
def test_s06_rounds_that_do_not_commute(lines: str, reason: str) -> None:
    """Anything else makes the type asymmetric, and the system says why."""
    fields = (
        "m: Map[Node, Low]\nd: Map[Node, Range(-1, 1)]\nlast: Node | None\ntotal: Low\nq: Queue[Color](cap=1)"
    )
    members = "def sums(self) -> int:\n    return min(3, sum(self.m[k] for k in Node))"
    system = made(fields, action=lines, members=members).system
    assert system.sorts == {}
    assert reason in system.asymmetric["node"]


def test_s06_an_asymmetric_property_alone_runs_unreduced() -> None:
    """The model keeps its symmetry."""
    members = (
        '@invariant("I")\n'
        "def p(self) -> bool:\n"
        "    for n in Node:\n"
        "        if self.b[n]:\n"
        "            return True\n"
        "    return True"
    )
    system = made("b: Map[Node, bool]", members=members).system
    assert system.sorts == {"node": 2}
    assert [each.symmetric for each in system.properties] == [False]


def test_s15_instances_come_in_action_and_parameter_order() -> None:
    """Ties between shortest traces are broken by it."""
    model = made("a: bool", members="@action\ndef b(self, x: Low, n: Node) -> None:\n    self.a = True")
    assert [each.name for each in model.system.instances][:4] == [
        "act()",
        "b(x=0, n=node0)",
        "b(x=0, n=node1)",
        "b(x=1, n=node0)",
    ]


def test_s14_equal_systems_have_equal_graphs() -> None:
    """A mutant that means the same has the same graph hash."""
    one, other = (made("a: Low", action=f"self.a = ({text}) % 4") for text in ("self.a + 1", "1 + self.a"))
    assert explored(one).graph_hash == explored(other).graph_hash


def test_s07_initial_states_are_closed_under_permutations() -> None:
    """A free choice of an element gives each of them."""
    system = made("o: Node", node=3).system
    assert sorted(system.initial) == [(0,), (1,), (2,)]
    assert replace(system).sorts == {"node": 3}


def test_l03_mixing_is_refused() -> None:
    """Equality across types is an error, not false."""
    with pytest.raises(InputError, match="bool and int are different types"):
        made("a: bool", action="require(self.a == 1)")


DERIVED = """
if isinstance(self.m, Grant):
    self.k = 1
match self.m:
    case Renewal(n, k, True):
        self.k = 3
    case Grant(k=1):
        self.k = 2
"""


@pytest.mark.parametrize("kind", ["Renewal", "Renewal | Release"])
def test_a_derived_record_is_one_of_its_base(kind: str) -> None:
    """``isinstance`` and class patterns take a record for what it derives from, as Python does."""
    model = made(f"m: {kind}\nk: Low", action=DERIVED)
    assert after(model)["k"] == 1


def test_a_union_of_a_record_and_its_base() -> None:
    """Where the derived record has had its case, that of the base means the base alone."""
    action = """
    match self.m:
        case Renewal(n, k):
            self.k = 1
        case Grant(n, k):
            self.k = 2
    self.f = isinstance(self.m, Grant)
    """
    assert after(made("m: Grant | Renewal\nk: Low\nf: bool", action=action))["k"] == 2
