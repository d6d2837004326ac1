"""Explanations against brute force over all subsets of facts, and their certificates re-checked by hand."""

from __future__ import annotations

from itertools import chain, combinations, product
from time import monotonic

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from cmxverify.placement.explaining.cores import Explanation, smallest_core
from cmxverify.placement.explaining.cores_amount import needed_amount
from cmxverify.placement.explaining.cores_oracle import Impossible, Possible
from cmxverify.placement.explaining.cores_solver import SolverOracle
from cmxverify.placement.explaining.cores_z3 import Z3Oracle
from cmxverify.placement.proof.certificate import BoundLeaf, EmptyLeaf, Split, Tree
from cmxverify.placement.proof.check_certificate import check_infeasible
from cmxverify.placement.proof.program import Program, Row, Sense, Variable

LONG_S = 60.0
FACTS = "abcdef"
NAMES = ("x", "y", "z")


def program(variables: dict[str, tuple[int, int]], *rows: Row) -> Program:
    return Program(tuple(Variable(n, *bounds) for n, bounds in variables.items()), rows, ())


def at_most(name: str, terms: dict[str, int], rhs: int, *facts: str) -> Row:
    return Row(name, terms, Sense.AT_MOST, rhs, facts)


def at_least(name: str, terms: dict[str, int], rhs: int, *facts: str) -> Row:
    return Row(name, terms, Sense.AT_LEAST, rhs, facts)


Ranges = dict[str, tuple[int, int]]


def split_until_empty(part: Program, _time_limit_s: float) -> Tree | None:
    """A prover for small boxes: halve the box until one row cannot hold in it."""

    def tree(box: Ranges) -> Tree | None:
        for row in part.rows:
            for sign in (1, -1):
                if row.sense is not (Sense.AT_LEAST if sign < 0 else Sense.AT_MOST) and beats(row, sign, box):
                    return EmptyLeaf({row.name: sign})
        wide = next((n for n, (low, high) in box.items() if low < high), None)
        if wide is None:
            return None
        low, high = box[wide]
        at = (low + high) // 2
        parts = tree(box | {wide: (low, at)}), tree(box | {wide: (at + 1, high)})
        return None if None in parts else Split(wide, at, *parts)

    return tree({v.name: (v.lower, v.upper) for v in part.variables})


def beats(row: Row, sign: int, box: Ranges) -> bool:
    """Whether multiplier ``sign`` on one row alone empties the box."""
    return proves_empty(EmptyLeaf({row.name: sign}), [row], box)


def proves_empty(tree: Tree, rows: list[Row], box: Ranges) -> bool:
    """The certificate's rule, written out once more."""
    match tree:
        case Split(variable, at, low, high):
            bottom, top = box[variable]
            return (
                bottom <= at < top
                and proves_empty(low, rows, box | {variable: (bottom, at)})
                and proves_empty(high, rows, box | {variable: (at + 1, top)})
            )
        case EmptyLeaf(multipliers):
            by_name = {row.name: row for row in rows}
            total, reduced = 0, dict.fromkeys(box, 0)
            for name, q in multipliers.items():
                row = by_name[name]
                if (row.sense is Sense.AT_MOST and q > 0) or (row.sense is Sense.AT_LEAST and q < 0):
                    return False
                total += q * row.rhs
                for variable, coefficient in row.terms.items():
                    reduced[variable] -= q * coefficient
            return total + sum(min(rc * box[n][0], rc * box[n][1]) for n, rc in reduced.items()) > 0
        case BoundLeaf():
            return False


def proof_holds(whole: Program, explanation: Explanation) -> bool:
    kept = whole.keeping(explanation.proof.facts or ())
    box = {v.name: (v.lower, v.upper) for v in whole.variables if v.name in explanation.proof.variables}
    return proves_empty(explanation.proof.tree, [r for r in kept.rows if box.keys() >= r.terms.keys()], box)


def explain(whole: Program, **options: object) -> Explanation | None:
    return smallest_core(
        whole, **{"time_limit_s": LONG_S, "oracle": Z3Oracle, "prove": split_until_empty} | options
    )


def brute_cores(whole: Program) -> set[frozenset[str]]:
    """All irreducible impossible subsets of facts, by trying every point for every subset."""
    points = [
        dict(zip((v.name for v in whole.variables), values, strict=True))
        for values in product(*(range(v.lower, v.upper + 1) for v in whole.variables))
    ]
    broken = {frozenset(frozenset(r.facts) for r in whole.rows if not r.holds(point)) for point in points}
    facts = sorted({fact for row in whole.rows for fact in row.facts})
    cores: set[frozenset[str]] = set()
    for subset in chain.from_iterable(combinations(facts, size) for size in range(len(facts) + 1)):
        kept = frozenset(subset)
        if not any(core <= kept for core in cores) and all(any(b <= kept for b in bs) for bs in broken):
            cores.add(kept)
    return cores


@st.composite
def programs(draw: st.DrawFn, *, most_facts: int = 2) -> Program:
    """Three small columns, six facts; a row stands under no, one or two of them."""
    coefficients = st.dictionaries(st.sampled_from(NAMES), st.integers(-3, 3), max_size=3)
    facts = st.lists(st.sampled_from(FACTS), max_size=most_facts, unique=True)
    drawn = draw(
        st.lists(
            st.tuples(coefficients, st.sampled_from(Sense), st.integers(-4, 7), facts),
            min_size=5,
            max_size=12,
        )
    )
    rows = [Row(f"r{i}", terms, sense, rhs, tuple(kept)) for i, (terms, sense, rhs, kept) in enumerate(drawn)]
    return program({name: (0, draw(st.integers(1, 3))) for name in NAMES}, *rows)


@settings(max_examples=150, deadline=None)
@given(programs())
def test_smallest_and_count_agree_with_brute_force(whole: Program) -> None:
    """The core is the shortest of all, first by sorted ids, and the others are counted exactly."""
    cores = brute_cores(whole)
    explanation = explain(whole)
    if explanation is None:
        assert not cores
        return
    assert explanation.facts == min((tuple(sorted(core)) for core in cores), key=lambda c: (len(c), c))
    assert (explanation.smallest_proved, explanation.others_complete) == (True, True)
    assert explanation.others == len(cores) - 1


@settings(max_examples=100, deadline=None)
@given(programs())
def test_every_claim_of_an_explanation_is_checkable(whole: Program) -> None:
    """The tree empties the core's rows; each witness satisfies the rows of all facts but one."""
    explanation = explain(whole)
    assume(explanation is not None)
    assert explanation is not None
    assert proof_holds(whole, explanation)
    assert explanation.irreducible
    for fact, values in explanation.necessity.items():
        assert whole.keeping(set(explanation.facts) - {fact}).violations(values) == []


@settings(max_examples=60, deadline=None)
@given(programs(), st.dictionaries(st.sampled_from(FACTS), st.integers(1, 9)))
def test_weights_choose_the_lightest(whole: Program, weights: dict[str, int]) -> None:
    """With weights the explanation has the least total weight of all."""
    explanation = explain(whole, weights=weights)
    assume(explanation is not None)
    assert explanation is not None
    lightest = min(sum(weights.get(f, 1) for f in core) for core in brute_cores(whole))
    assert sum(weights.get(f, 1) for f in explanation.facts) == lightest


@settings(max_examples=60, deadline=None)
@given(programs(), st.sets(st.sampled_from(FACTS), max_size=3))
def test_hard_facts_are_granted(whole: Program, hard: set[str]) -> None:
    """Hard facts never appear, and the explanation is the smallest of what remains once they are granted."""
    explanation = explain(whole, hard=frozenset(hard))
    cores = {core - hard for core in brute_cores(whole)}
    if explanation is None:
        assert not cores
        return
    assert len(explanation.facts) == min(map(len, cores))
    assert not hard & set(explanation.facts)
    assert proof_holds(whole, explanation)


@settings(max_examples=60, deadline=None)
@given(programs(most_facts=1))
def test_corrections_prove_that_nothing_is_shorter(whole: Program) -> None:
    """Every choice of fewer facts meets no fact that some checked point drops, in each part."""
    explanation = explain(whole)
    assume(explanation is not None)
    assert explanation is not None
    for part in whole.components():
        facts = frozenset(f for row in part.rows for f in row.facts)
        names = {v.name for v in part.variables}
        own = [c for c in explanation.corrections if c.values.keys() == names]
        assert all(not part.keeping(facts - c.dropped).violations(c.values) for c in own)
        shorter = chain.from_iterable(combinations(sorted(facts), n) for n in range(len(explanation.facts)))
        assert all(any(not c.dropped & set(choice) for c in own) for choice in shorter)


@settings(max_examples=60, deadline=None)
@given(programs())
def test_oracles_agree(whole: Program) -> None:
    """The exact solver leads to the same explanation as z3, because ties are broken by ids."""
    first, second = explain(whole), explain(whole, oracle=SolverOracle, prove=None)
    assert (first and (first.facts, first.others)) == (second and (second.facts, second.others))


def test_a_program_with_a_solution_needs_no_explanation() -> None:
    """None for what is possible."""
    assert explain(program({"x": (0, 5)}, at_least("low", {"x": 1}, 3, "a"))) is None


def test_impossible_structure_has_an_empty_core() -> None:
    """Rows without facts that clash are explained by no fact at all."""
    explanation = explain(
        program({"x": (0, 5)}, at_least("low", {"x": 1}, 6), at_most("high", {"x": 1}, 2, "a"))
    )
    assert explanation is not None
    assert (explanation.facts, explanation.smallest_proved) == ((), True)


def test_a_row_without_terms_can_be_the_reason() -> None:
    """A demand whose every way was filtered out before is a core of its own."""
    explanation = explain(program({"x": (0, 1)}, at_least("demand", {}, 3, "hops", "demand")))
    assert explanation is not None
    assert explanation.facts == ("demand", "hops")


def test_parts_may_share_a_fact() -> None:
    """A fact in two parts: the part where it clashes alone gives the only irreducible explanation."""
    explanation = explain(
        program(
            {"x": (0, 5), "y": (0, 5)},
            at_least("x low", {"x": 1}, 4, "budget"),
            at_most("x high", {"x": 1}, 3, "cap"),
            at_least("y low", {"y": 1}, 6, "budget"),
        )
    )
    assert explanation is not None
    assert (explanation.facts, explanation.others) == (("budget",), 0)


def test_weights_below_one_are_refused() -> None:
    """A weight of 0 would make explanations longer for nothing."""
    clash = program({"x": (0, 1)}, at_least("low", {"x": 1}, 2, "a"))
    with pytest.raises(ValueError, match="weights must be 1 or more, not 0 for 'a'"):
        explain(clash, weights={"a": 0})


def test_a_wrong_point_is_not_believed() -> None:
    """An oracle that calls everything possible yields no explanation, not a false witness."""

    class Liar:
        def __init__(self, part: Program) -> None:
            self.names = [v.name for v in part.variables]

        def judge(self, facts: frozenset[str], *, time_limit_s: float) -> Possible:
            return Possible(dict.fromkeys(self.names, 0))

    assert explain(program({"x": (0, 1)}, at_least("low", {"x": 1}, 2, "a")), oracle=Liar) is None


def test_a_wrong_impossible_is_not_believed() -> None:
    """An oracle that calls everything impossible finds no certificate, hence no explanation."""

    class Liar:
        def __init__(self, part: Program) -> None:
            pass

        def judge(self, facts: frozenset[str], *, time_limit_s: float) -> Impossible:
            return Impossible(facts)

    assert explain(program({"x": (0, 1)}, at_least("low", {"x": 1}, 1, "a")), oracle=Liar) is None


def pairs(count: int) -> Program:
    """``count`` demands of 1 and room for half of them: any choice of one more than fit clashes with the room."""
    rows = [at_least(f"low{i}", {f"x{i}": 1}, 1, f"a{i:02}") for i in range(count)]
    total = at_most("total", {f"x{i}": 1 for i in range(count)}, count // 2, "z")
    return program({f"x{i}": (0, 1) for i in range(count)}, *rows, total)


def test_time_limit_is_honoured_and_said() -> None:
    """Far too many explanations to count: the limit holds and the count says that it is not complete."""
    start = monotonic()
    explanation = explain(pairs(24), time_limit_s=2.0)
    assert monotonic() - start < 3.0
    assert explanation is not None
    assert explanation.others > 0
    assert not explanation.others_complete


def test_slow_oracle_gives_honest_flags() -> None:
    """When verdicts stop coming, what is returned is proved impossible but not called smallest."""

    class Tiring(Z3Oracle):
        asked = 0

        def judge(self, facts: frozenset[str], *, time_limit_s: float) -> Possible | Impossible | None:
            self.asked += 1
            return super().judge(facts, time_limit_s=time_limit_s) if self.asked <= 3 else None

    whole = pairs(8)
    explanation = explain(whole, oracle=Tiring)
    assert explanation is not None
    assert proof_holds(whole, explanation)
    assert (explanation.smallest_proved, explanation.irreducible, explanation.others_complete) == (False,) * 3


def test_no_time_means_no_explanation() -> None:
    """A limit of zero proves nothing and claims nothing."""
    assert explain(pairs(4), time_limit_s=0.0) is None


def rack(*, power_w: int) -> Program:
    """Two kinds of place, 36 sets; two sets are large and wear flash, one has enclosures of its own.

    Of five enclosures the large sets need three (endurance) and the private one needs one.
    """
    names = ["agents", "chat", "private", *(f"set{i:02}" for i in range(33))]
    stored = dict.fromkeys(names, 10) | {"agents": 900, "chat": 800, "private": 50}
    writes = dict.fromkeys(names, 1) | {"agents": 4, "chat": 3}
    shared = [name for name in names if name != "private"]
    variables = {"on": (0, 4), "own": (0, 1)} | {f"{n}.cmx": (0, stored[n]) for n in names}
    variables |= {f"{n}.host": (0, stored[n]) for n in names} | {"own.gate": (0, 1)}
    rows = [
        Row(f"{n} stored", {f"{n}.cmx": 1, f"{n}.host": 1}, Sense.EQUAL, stored[n], (f"set:{n}",))
        for n in names
    ]
    rows += [
        at_most(f"{n} keeps to CMX", {f"{n}.host": 1}, 0, f"tiers:{n}") for n in ("agents", "chat", "private")
    ]
    rows += [
        at_most("capacity", {f"{n}.cmx": 1 for n in shared} | {"on": -1200}, 0, "capacity"),
        at_most("endurance", {f"{n}.cmx": writes[n] for n in shared} | {"on": -2200}, 0, "endurance"),
        at_most("own enclosure", {"private.cmx": 1, "own": -1200}, 0, "isolation"),
        at_most("host", {f"{n}.host": 1 for n in names}, 400, "host"),
        at_most("shelf", {"on": 250, "own": 250} | {f"{n}.cmx": 0 for n in names}, power_w, "shelf"),
        at_most("gate", {"own": 1, "own.gate": -1}, 0),
    ]
    return program(variables, *rows)


def test_a_rack_is_explained_in_a_moment() -> None:
    """45 facts, 75 columns: seven lines, proved smallest by the default engines, in seconds."""
    whole, start = rack(power_w=900), monotonic()
    explanation = smallest_core(whole, time_limit_s=10.0)
    assert monotonic() - start < 3.0
    assert explanation is not None
    needed = ("endurance", "isolation", "set:agents", "set:chat", "set:private", "shelf")
    assert set(needed) <= set(explanation.facts)
    assert (explanation.smallest_proved, explanation.irreducible) == (True, True)
    assert check_infeasible(whole, explanation.proof) == []


def test_amounts_of_the_rack() -> None:
    """What the other facts need of the shelf: four enclosures of 250 W; of the switch: three shared ones."""
    whole = rack(power_w=900)
    facts = {fact for row in whole.rows for fact in row.facts}
    assert needed_amount(whole, facts, "shelf", time_limit_s=10.0) == 1_000
    assert needed_amount(whole, facts - {"shelf"}, {"on": 1}, time_limit_s=10.0) == 3


def test_amount_of_a_demand_is_a_maximum() -> None:
    """Of a row that demands, the others tell how much they can give; an equation is measured on both sides."""
    whole = program(
        {"x": (0, 9)}, at_least("demand", {"x": 1}, 7, "d"), at_most("room", {"x": 2}, 9, "r"),
        Row("exact", {"x": 1}, Sense.EQUAL, 8, ("e",)), at_least("floor", {"x": 1}, 2, "f"),
    )  # fmt: skip
    assert needed_amount(whole, {"d", "r"}, "demand", time_limit_s=5.0) == 4
    assert needed_amount(whole, {"e", "r"}, "exact", time_limit_s=5.0) == 4
    assert needed_amount(whole, {"r", "f"}, {"x": 3}, time_limit_s=5.0) == 6
    assert needed_amount(whole, {"d", "r", "f"}, {"x": 3}, time_limit_s=5.0) is None


def test_the_same_again() -> None:
    """Two runs give the same explanation in every field."""
    whole = pairs(6)
    assert explain(whole) == explain(whole)


@settings(max_examples=150, deadline=None)
@given(programs())
def test_preference_decides_only_among_the_shortest(whole: Program) -> None:
    """The preferred one of the shortest explanations comes back; that it is the shortest stays proved."""
    cores = brute_cores(whole)
    preferred = explain(whole, prefer=lambda core: (-sum(map(ord, core)),))
    if preferred is None:
        assert not cores
        return
    assert preferred.others_complete
    assert preferred.smallest_proved
    shortest = [core for core in cores if len(core) == min(map(len, cores))]
    assert frozenset(preferred.facts) in shortest
    assert sum(map(ord, preferred.facts)) == max(sum(map(ord, core)) for core in shortest)
