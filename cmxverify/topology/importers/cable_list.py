"""A cable list as CSV: one row a cable (or a bundle), with a header whose words are the user's."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cache

from cmxverify.errors import InputError, Location
from cmxverify.topology.importers.attributes import (
    cable_figures,
    container_word,
    node_container,
    node_kind,
    node_model,
    normal,
)
from cmxverify.topology.importers.hostlists import expand_hostlist
from cmxverify.topology.importers.source import SourceText
from cmxverify.topology.importers.structure import MAX_CABLES, Kind, Structure, StructureBuilder

MAX_ROW = 100_000
_SIDES = {
    "a": ("a", "from", "source", "src", "local", "side_a", "a_side", "end_a", "a_end", "left", "1"),
    "b": ("b", "to", "target", "destination", "dst", "remote", "side_b", "b_side", "end_b", "b_end", "right", "2"),
}
_PARTS = {
    "device": ("device", "node", "host", "hostname", "name", "system", "switch", "termination"),
    "port": ("port", "interface", "if", "intf", "nic"),
    "kind": ("kind", "role", "device_role"),
    "device_type": ("device_type", "type"),
    "model": ("model", "device_model", "product", "sku", "hwsku", "part_number"),
    "container": ("rack", "container", "cabinet", "pod"),
}
_FIGURE = re.compile(r"(?:rate|speed|bandwidth|bw)(?:_(?:gbps|gb_s|mbps|tbps))?|count|(?:latency|delay)(?:_[nm]?u?s)?")
_COUNT_WORDS = {"quantity": "count", "number": "count", "cables": "count", "qty": "count"}


@dataclass(frozen=True, slots=True)
class _Column:
    side: str
    part: str


def read_cable_list(source: SourceText) -> Structure:
    """Read rows of two ends with optional ports, rate, count, latency, kind, model and rack of either end.

    An end may be a range (``tray[00-17]``), which is cabled to every name of the other end. A port that occurs
    twice is reported: most often a row that was copied.

    Raises:
        InputError: If the header names no two ends, or a row is malformed.
    """
    rows = list(_rows(source))
    if not rows:
        raise InputError("no rows", at=source.at(), fix="Write a header and one row a cable.")
    header_at, header = rows[0]
    columns = read_header(header)
    if columns is None:
        fix = "Name the two ends 'from' and 'to', or 'device_a' and 'device_b'."
        raise InputError(f"no two ends in the header '{','.join(header)[:80]}'", at=header_at, fix=fix)
    builder = StructureBuilder(source.name, "csv", box=container_word(re.split(r"[_\W]", " ".join(header).lower())))
    for index, column in enumerate(columns):
        if column is None and header[index].strip():
            builder.warn(f"{header_at}: column '{header[index].strip()}' is not used{_hint(header[index])}")
    used: Counter[tuple[str, str]] = Counter()
    for at, row in rows[1:]:
        if len(row) > len(header):
            raise InputError(f"{len(row)} fields, but the header has {len(header)}", at=at, fix="Quote commas.")
        _row(builder, columns, row, at, used)
    for (device, port), times in used.items():
        if times > 1:
            builder.warn(f"port {port} of '{device}' is in {times} rows")
    return builder.build()


def _hint(column: str) -> str:
    known = ("rate", "speed", "count", "latency", "port_a", "port_b", "rack_a", "rack_b")
    near = get_close_matches(normal(column), known, n=1, cutoff=0.75)
    return f"; did you mean '{near[0]}'?" if near else ""


def _rows(source: SourceText) -> Iterator[tuple[Location, list[str]]]:
    """Rows with their line; blank lines and lines that start with '#' are left out."""
    lines = source.lines()
    first = next((line for line in lines if line.strip() and not line.startswith("#")), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader((line if not line.startswith("#") else "" for line in lines), delimiter=delimiter, strict=True)
    while True:
        at = source.at(reader.line_num + 1)
        try:
            row = next(reader, None)
        except csv.Error as error:
            fix = "Check the quotes in this row."
            raise InputError(f"not valid CSV: {error}", at=at, fix=fix) from None
        if row is None:
            return
        if any(field.strip() for field in row):
            yield at, row


def read_header(header: Sequence[str]) -> list[_Column | None] | None:
    """What each column means; None if the two ends are not among them."""
    words = [normal(word) for word in header]
    columns = _repeated(words) or [_column(word) for word in words]
    sides = {column.side for column in columns if column and column.part == "device"}
    return columns if sides == {"a", "b"} else None


def _repeated(words: list[str]) -> list[_Column | None] | None:
    """``device,port,device,port``: the first of each is the one end, the second the other."""
    if words.count("device") != 2 and words.count("node") != 2:
        return None
    seen: Counter[str] = Counter()
    columns: list[_Column | None] = []
    for word in words:
        part = next((part for part, known in _PARTS.items() if word in known), "")
        plain = _column(word)
        if plain and not plain.side:
            columns.append(plain)
            continue
        seen[part] += 1
        columns.append(_Column("ab"[seen[part] - 1], part) if part and seen[part] <= 2 else None)
    return columns


def _column(word: str) -> _Column | None:
    plain = _COUNT_WORDS.get(word, word)
    if _FIGURE.fullmatch(plain):
        return _Column("", plain)
    if word in _PARTS["container"]:
        return _Column("", "container")
    return _end_columns().get(word)


@cache
def _end_columns() -> dict[str, _Column]:
    """Every spelling of a column about one end: ``from``, ``device_a``, ``a_port``, ``rackb``."""
    found: dict[str, _Column] = {}
    for side, names in _SIDES.items():
        for name in names:
            found[name] = _Column(side, "device")
            for part, known in _PARTS.items():
                for word in known:
                    for spelled in (f"{name}_{word}", f"{word}_{name}", f"{word}{name}"):
                        found.setdefault(spelled, _Column(side, part))
    return found


def _row(
    builder: StructureBuilder,
    columns: list[_Column | None],
    row: list[str],
    at: Location,
    used: Counter[tuple[str, str]],
) -> None:
    cells = {(c.side, c.part): value.strip() for c, value in zip(columns, row, strict=False) if c}
    figures = cable_figures({part: value for (side, part), value in cells.items() if not side}, at, builder)
    ends = [_end(builder, cells, side, at, used) for side in "ab"]
    if len(ends[0]) * len(ends[1]) > MAX_CABLES:
        raise InputError("the ranges of this row make too many cables", at=at, fix="Split the row.")
    for a in ends[0]:
        for b in ends[1]:
            builder.cable(a, b, figures.rate, at, count=figures.count, latency=figures.latency)


def _end(
    builder: StructureBuilder,
    cells: dict[tuple[str, str], str],
    side: str,
    at: Location,
    used: Counter[tuple[str, str]],
) -> list[str]:
    """Names of one end, added as nodes."""
    text, port = cells.get((side, "device"), ""), cells.get((side, "port"), "")
    if not port and text.count(":") == 1 and (side, "port") not in cells:
        text, _, port = text.partition(":")
    if not text:
        raise InputError(f"end {side.upper()} of this cable is empty", at=at, fix="Fill it in, or remove the row.")
    names = expand_hostlist(text, at) if "[" in text else [text]
    container = node_container({"container": cells.get((side, "container"), "") or cells.get(("", "container"), "")})
    said = {part: cells.get((side, part), "") for part in ("kind", "device_type", "model")}
    for name in names:
        kind = node_kind(name, said)
        shared = container if (side, "container") in cells or kind is not Kind.SWITCH else ()
        builder.node(name, kind, at, container=shared, model=node_model(said))
        if port:
            used[(name, port)] += 1
    return names
