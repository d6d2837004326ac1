"""Which format a file has, judged by its content, and the reader for it."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Sequence
from enum import Enum
from pathlib import Path
from typing import Any

from cmxverify.errors import InputError, did_you_mean
from cmxverify.topology.importers import cable_list, ibnetdiscover, slurm, topograph
from cmxverify.topology.importers.graph_files import read_graphml, read_node_link
from cmxverify.topology.importers.hwloc import read_hwloc
from cmxverify.topology.importers.lldp import read_lldp
from cmxverify.topology.importers.nccl import read_nccl
from cmxverify.topology.importers.netq import read_netq
from cmxverify.topology.importers.source import SourceText, list_files, read_json, read_source
from cmxverify.topology.importers.structure import Structure


class Format(Enum):
    """Formats that ``import`` reads; the value is the word for ``--format``."""

    IBNETDISCOVER = "ibnetdiscover"
    NCCL = "nccl"
    HWLOC = "hwloc"
    TOPOGRAPH = "topograph"
    SLURM = "slurm"
    NODE_LINK = "node-link"
    GRAPHML = "graphml"
    LLDP = "lldp"
    NETQ = "netq"
    CSV = "csv"


READERS: dict[Format, Callable[[SourceText], Structure]] = {
    Format.IBNETDISCOVER: ibnetdiscover.read_ibnetdiscover,
    Format.NCCL: read_nccl,
    Format.HWLOC: read_hwloc,
    Format.TOPOGRAPH: topograph.read_topograph,
    Format.SLURM: slurm.read_slurm,
    Format.NODE_LINK: read_node_link,
    Format.GRAPHML: read_graphml,
    Format.LLDP: lambda source: read_lldp([source]),
    Format.NETQ: read_netq,
    Format.CSV: cable_list.read_cable_list,
}
"""The reader of each format, for one file."""

_XML_ROOTS = {"system": Format.NCCL, "topology": Format.HWLOC, "graphml": Format.GRAPHML}
_XML_ROOT = re.compile(r"\s*<(?:[A-Za-z_][\w.\-]{0,99}:)?([A-Za-z_][\w.\-]{0,99})")
_XML_PROLOG = re.compile(r"\s*(?:<\?.*?\?>|<!--.*?-->|<!DOCTYPE[^\[>]*(?:\[.*?\]\s*)?>)", re.DOTALL)


def format_named(word: str) -> Format:
    """The format of a ``--format`` word.

    Raises:
        InputError: If there is none of that name.
    """
    try:
        return Format(word)
    except ValueError:
        raise InputError(f"unknown format '{word}'", fix=did_you_mean(word, [f.value for f in Format])) from None


def detect_format(source: SourceText) -> Format:
    """Judge the format by the content.

    Raises:
        InputError: If it fits none.
    """
    text = source.text.lstrip("\ufeff \t\r\n")
    if text.startswith("<"):
        return _detect_xml(text, source)
    if text.startswith(("{", "[{", "[ ", "[\n", "[\r")):
        return _detect_json(source)
    if ibnetdiscover.RECORD_LINE.search(text) or ibnetdiscover.PORTS_LINE.search(text):
        return Format.IBNETDISCOVER
    if slurm.ENTRY.search(text):
        return Format.SLURM
    if topograph.TOP_KEY.search(text):
        return Format.TOPOGRAPH
    if _looks_like_cables(source):
        return Format.CSV
    raise _unknown(source)


def _unknown(source: SourceText, found: str = "") -> InputError:
    known = ", ".join(f.value for f in Format)
    what = f"format not recognised{found}"
    return InputError(what, at=source.at(), fix=f"Known: {known}. Name one with --format if it is one of these.")


def _detect_xml(text: str, source: SourceText) -> Format:
    place = 0
    while prolog := _XML_PROLOG.match(text, place):
        place = prolog.end()
    root = _XML_ROOT.match(text, place)
    name = root.group(1) if root else ""
    if name not in _XML_ROOTS:
        raise _unknown(source, f": XML with root <{name}>" if name else "")
    return _XML_ROOTS[name]


def _detect_json(source: SourceText) -> Format:
    document = read_json(source)
    if _holds(document, "lldp", 3):
        return Format.LLDP
    first = document[0] if isinstance(document, list) and document else document
    if isinstance(first, dict):
        members = [m for key in ("links", "nodes") for m in _as_list(first.get(key)) if isinstance(m, dict)]
        if any("compounded_links" in m or "compounded_nodes" in m for m in members):
            return Format.NETQ
        if "nodes" in first and ("links" in first or "edges" in first):
            return Format.NODE_LINK
        if "switches" in first or "blocks" in first:
            return Format.TOPOGRAPH
    raise _unknown(source, ": JSON of an unknown shape")


def _as_list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _holds(document: Any, key: str, depth: int) -> bool:
    if isinstance(document, dict):
        return key in document or (depth > 0 and any(_holds(v, key, depth - 1) for v in document.values()))
    return isinstance(document, list) and depth > 0 and any(_holds(v, key, depth - 1) for v in document[:100])


def _looks_like_cables(source: SourceText) -> bool:
    first = next((line for line in source.lines() if line.strip() and not line.startswith("#")), "")
    delimiter = max(",;\t", key=first.count)
    try:
        header = next(iter(csv.reader([first[: cable_list.MAX_ROW]], delimiter=delimiter)), [])
    except csv.Error:
        return False
    return cable_list.read_header(header) is not None


def read_structure(paths: Sequence[Path], *, format_name: str | None = None) -> Structure:
    """Read one file, or the LLDP files of many devices (folders are read whole).

    Raises:
        InputError: If a file cannot be read, its format is unknown, or several files are not LLDP.
    """
    chosen = format_named(format_name) if format_name else None
    sources = [read_source(path) for path in list_files(paths)]
    formats = [chosen or detect_format(source) for source in sources]
    if len(sources) == 1:
        return READERS[formats[0]](sources[0])
    for source, found in zip(sources, formats, strict=True):
        if found is not Format.LLDP:
            fix = "Only LLDP files (one a device) are read together; import the others one by one."
            raise InputError(f"this is {found.value}, and {len(sources)} files are given", at=source.at(), fix=fix)
    return read_lldp(sources)
