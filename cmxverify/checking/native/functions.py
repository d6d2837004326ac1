"""LLVM IR text of a model's own functions: expanding a state, and checking one.

``expand`` goes through the instances in their order. Guards and breaches of obligations are computed on the spine of
the function, so that what they share is computed once a state; updates only where the guard holds. The functions that
the search loop calls, and their arguments, are declared in core.c.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from cmxverify.checking.exploration import Breach, BreachKind
from cmxverify.checking.native.emitter import ALL_ONES, Emitter, constant
from cmxverify.checking.native.flags import FlagTable, premises_of
from cmxverify.modeling.ir.expression import Expr, Op, walk
from cmxverify.modeling.ir.layout import Layout
from cmxverify.modeling.ir.system import ActionKind, Instance, Obligation, Property, PropertyKind, System

PIECE = 64
"""Instances in one function: compilers take more than linear time for long ones."""

_STATE = "ptr noalias readonly %state"
_FLAGS = "ptr noalias %flags"
_COUNTERS = "ptr noalias %fired, ptr noalias %changed"
_PIECE_ARGUMENTS = f"{_STATE}, ptr noalias %start, {_COUNTERS}, {_FLAGS}, ptr noalias %progress"


def certainly_changes(instance: Instance) -> bool:
    """Whether the guard alone shows that the step changes a cell: it sets to one constant what equals another."""
    conjuncts = instance.guard.args if instance.guard.op is Op.AND else (instance.guard,)
    before = dict(_pinned(conjuncts))
    return any(
        after.constant is not None and before.get(index, after.constant) != after.constant
        for index, after in instance.updates
    )


def _pinned(conjuncts: Iterable[Expr]) -> Iterator[tuple[int, int]]:
    """Cells whose value the conjuncts fix, with that value."""
    for each in conjuncts:
        core, holds = (each.args[0], 0) if each.op is Op.NOT else (each, 1)
        if core.op is Op.CELL:
            yield core.value, holds
        elif core.op is Op.EQ and holds and core.args[0].op is Op.CELL and core.args[1].constant is not None:
            yield core.args[0].value, core.args[1].constant


@dataclass(slots=True)
class FunctionWriter:
    """Writes the functions of one system for one packing of its states."""

    system: System
    layout: Layout
    flags: FlagTable

    def text(self) -> str:
        """All functions but those of symmetry and of the graph hash."""
        pieces = [self.piece(start) for start in range(0, len(self.system.instances), PIECE)]
        steps = [self.step_check(index, each) for index, each in self.flags.asked(PropertyKind.STEP)]
        return "\n".join([*steps, *pieces, self.expand(len(pieces)), self.check()])

    # Expanding

    def expand(self, pieces: int) -> str:
        """The stutter step, every piece in turn, and whether something made progress."""
        emitter = self.emitter()
        progress = emitter.let("alloca i8")
        emitter.do(f"store i8 0, ptr {progress}")
        for index, _ in self.flags.asked(PropertyKind.STEP):
            emitter.do(self.step_call(index, self.words(), self.words()))
        out = "%out"
        for number in range(pieces):
            arguments = f"ptr %state, ptr {out}, ptr %fired, ptr %changed, ptr %flags, ptr {progress}"
            out = emitter.let(f"call ptr @expand_{number}({arguments})")
        self.write_deadlock(emitter, progress)
        emitter.do(f"ret ptr {out}")
        return self.function(f"ptr @expand({_STATE}, ptr noalias %out, {_COUNTERS}, {_FLAGS})", emitter)

    def write_deadlock(self, emitter: Emitter, progress: str) -> None:
        """Raise the flag of a deadlock where nothing made progress and standing still is not allowed (L25)."""
        if self.flags.deadlock is None:
            return
        stuck = emitter.let(f"icmp eq i8 {emitter.let(f'load i8, ptr {progress}')}, 0")
        due = emitter.let(f"xor i1 {emitter.value(self.flags.deadlock)}, true")
        number = self.flags.number_of_breach(Breach(BreachKind.DEADLOCK, 0))
        self.write_raise(emitter, emitter.let(f"and i1 {stuck}, {due}"), number)

    def piece(self, start: int) -> str:
        """Successors by some of the instances, written from ``start`` on; where they end."""
        emitter = self.emitter()
        cursor = emitter.let("alloca ptr")
        emitter.do(f"store ptr %start, ptr {cursor}")
        for number in range(start, min(start + PIECE, len(self.system.instances))):
            self.write_instance(emitter, number, cursor)
        emitter.do(f"ret ptr {emitter.let(f'load ptr, ptr {cursor}')}")
        return self.function(f"internal ptr @expand_{start // PIECE}({_PIECE_ARGUMENTS})", emitter)

    def write_instance(self, emitter: Emitter, number: int, cursor: str) -> None:
        """One instance: its obligations, then, where they are met and the guard holds, its step."""
        instance = self.system.instances[number]
        guard = emitter.value(instance.guard)
        if instance.obligations:
            breaches = emitter.values(each.breach for each in instance.obligations)
            emitter.do(f"br i1 {any_of(emitter, breaches)}, label %breach{number}, label %met{number}")
            emitter.label(f"breach{number}")
            self.write_breaches(emitter, number, breaches)
            emitter.do(f"br label %next{number}")
            emitter.label(f"met{number}")
        emitter.do(f"br i1 {guard}, label %step{number}, label %next{number}")
        emitter.label(f"step{number}")
        with emitter.branch():
            self.write_step(emitter, number, cursor)
        emitter.do(f"br label %next{number}")
        emitter.label(f"next{number}")

    def write_breaches(self, emitter: Emitter, number: int, breaches: Sequence[str]) -> None:
        """Raise the flags of breached obligations; such an action is no deadlock."""
        for place, breached in enumerate(breaches):
            breach = Breach(BreachKind.OBLIGATION, 0, instance=number, obligation=place)
            self.write_raise(emitter, breached, self.flags.number_of_breach(breach))
        if self.system.instances[number].kind is ActionKind.ACTION:
            emitter.do("store i8 1, ptr %progress")

    def write_step(self, emitter: Emitter, number: int, cursor: str) -> None:
        """Write the successor behind the others, unless it is the state itself; count; look at step properties."""
        instance = self.system.instances[number]
        after = self.words_after(emitter, instance)
        out = emitter.let(f"load ptr, ptr {cursor}")
        store_words(emitter, out, after)
        write_count(emitter, "%fired", number, "1")
        if certainly_changes(instance):
            moved, progress = str(8 * self.layout.words), "1"
        else:
            changed = self.differs(emitter, after)
            one = emitter.let(f"zext i1 {changed} to i64")
            write_count(emitter, "%changed", number, one)
            moved = emitter.let(f"mul i64 {one}, {8 * self.layout.words}")
            before = emitter.let("load i8, ptr %progress")
            progress = emitter.let(f"or i8 {before}, {emitter.let(f'zext i1 {changed} to i8')}")
        emitter.do(f"store ptr {emitter.let(f'getelementptr i8, ptr {out}, i64 {moved}')}, ptr {cursor}")
        if instance.kind is ActionKind.ACTION:
            emitter.do(f"store i8 {progress}, ptr %progress")
        for index in self.steps_touched(instance):
            emitter.do(self.step_call(index, self.words(), after))

    # Edges, for the graph hash

    def edges(self) -> str:
        """Function that writes every successor, self-loops included, with the number of its instance."""
        emitter = self.emitter()
        cursor, edge = emitter.let("alloca ptr"), emitter.let("alloca ptr")
        emitter.do(f"store ptr %out, ptr {cursor}")
        emitter.do(f"store ptr %instances, ptr {edge}")
        for number, instance in enumerate(self.system.instances):
            emitter.do(f"br i1 {emitter.value(instance.guard)}, label %step{number}, label %next{number}")
            emitter.label(f"step{number}")
            with emitter.branch():
                after = self.words_after(emitter, instance)
            write_behind(emitter, cursor, after)
            write_behind(emitter, edge, [str(number)])
            emitter.do(f"br label %next{number}")
            emitter.label(f"next{number}")
        emitter.do(f"ret ptr {emitter.let(f'load ptr, ptr {cursor}')}")
        return self.function(
            f"ptr @expand_edges({_STATE}, ptr noalias %out, ptr noalias %instances)", emitter
        )

    def words_after(self, emitter: Emitter, instance: Instance) -> list[str]:
        """Words of the state after a step: constants are put in together, other cells one by one."""
        cleared, fixed = [0] * self.layout.words, [0] * self.layout.words
        moving: list[tuple[int, str]] = []
        for index, after in instance.updates:
            slot = self.layout.slots[index]
            cleared[slot.word] |= (1 << slot.bits) - 1 << slot.shift
            if after.constant is not None:
                fixed[slot.word] |= after.constant - slot.low << slot.shift
            elif slot.bits:
                moving.append((slot.word, self.coded(emitter, index, after)))
        words = self.words()
        for number, (mask, code) in enumerate(zip(cleared, fixed, strict=True)):
            if mask:
                words[number] = emitter.let(f"and i64 {words[number]}, {constant(ALL_ONES ^ mask)}")
            if code:
                words[number] = emitter.let(f"or i64 {words[number]}, {constant(code)}")
        for number, bits in moving:
            words[number] = emitter.let(f"or i64 {words[number]}, {bits}")
        return words

    def coded(self, emitter: Emitter, index: int, after: Expr) -> str:
        """Value of a cell as the bits of its word."""
        slot, value = self.layout.slots[index], emitter.value(after)
        if after.is_bool:
            value = emitter.let(f"zext i1 {value} to i64")
        if slot.low:
            value = emitter.let(f"sub i64 {value}, {slot.low}")
        return emitter.let(f"shl i64 {value}, {slot.shift}") if slot.shift else value

    def differs(self, emitter: Emitter, after: Sequence[str]) -> str:
        """Whether a step changed the state."""
        pairs = [(old, new) for old, new in zip(self.words(), after, strict=True) if old != new]
        return any_of(emitter, [emitter.let(f"icmp ne i64 {old}, {new}") for old, new in pairs])

    # Step properties

    def steps_touched(self, instance: Instance) -> Iterator[int]:
        """Step properties that may hold of the stutter step and not of this step: they read a cell that it sets."""
        cells = {index for index, _ in instance.updates}
        for index, each in self.flags.asked(PropertyKind.STEP):
            if not cells.isdisjoint(_next_cells(each)):
                yield index

    def step_call(self, index: int, words: Sequence[str], after: Sequence[str]) -> str:
        """Instruction that checks a step property on one transition."""
        operands = ", ".join(f"i64 {word}" for word in (*words, *after))
        return f"call void @step_{index}({operands}, ptr %flags)"

    def step_check(self, index: int, each: Property) -> str:
        """Function that checks a step property on one transition."""
        old = [f"%old{number}" for number in range(self.layout.words)]
        new = [f"%new{number}" for number in range(self.layout.words)]
        emitter = Emitter(self.layout.slots, old, new)
        self.write_property(emitter, index, each)
        emitter.do("ret void")
        parameters = ", ".join(f"i64 {word}" for word in (*old, *new))
        return self.function(f"internal void @step_{index}({parameters}, {_FLAGS})", emitter, load=False)

    # Checking

    def check(self) -> str:
        """Function that checks the properties of one state."""
        emitter = self.emitter()
        for index, each in self.flags.asked(PropertyKind.INVARIANT, PropertyKind.REACHABLE):
            self.write_property(emitter, index, each)
        emitter.do("ret void")
        return self.function(f"void @check({_STATE}, {_FLAGS})", emitter)

    def write_property(self, emitter: Emitter, index: int, each: Property) -> None:
        """Raise the flags of one property: its obligations, its premises, and where it holds or does not."""
        self.write_property_obligations(emitter, index, each.obligations)
        for place, premise in premises_of(each):
            write_mark(emitter, emitter.value(premise), self.flags.number_of_premise(index, place))
        holds = all_of(emitter, emitter.values(part.holds for part in each.parts))
        if each.kind is PropertyKind.REACHABLE:
            write_mark(emitter, holds, self.flags.number_of_witness(index))
            return
        kind = BreachKind.STEP if each.kind is PropertyKind.STEP else BreachKind.INVARIANT
        number = self.flags.number_of_breach(Breach(kind, 0, property=index))
        self.write_raise(emitter, emitter.let(f"xor i1 {holds}, true"), number)

    def write_property_obligations(
        self, emitter: Emitter, index: int, obligations: Sequence[Obligation]
    ) -> None:
        """Raise the flags of obligations met while a property is evaluated."""
        for place, each in enumerate(obligations):
            breach = Breach(BreachKind.PROPERTY_OBLIGATION, 0, property=index, obligation=place)
            self.write_raise(emitter, emitter.value(each.breach), self.flags.number_of_breach(breach))

    def write_raise(self, emitter: Emitter, condition: str, number: int) -> None:
        """Raise a flag by a jump: for what is almost never met."""
        name = emitter.fresh()[1:]
        emitter.do(f"br i1 {condition}, label %raise.{name}, label %go.{name}")
        emitter.label(f"raise.{name}")
        emitter.do(f"store i8 1, ptr {emitter.let(f'getelementptr i8, ptr %flags, i64 {number}')}")
        emitter.do(f"br label %go.{name}")
        emitter.label(f"go.{name}")

    # Frame

    def words(self) -> list[str]:
        """Operands with the words of the state."""
        return [f"%word{number}" for number in range(self.layout.words)]

    def emitter(self) -> Emitter:
        """For a function that is given a state."""
        return Emitter(self.layout.slots, self.words())

    def function(self, head: str, emitter: Emitter, *, load: bool = True) -> str:
        """A whole function; the words of the state are loaded first."""
        loads = (
            [line for number, word in enumerate(self.words()) for line in load_word(number, word)]
            if load
            else []
        )
        return "\n".join([f"define {head} nounwind {{", *loads, *emitter.lines, "}\n"])


def load_word(number: int, name: str) -> list[str]:
    """Instructions that load one word of ``%state``."""
    return [
        f"  {name}.at = getelementptr i64, ptr %state, i64 {number}",
        f"  {name} = load i64, ptr {name}.at",
    ]


def store_words(emitter: Emitter, out: str, words: Sequence[str]) -> None:
    """Write a state."""
    for number, word in enumerate(words):
        emitter.do(f"store i64 {word}, ptr {emitter.let(f'getelementptr i64, ptr {out}, i64 {number}')}")


def write_behind(emitter: Emitter, cursor: str, words: Sequence[str]) -> None:
    """Write words where a cursor points to, and move it behind them."""
    out = emitter.let(f"load ptr, ptr {cursor}")
    store_words(emitter, out, words)
    emitter.do(f"store ptr {emitter.let(f'getelementptr i64, ptr {out}, i64 {len(words)}')}, ptr {cursor}")


def write_count(emitter: Emitter, counters: str, number: int, amount: str) -> None:
    """Add to a counter."""
    at = emitter.let(f"getelementptr i64, ptr {counters}, i64 {number}")
    total = emitter.let(f"add i64 {emitter.let(f'load i64, ptr {at}')}, {amount}")
    emitter.do(f"store i64 {total}, ptr {at}")


def write_mark(emitter: Emitter, condition: str, number: int) -> None:
    """Raise a flag without a jump: for what is met often."""
    at = emitter.let(f"getelementptr i8, ptr %flags, i64 {number}")
    before, met = emitter.let(f"load i8, ptr {at}"), emitter.let(f"zext i1 {condition} to i8")
    emitter.do(f"store i8 {emitter.let(f'or i8 {before}, {met}')}, ptr {at}")


def any_of(emitter: Emitter, conditions: Sequence[str]) -> str:
    """Disjunction of conditions; false if there are none."""
    return _folded(emitter, "or", conditions, "false")


def all_of(emitter: Emitter, conditions: Sequence[str]) -> str:
    """Conjunction of conditions; true if there are none."""
    return _folded(emitter, "and", conditions, "true")


def _folded(emitter: Emitter, operation: str, conditions: Sequence[str], unit: str) -> str:
    result = conditions[0] if conditions else unit
    for each in conditions[1:]:
        result = emitter.let(f"{operation} i1 {result}, {each}")
    return result


def _next_cells(each: Property) -> frozenset[int]:
    """Cells of the next state that a step property reads, in its parts, premises or obligations."""
    roots = [part.holds for part in each.parts]
    roots += [premise for _, premise in premises_of(each)]
    roots += [obligation.breach for obligation in each.obligations]
    return frozenset(node.value for node in walk(roots) if node.op is Op.NEXT)
