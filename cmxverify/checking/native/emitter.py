"""LLVM IR text of expressions: one function's instructions, each shared node computed once where it may be needed.

Integers are ``i64`` (no expression leaves 62 bits), booleans ``i1``. A conjunction of tests of cells against
constants becomes one ``and`` and one comparison a word, whatever the number of cells.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager

from cmxverify.modeling.ir.expression import Expr, Op
from cmxverify.modeling.ir.layout import WORD_BITS, Slot

Literal = tuple[bool, int, int, int]
"""A test of bits: whether of the next state, word, mask, and what the masked word must be."""

ALL_ONES = (1 << WORD_BITS) - 1


def constant(word: int) -> str:
    """A word as LLVM writes it: signed."""
    word &= ALL_ONES
    return str(word - (1 << WORD_BITS) if word >> (WORD_BITS - 1) else word)


class Emitter:
    """Instructions of one function over packed states.

    Args:
        slots: Place of each cell.
        words: Operands that hold the words of the state.
        next_words: Those of the next state, in step properties.
    """

    def __init__(self, slots: Sequence[Slot], words: Sequence[str], next_words: Sequence[str] = ()) -> None:
        self.lines: list[str] = []
        self._slots, self._words, self._next_words = slots, words, next_words
        self._scopes: list[dict[Expr, str]] = [{}]
        self._names = 0

    # Writing

    def let(self, instruction: str) -> str:
        """Write an instruction with a result; the operand that names it."""
        name = self.fresh()
        self.lines.append(f"  {name} = {instruction}")
        return name

    def do(self, instruction: str) -> None:
        """Write an instruction without a result."""
        self.lines.append(f"  {instruction}")

    def label(self, name: str) -> None:
        """Begin a block."""
        self.lines.append(f"{name}:")

    def fresh(self) -> str:
        """A name not used before."""
        self._names += 1
        return f"%v{self._names}"

    @contextmanager
    def branch(self) -> Iterator[None]:
        """What is computed inside is forgotten afterwards, for the block need not have run."""
        self._scopes.append({})
        yield
        self._scopes.pop()

    # Expressions

    def value(self, root: Expr) -> str:
        """Operand with the value of an expression; computes what is not yet known."""
        pending = [root]
        while pending:
            node = pending[-1]
            missing = [arg for arg in self._needed(node) if self._known(arg) is None]
            if missing:
                pending.extend(reversed(missing))
                continue
            pending.pop()
            if self._known(node) is None:
                self._scopes[-1][node] = self._compute(node)
        return self._operand(root)

    def values(self, roots: Iterable[Expr]) -> list[str]:
        """Operands of several expressions."""
        return [self.value(root) for root in roots]

    def bits(self, word: str, mask: int, code: int, *, same: bool = True) -> str:
        """Whether the masked word equals a code (or differs, where ``same`` is false)."""
        masked = word if mask == ALL_ONES else self.let(f"and i64 {word}, {constant(mask)}")
        return self.let(f"icmp {'eq' if same else 'ne'} i64 {masked}, {constant(code)}")

    def _known(self, node: Expr) -> str | None:
        if node.op is Op.CONST:
            return self._constant(node)
        return next((scope[node] for scope in reversed(self._scopes) if node in scope), None)

    def _operand(self, node: Expr) -> str:
        known = self._known(node)
        assert known is not None, "arguments are computed before the nodes that use them"
        return known

    def _constant(self, node: Expr) -> str:
        return ("true" if node.value else "false") if node.is_bool else str(node.value)

    def _needed(self, node: Expr) -> Iterable[Expr]:
        """Arguments that must be computed first; tests of bits need none."""
        if node.op in (Op.AND, Op.OR):
            return [arg for arg in node.args if self._literal(arg, negate=node.op is Op.OR) is None]
        return () if self._literal(node) is not None else node.args

    def _compute(self, node: Expr) -> str:
        literal = self._literal(node)
        if literal is not None:
            of_next, word, mask, code = literal
            return self.bits(self._word(of_next, word), mask, code)
        if node.op in (Op.AND, Op.OR):
            return self._gathered(node)
        args = [self._operand(arg) for arg in node.args]
        kind = "i1" if node.args and node.args[0].is_bool else "i64"
        match node.op:
            case Op.CELL | Op.NEXT:
                return self._cell(node)
            case Op.NOT:
                return self.let(f"xor i1 {args[0]}, true")
            case Op.EQ:
                return self.let(f"icmp eq {kind} {args[0]}, {args[1]}")
            case Op.LT:
                return self.let(f"icmp slt i64 {args[0]}, {args[1]}")
            case Op.ITE:
                return self._choice(node, args)
            case Op.ADD:
                return self.let(f"add nsw i64 {args[0]}, {args[1]}")
            case Op.MUL:
                return self.let(f"mul nsw i64 {args[0]}, {args[1]}")
            case Op.FLOORDIV:
                return self._floordiv(node, *args)
            case Op.MOD:
                return self._mod(node, *args)
        raise AssertionError(node.op)

    def _cell(self, node: Expr) -> str:
        """An integer cell: shift, mask, and add its least value."""
        slot = self._slots[node.value]
        if not slot.bits:
            return str(slot.low)
        value = self._word(node.op is Op.NEXT, slot.word)
        if slot.shift:
            value = self.let(f"lshr i64 {value}, {slot.shift}")
        if slot.shift + slot.bits < WORD_BITS:
            value = self.let(f"and i64 {value}, {(1 << slot.bits) - 1}")
        return self.let(f"add nsw i64 {value}, {slot.low}") if slot.low else value

    def _choice(self, node: Expr, args: list[str]) -> str:
        kind = "i1" if node.is_bool else "i64"
        if not node.is_bool and args[1:] == ["1", "0"]:
            return self.let(f"zext i1 {args[0]} to i64")
        return self.let(f"select i1 {args[0]}, {kind} {args[1]}, {kind} {args[2]}")

    def _floordiv(self, node: Expr, left: str, divisor: str) -> str:
        """Towards minus infinity, where the processor rounds towards zero."""
        if node.args[0].low >= 0:
            return self.let(f"udiv i64 {left}, {divisor}")
        quotient = self.let(f"sdiv i64 {left}, {divisor}")
        negative = self._negative_remainder(left, divisor)[1]
        return self.let(f"add nsw i64 {quotient}, {self.let(f'sext i1 {negative} to i64')}")

    def _mod(self, node: Expr, left: str, divisor: str) -> str:
        """Never negative, where the processor gives the remainder the sign of the dividend."""
        if node.args[0].low >= 0:
            return self.let(f"urem i64 {left}, {divisor}")
        remainder, negative = self._negative_remainder(left, divisor)
        return self.let(
            f"select i1 {negative}, i64 {self.let(f'add nsw i64 {remainder}, {divisor}')}, i64 {remainder}"
        )

    def _negative_remainder(self, left: str, divisor: str) -> tuple[str, str]:
        remainder = self.let(f"srem i64 {left}, {divisor}")
        return remainder, self.let(f"icmp slt i64 {remainder}, 0")

    # Tests of bits

    def _word(self, of_next: bool, word: int) -> str:
        return self._next_words[word] if of_next else self._words[word]

    def _literal(self, node: Expr, *, negate: bool = False) -> Literal | None:
        """The test of bits that a node, or its negation, is; None if it is none."""
        if node.op is Op.NOT:
            node, negate = node.args[0], not negate
        if node.is_bool and node.op in (Op.CELL, Op.NEXT):
            slot = self._slots[node.value]
            mask = (1 << slot.bits) - 1 << slot.shift
            return node.op is Op.NEXT, slot.word, mask, int(not negate) - slot.low << slot.shift
        if node.op is Op.EQ and not negate and node.args[0].op in (Op.CELL, Op.NEXT):
            left, value = node.args[0], node.args[1].constant
            if value is not None and not left.is_bool:
                slot = self._slots[left.value]
                mask = (1 << slot.bits) - 1 << slot.shift
                return left.op is Op.NEXT, slot.word, mask, value - slot.low << slot.shift
        return None

    def _gathered(self, node: Expr) -> str:
        """A conjunction, or disjunction, with its tests of bits gathered word by word."""
        conjunction = node.op is Op.AND
        gathered: dict[tuple[bool, int], list[tuple[int, int]]] = {}
        parts = []
        for arg in node.args:
            literal = self._literal(arg, negate=not conjunction)
            if literal is None:
                parts.append(self._operand(arg))
            else:
                gathered.setdefault(literal[:2], []).append(literal[2:])
        tests = [self._tested(place, tests, conjunction) for place, tests in gathered.items()]
        return self._folded("and" if conjunction else "or", tests + parts)

    def _tested(self, place: tuple[bool, int], tests: list[tuple[int, int]], conjunction: bool) -> str:
        codes: dict[int, int] = {}
        for mask, code in tests:
            if codes.setdefault(mask, code) != code or code & ~mask:
                return "false" if conjunction else "true"
        return self.bits(self._word(*place), sum(codes), sum(codes.values()), same=conjunction)

    def _folded(self, operation: str, parts: Sequence[str]) -> str:
        result = parts[0]
        for part in parts[1:]:
            result = self.let(f"{operation} i1 {result}, {part}")
        return result
