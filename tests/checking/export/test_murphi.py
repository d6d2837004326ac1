"""The Murphi that is written: readable, and right where Murphi and Python differ."""

import pytest

from cmxverify.checking.export.exporter import ExportChoices
from cmxverify.checking.export.murphi.names import Names, identifier, quoted
from cmxverify.checking.export.murphi.program import MurphiExporter
from cmxverify.checking.export.murphi.width import value_type
from cmxverify.errors import InputError
from cmxverify.modeling.ir import expression as ex
from cmxverify.modeling.ir.expression import Expr
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

NODES = 3


def node_cell(index: int, field: str, node: int, **about: object) -> Cell:
    place = (Atom("node", node, f"node{node}"),)
    return Cell(index, field, place, f"{field}[node{node}]", **{"codes": 2, "is_bool": True, **about})


HELD = [node_cell(node, "held", node) for node in range(NODES)]
OWNER = Cell(NODES, "owner", (), "owner", NODES + 1, low=-1, sort="node")


def grant(node: int) -> Instance:
    """The home grants to a node while nobody holds."""
    nobody = ex.and_(*(ex.not_(cell.read()) for cell in HELD))
    free = ex.eq(OWNER.read(), ex.integer(-1))
    updates = ((node, ex.TRUE), (OWNER.index, ex.integer(node)))
    argument = Argument("n", f"node{node}", "node", node)
    return Instance("home_grants", ActionKind.ACTION, (argument,), ex.and_(free, nobody), updates)


def lease(**changes: object) -> System:
    """Three nodes, at most one of which holds the line."""
    pairs = [(a, b) for a in range(NODES) for b in range(NODES) if a < b]
    apart = ex.and_(*(ex.not_(ex.and_(HELD[a].read(), HELD[b].read())) for a, b in pairs))
    single = Property("SINGLE-OWNER", PropertyKind.INVARIANT, (Part("apart", apart),))
    cells = (*HELD, OWNER)
    fields = {
        "initial": ((0, 0, 0, -1),),
        "instances": tuple(grant(node) for node in range(NODES)),
        "properties": (single,),
        "sorts": {"node": NODES},
        **changes,
    }
    return System(name="Lease", cells=cells, **fields)  # type: ignore[arg-type]


def number_system(formula: Expr, *, low: int = -9, codes: int = 19) -> System:
    """One number and an invariant about it."""
    cell = Cell(0, "x", (), "x", codes, low)
    part = Part("formula", formula)
    return System("Number", (cell,), ((low,),), (), (Property("P", PropertyKind.INVARIANT, (part,)),))


def exported(system: System, *, symmetry: bool = False) -> str:
    return MurphiExporter().export(system, ExportChoices(symmetry=symmetry))


def test_alike_instances_are_one_ruleset() -> None:
    """Three grants are written once, for every node."""
    assert exported(lease()).count('rule "home_grants"') == 1
    assert "ruleset n: node do" in exported(lease())


def test_conjunctions_over_a_symmetric_type_are_quantified() -> None:
    """Nobody holds: said with forall, as people write it."""
    assert "& (forall node_2: node do !held[node_2] end)" in exported(lease())


def test_pairs_are_quantified_twice() -> None:
    """A formula over different pairs is two quantifiers over different values."""
    inner = "(forall node_2: node do (node_2 = node_1 | !(held[node_1] & held[node_2])) end)"
    text = f"(forall node_1: node do {inner} end)"
    assert f'invariant "SINGLE-OWNER" {text};' in exported(lease())


def test_none_is_undefined() -> None:
    """An optional value of a symmetric type is asked for with isundefined, and starts undefined."""
    text = exported(lease())
    assert "isundefined(owner)" in text
    assert "undefine owner;" in text


@pytest.mark.parametrize(("symmetry", "declared"), [(False, "node: 0 .. 2;"), (True, "node: scalarset(3);")])
def test_symmetric_types_are_scalarsets_only_when_asked(symmetry: bool, declared: str) -> None:
    """The plain form has the same rules over a range."""
    assert declared in exported(lease(), symmetry=symmetry)


def test_irregular_instances_are_written_one_by_one() -> None:
    """Where an action is missing for one node, the others are rules of their own."""
    text = exported(lease(instances=(grant(0), grant(2))))
    assert 'rule "home_grants(n=node0)"' in text
    assert 'rule "home_grants(n=node2)"' in text


def test_irregular_instances_cannot_be_said_with_symmetry() -> None:
    """One message, with the way out."""
    with pytest.raises(InputError, match="home_grants cannot be written") as refused:
        exported(lease(instances=(grant(0), grant(2))), symmetry=True)
    assert refused.value.fix == "Cross-check it without symmetry."


def test_swaps_go_by_way_of_copies() -> None:
    """Updates are simultaneous, Murphi's assignments are not."""
    swap = Instance("swap", ActionKind.ACTION, (), ex.TRUE, ((0, HELD[1].read()), (1, HELD[0].read())))
    text = exported(lease(instances=(swap,), sorts={}))
    assert text.index("new_") < text.index("begin\n  new_")


def test_reads_come_before_the_writes_they_depend_on() -> None:
    """Without a cycle the order of assignments is enough."""
    shift = Instance("shift", ActionKind.ACTION, (), ex.TRUE, ((0, HELD[1].read()), (1, HELD[2].read())))
    text = exported(lease(instances=(shift,), sorts={}))
    assert text.index("held[0] := held[1];") < text.index("held[1] := held[2];")


def test_division_of_what_may_be_negative_is_shifted() -> None:
    """L5: Murphi truncates towards zero, Python floors."""
    x = ex.cell(0, is_bool=False, low=-9, high=9)
    text = exported(number_system(ex.eq(ex.floordiv(x, 4), ex.integer(-3))))
    assert "(((x + 12) / 4) - 3)" in text


def test_remainder_of_what_may_be_negative_is_shifted() -> None:
    """L5: the remainder has the sign of the divisor."""
    x = ex.cell(0, is_bool=False, low=-9, high=9)
    assert "((x + 12) % 4)" in exported(number_system(ex.eq(ex.mod(x, 4), ex.integer(3))))


def test_enums_keep_their_names() -> None:
    """A number that stands for an enum member is written as the member."""
    cell = Cell(0, "phase", (), "phase", 2, labels=("IDLE", "END"))
    part = Part("idle", ex.eq(cell.read(), ex.integer(1)))
    text = exported(System("Enum", (cell,), ((0,),), (), (Property("P", PropertyKind.INVARIANT, (part,)),)))
    assert "enum { IDLE, END_phase };" in text  # END is a word of Murphi
    assert "(phase = END_phase)" in text


def test_enums_that_are_computed_with_become_numbers() -> None:
    """Only where all sides agree may a name be written."""
    cell = Cell(0, "phase", (), "phase", 2, labels=("IDLE", "BUSY"))
    part = Part("less", ex.lt(cell.read(), ex.add(cell.read(), cell.read())))
    text = exported(System("Enum", (cell,), ((0,),), (), (Property("P", PropertyKind.INVARIANT, (part,)),)))
    assert "phase: 0 .. 1;" in text


@pytest.mark.parametrize(("high", "expected"), [(9, "int8_t"), (100, "int16_t"), (20_000, "int32_t")])
def test_width_covers_the_middle_of_expressions(high: int, expected: str) -> None:
    """rumur computes in a type that holds every intermediate value."""
    assert value_type(number_system(ex.TRUE, low=0, codes=high + 1)) == expected


def test_identifiers_avoid_the_words_of_the_language() -> None:
    """A field called "end" or "Rule" gets another name, and no name is given twice."""
    names = Names()
    assert [names.fresh("Rule"), names.fresh("held"), names.fresh("held")] == ["Rule_2", "held", "held_2"]
    assert identifier("queue#1.kind") == "queue_1_kind"


def test_quoted_text_stays_in_one_line() -> None:
    """Quotes and line breaks of the source cannot end a string early."""
    assert quoted('a "b"\n\\') == "\"a 'b'''\""


def test_shared_nodes_that_would_be_exponential_text_are_refused() -> None:
    """Forty doublings: nothing in memory, a terabyte in text."""
    x = ex.cell(0, is_bool=False, low=-9, high=9)
    formula = ex.mod(x, 5)
    for _ in range(40):
        formula = ex.mod(ex.add(ex.add(formula, formula), x), 7)
    with pytest.raises(InputError, match="too long to be written as Murphi"):
        exported(number_system(ex.eq(formula, ex.integer(3))))


def test_deep_nesting_is_refused_in_one_message() -> None:
    """Never a traceback."""
    x = ex.cell(0, is_bool=False, low=-9, high=9)
    formula = x
    for _ in range(3_000):
        formula = ex.mod(ex.add(ex.mul(formula, ex.integer(3)), ex.integer(1)), 7)
    with pytest.raises(InputError, match="nested too deeply"):
        exported(number_system(ex.eq(formula, ex.integer(3))))
