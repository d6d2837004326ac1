"""What relate.c asks of a model: refining colours, and renaming the values of types that are related to one another."""

from __future__ import annotations

from dataclasses import dataclass

from cmxverify.checking.native.emitter import Emitter, constant
from cmxverify.checking.native.packing import Element, Mention, Packing
from cmxverify.checking.native.sorting import cleared, put, take
from cmxverify.modeling.ir.fingerprint import mix
from cmxverify.modeling.ir.layout import WORD_BITS, Slot

_MULTIPLIER = constant(0xBF58476D1CE4E5B9)
_REFINE = "void @refine(ptr noalias readonly %state, ptr noalias readonly %colours, ptr noalias %refined)"
_PERMUTE = (
    "void @permute(ptr noalias readonly %state, ptr noalias readonly %positions,"
    " ptr noalias readonly %origins, ptr noalias %out)"
)


@dataclass(slots=True)
class RelationWriter:
    """Writes ``refine`` and ``permute`` for some types of a system.

    Args:
        packing: Where everything lies.
        sizes: Of the types, in the order in which relate.c numbers their elements.
    """

    packing: Packing
    sizes: dict[str, int]

    def text(self) -> str:
        """Constants and functions."""
        starts = [self.element((sort, 0)) for sort in self.sizes] + [sum(self.sizes.values())]
        values = ", ".join(f"i64 {start}" for start in starts)
        constants = [
            f"@SORTS = constant i64 {len(self.sizes)}",
            f"@SORT_STARTS = constant [{len(starts)} x i64] [{values}]",
        ]
        return "\n".join([*constants, *self.tables(), self.refine(), self.permute()])

    def element(self, element: Element) -> int:
        """Number of an element."""
        before = list(self.sizes).index(element[0])
        return sum(list(self.sizes.values())[:before]) + element[1]

    def related(self) -> list[Mention]:
        """Cells outside the blocks that mention one of the types."""
        return [
            each
            for each in self.packing.mentions
            if not each.in_block and self.sizes.keys() & set(each.sorts)
        ]

    # Colours

    def refine(self) -> str:
        """Every element's colour mixed with what the state says of it and of those it is related to."""
        emitter = Emitter(self.packing.layout.slots, self.words())
        for sort, size in self.sizes.items():
            for ordinal in range(size):
                self.write_own(emitter, (sort, ordinal))
        rows = {row: number for number, row in enumerate(dict.fromkeys(each.row for each in self.related()))}
        for each in self.related():
            self.write_shared(emitter, each, rows[each.row])
        emitter.do("ret void")
        return self.function(_REFINE, emitter)

    def write_own(self, emitter: Emitter, element: Element) -> None:
        """What an element's old colour and its block alone tell."""
        number = self.element(element)
        colour = emitter.let(f"load i64, ptr {at(emitter, '%colours', str(number))}")
        total = mixed(emitter, colour, constant(mix(list(self.sizes).index(element[0]) + 1)))
        for block in self.packing.blocks_of(element):
            bits = mixed(emitter, take(emitter, self.words(), block.slot), constant(mix(1000 + block.part)))
            total = emitter.let(f"add i64 {total}, {bits}")
        emitter.do(f"store i64 {total}, ptr {at(emitter, '%refined', str(number))}")

    def write_shared(self, emitter: Emitter, mention: Mention, row: int) -> None:
        """What one cell tells every element it mentions: its value, and the colours of all of them, in order."""
        slot = self.packing.layout.slots[mention.cell.index]
        bits = take(emitter, self.words(), slot)
        members = [str(self.element(key)) for key in mention.keys]
        said = constant(mix(2000 + row))
        there = "true"
        if mention.sort:
            there = emitter.let(f"icmp sge i64 {bits}, {-slot.low}")
            ordinal = emitter.let(f"add i64 {bits}, {slot.low + self.element((mention.sort, 0))}")
            members.append(emitter.let(f"select i1 {there}, i64 {ordinal}, i64 0"))
        else:
            said = mixed(emitter, bits, said)
        for member in members:
            colour = emitter.let(f"load i64, ptr {at(emitter, '%colours', member)}")
            seen = colour if there == "true" else emitter.let(f"select i1 {there}, i64 {colour}, i64 1")
            said = mixed(emitter, seen, said)
        for position, member in enumerate(members):
            told = mixed(emitter, said, constant(mix(3000 + position)))
            if mention.sort and position == len(members) - 1:
                told = emitter.let(f"select i1 {there}, i64 {told}, i64 0")
            place = at(emitter, "%refined", member)
            total = emitter.let(f"add i64 {emitter.let(f'load i64, ptr {place}')}, {told}")
            emitter.do(f"store i64 {total}, ptr {place}")

    # Renaming

    def tables(self) -> list[str]:
        """Per row of related cells that have keys: where each lies, by the ordinals of its keys."""
        found = []
        for number, row in self.rows().items():
            places = [0] * self.table_size(row[0])
            for each in row:
                slot = self.packing.layout.slots[each.cell.index]
                places[self.table_index(each)] = slot.word * WORD_BITS + slot.shift
            values = ", ".join(f"i64 {place}" for place in places)
            found.append(f"@places_{number} = internal constant [{len(places)} x i64] [{values}]")
        for number, (sort, slots) in self.block_rows().items():
            values = ", ".join(f"i64 {slot.word * WORD_BITS + slot.shift}" for slot in slots)
            found.append(f"@blocks_{number} = internal constant [{self.sizes[sort]} x i64] [{values}]")
        return found

    def permute(self) -> str:
        """The state in which every element has a new ordinal: ``positions``, and its inverse ``origins``."""
        emitter = Emitter(self.packing.layout.slots, self.words())
        blocks = [slot for _, slots in self.block_rows().values() for slot in slots]
        words = cleared(
            emitter,
            self.words(),
            [*blocks, *(self.packing.layout.slots[each.cell.index] for each in self.related())],
        )
        for number, (sort, slots) in self.block_rows().items():
            for ordinal, slot in enumerate(slots):
                source = self.origin(emitter, (sort, ordinal))
                put(emitter, words, slot, fetched(emitter, f"@blocks_{number}", source, slot.bits))
        for number, row in self.rows().items():
            for each in row:
                self.write_moved(emitter, words, each, number)
        for each in self.related():
            if not each.keys:
                slot = self.packing.layout.slots[each.cell.index]
                put(emitter, words, slot, self.renamed(emitter, each, take(emitter, self.words(), slot)))
        for number, word in enumerate(words):
            emitter.do(f"store i64 {word}, ptr {at(emitter, '%out', str(number))}")
        emitter.do("ret void")
        return self.function(_PERMUTE, emitter)

    def write_moved(self, emitter: Emitter, words: list[str], mention: Mention, number: int) -> None:
        """Fetch what moves onto one cell."""
        index = "0"
        for key in mention.keys:
            scaled = emitter.let(f"mul i64 {index}, {self.sizes[key[0]]}")
            index = emitter.let(f"add i64 {scaled}, {self.origin(emitter, key)}")
        slot = self.packing.layout.slots[mention.cell.index]
        bits = fetched(emitter, f"@places_{number}", index, slot.bits)
        put(emitter, words, slot, self.renamed(emitter, mention, bits) if mention.sort else bits)

    def renamed(self, emitter: Emitter, mention: Mention, bits: str) -> str:
        """Code of a value after renaming; "none" stays."""
        low, first = self.packing.layout.slots[mention.cell.index].low, self.element((mention.sort, 0))
        there = emitter.let(f"icmp sge i64 {bits}, {-low}")
        ordinal = emitter.let(f"add i64 {bits}, {low + first}")
        number = emitter.let(f"select i1 {there}, i64 {ordinal}, i64 0")
        image = emitter.let(f"load i64, ptr {at(emitter, '%positions', number)}")
        code = emitter.let(f"sub i64 {image}, {low}")
        return emitter.let(f"select i1 {there}, i64 {code}, i64 {bits}")

    def origin(self, emitter: Emitter, element: Element) -> str:
        """Ordinal of the element that moves to a position."""
        return emitter.let(f"load i64, ptr {at(emitter, '%origins', str(self.element(element)))}")

    # Rows

    def rows(self) -> dict[int, list[Mention]]:
        """Related cells with keys, row by row."""
        found: dict[tuple[object, ...], list[Mention]] = {}
        for each in self.related():
            if each.keys:
                found.setdefault(each.row, []).append(each)
        return dict(enumerate(found.values()))

    def block_rows(self) -> dict[int, tuple[str, list[Slot]]]:
        """Parts of blocks of each type, with the slots of all its elements."""
        found: dict[tuple[str, int], list[Slot]] = {}
        for block in self.packing.blocks:
            if block.element[0] in self.sizes:
                found.setdefault((block.element[0], block.part), []).append(block.slot)
        return {number: (sort, slots) for number, ((sort, _), slots) in enumerate(found.items())}

    def table_size(self, mention: Mention) -> int:
        """Entries in the table of a row."""
        size = 1
        for sort, _ in mention.keys:
            size *= self.sizes[sort]
        return size

    def table_index(self, mention: Mention) -> int:
        """Entry of a cell in the table of its row."""
        index = 0
        for sort, ordinal in mention.keys:
            index = index * self.sizes[sort] + ordinal
        return index

    # Frame

    def words(self) -> list[str]:
        """Operands with the words of the state."""
        return [f"%word{number}" for number in range(self.packing.layout.words)]

    def function(self, head: str, emitter: Emitter) -> str:
        """A whole function."""
        loads = [
            f"  %word{n}.at = getelementptr i64, ptr %state, i64 {n}\n  %word{n} = load i64, ptr %word{n}.at"
            for n in range(self.packing.layout.words)
        ]
        return "\n".join([f"define {head} nounwind {{", *loads, *emitter.lines, "}\n"])


def at(emitter: Emitter, array: str, index: str) -> str:
    """Address of a word in an array."""
    return emitter.let(f"getelementptr i64, ptr {array}, i64 {index}")


def mixed(emitter: Emitter, word: str, salt: str) -> str:
    """A word stirred; equal words with equal salts give equal results, others almost never."""
    salted = emitter.let(f"xor i64 {word}, {salt}")
    product = emitter.let(f"mul i64 {salted}, {_MULTIPLIER}")
    return emitter.let(f"xor i64 {product}, {emitter.let(f'lshr i64 {product}, 29')}")


def fetched(emitter: Emitter, table: str, index: str, bits: int) -> str:
    """Some bits of ``%state`` at the place that a table tells."""
    place = emitter.let(f"load i64, ptr {at(emitter, table, index)}")
    address = at(emitter, "%state", emitter.let(f"lshr i64 {place}, {WORD_BITS.bit_length() - 1}"))
    word = emitter.let(f"load i64, ptr {address}")
    shifted = emitter.let(f"lshr i64 {word}, {emitter.let(f'and i64 {place}, {WORD_BITS - 1}')}")
    return emitter.let(f"and i64 {shifted}, {constant((1 << bits) - 1)}")
