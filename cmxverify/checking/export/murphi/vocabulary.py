"""Types and variables of an exported model: cells of one field in one place pattern become one array."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import prod

from cmxverify.checking.export.murphi.names import Names, identifier
from cmxverify.checking.export.murphi.natures import Labelled, Nature, Natures, OfSort
from cmxverify.errors import InputError
from cmxverify.modeling.ir.system import Atom, Cell, System

PLAINLY = "Cross-check it without symmetry."


@dataclass(frozen=True, slots=True)
class Subscript:
    """One subscript of a cell's place: a value of a symmetric type, or (``sort`` empty) a literal."""

    sort: str
    ordinal: int
    text: str


@dataclass(frozen=True, slots=True)
class Variable:
    """A state variable: its name, types of its subscripts, type and nature of its elements."""

    name: str
    index_types: tuple[str, ...]
    element_type: str
    nature: Nature
    optional: bool
    """Whether an element may be none, which Murphi calls undefined."""

    @property
    def type_text(self) -> str:
        """As declared: ``array [node] of boolean``."""
        return "".join(f"array [{each}] of " for each in self.index_types) + self.element_type


@dataclass(frozen=True, slots=True)
class Place:
    """Where a cell lies."""

    variable: Variable
    subscripts: tuple[Subscript, ...]


@dataclass(slots=True)
class Vocabulary:
    """Everything with a name."""

    system: System
    symmetric: bool
    names: Names = field(default_factory=Names)
    type_lines: list[str] = field(default_factory=list)
    variables: list[Variable] = field(default_factory=list)
    places: dict[int, Place] = field(default_factory=dict)
    sorts: dict[str, int] = field(default_factory=dict)
    """Symmetric types that can be said as such, and their sizes."""
    sort_types: dict[str, str] = field(default_factory=dict)
    enum_members: dict[Labelled, tuple[str, ...]] = field(default_factory=dict)
    natures: Natures = field(init=False)
    _enum_types: dict[Labelled, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.natures = Natures(self.system)
        self.sorts = {sort: size for sort, size in self.system.sorts.items() if self._is_kept(sort)}
        if self.symmetric and len(self.sorts) < len(self.system.sorts):
            raise InputError("values of a symmetric type are computed with as numbers", fix=PLAINLY)
        for sort, size in self.sorts.items():
            self.sort_types[sort] = self.names.fresh(sort, or_else=f"{sort}_type")
            for bound in range(1, 9):  # the names of quantified variables
                self.names.fresh(f"{sort}_{bound}")
            domain = f"scalarset({size})" if self.symmetric else f"0 .. {size - 1}"
            self.type_lines.append(f"{self.sort_types[sort]}: {domain};")
        for cells in _alike(self.system.cells, self.natures):
            self._declare(cells)

    def constant(self, value: int, nature: Nature) -> str:
        """Text of a number that stands for an enum member or itself."""
        if isinstance(nature, Labelled):
            return self.enum_members[nature][value - nature.low]
        return str(value)

    def _is_kept(self, sort: str) -> bool:
        cells = [cell.index for cell in self.system.cells if cell.sort == sort]
        return all(isinstance(self.natures.of_cell(index), OfSort) for index in cells)

    def _declare(self, cells: Sequence[Cell]) -> None:
        """One array for cells that differ in subscripts only; where subscripts are missing, a variable each."""
        keys = [[atom for atom in cell.place if _is_subscript(atom, cell)] for cell in cells]
        domains = [tuple(dict.fromkeys(column)) for column in zip(*keys, strict=True)]
        if prod(map(len, domains)) != len(cells) or not self._complete(domains):
            for cell in cells:
                self._add([cell], cell.name, [()], ())
            return
        steps = [atom.name for atom in cells[0].place if not _is_subscript(atom, cells[0])]
        columns = [self._subscripts(domain) for domain in domains]
        found = [tuple(column[1][atom] for column, atom in zip(columns, key, strict=True)) for key in keys]
        self._add(cells, "_".join([cells[0].field, *steps]), found, tuple(column[0] for column in columns))

    def _complete(self, domains: Sequence[tuple[Atom, ...]]) -> bool:
        sizes = self.sorts
        return all(each[0].sort not in sizes or len(each) == sizes[each[0].sort] for each in domains)

    def _subscripts(self, domain: tuple[Atom, ...]) -> tuple[str, dict[Atom, Subscript]]:
        """Type of a subscript, and how each key is written."""
        if domain[0].sort in self.sort_types:
            written = {atom: Subscript(atom.sort, atom.ordinal, str(atom.ordinal)) for atom in domain}
            return self.sort_types[domain[0].sort], written
        numbers = [int(atom.name) if atom.name.lstrip("-").isdigit() else None for atom in domain]
        low = numbers[0] if numbers[0] is not None else 0
        if numbers != [low + at for at in range(len(domain))]:
            low = 0
        written = {atom: Subscript("", low + at, str(low + at)) for at, atom in enumerate(domain)}
        return f"{low} .. {low + len(domain) - 1}", written

    def _add(
        self,
        cells: Sequence[Cell],
        wanted: str,
        subscripts: Sequence[tuple[Subscript, ...]],
        index_types: tuple[str, ...],
    ) -> None:
        nature = self.natures.of_cell(cells[0].index)
        name = self.names.fresh(wanted)
        optional = isinstance(nature, OfSort) and cells[0].low < 0
        made = Variable(name, index_types, self._element_type(cells[0], nature, name), nature, optional)
        self.variables.append(made)
        for cell, each in zip(cells, subscripts, strict=True):
            self.places[cell.index] = Place(made, each)

    def _element_type(self, cell: Cell, nature: Nature, variable: str) -> str:
        if isinstance(nature, OfSort):
            return self.sort_types[nature.sort]
        if isinstance(nature, Labelled):
            return self._enum_type(nature, variable)
        return "boolean" if cell.is_bool else f"{cell.low} .. {cell.high}"

    def _enum_type(self, nature: Labelled, variable: str) -> str:
        if nature not in self._enum_types:
            name = self.names.fresh(f"{variable}_type")
            members = tuple(
                self.names.fresh(label, or_else=f"{identifier(label)}_{variable}") for label in nature.labels
            )
            self._enum_types[nature], self.enum_members[nature] = name, members
            self.type_lines.append(f"{name}: enum {{ {', '.join(members)} }};")
        return self._enum_types[nature]


def _alike(cells: Sequence[Cell], natures: Natures) -> list[list[Cell]]:
    groups: dict[tuple[object, ...], list[Cell]] = {}
    for cell in cells:
        pattern = tuple(("[]", atom.sort) if _is_subscript(atom, cell) else atom.name for atom in cell.place)
        key = (cell.field, pattern, cell.codes, cell.low, cell.is_bool, natures.of_cell(cell.index))
        groups.setdefault(key, []).append(cell)
    return list(groups.values())


def _is_subscript(atom: Atom, cell: Cell) -> bool:
    """Whether a step of a place is a key, an element or a slot, rather than a field of a record."""
    return bool(atom.sort) or f"[{atom.name}]" in cell.name or atom.name == f"#{atom.ordinal}"
