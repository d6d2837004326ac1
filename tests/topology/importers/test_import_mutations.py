"""Every reader, fed with damaged fixtures, gives a structure or one InputError; nothing else."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from cmxverify.errors import InputError
from cmxverify.topology.importers.draft import draft_topology
from cmxverify.topology.importers.formats import READERS, Format, detect_format, read_structure
from cmxverify.topology.importers.overlay import Overlay, read_overlay
from cmxverify.topology.importers.source import SourceText
from cmxverify.topology.importers.structure import Structure
from cmxverify.topology.importers.write import write_topology
from cmxverify.yaml_tree import parse_yaml

FIXTURES = Path(__file__).parents[2] / "fixtures" / "importers"
TEXTS = {path.name: path.read_text() for path in sorted(FIXTURES.glob("*.*")) if "overlay" not in path.name}

WORDS = ["-1", "1e9", "null", "[]", "{}", '""', "[0-99999999]", "0", "x" * 300, "é", "true", "<a>", "&b;", "\t", ","]


@st.composite
def damaged(draw: st.DrawFn, text: str) -> str:
    """The text with up to four changes: characters, lines dropped, doubled or swapped, truncation."""
    for _ in range(draw(st.integers(1, 4))):
        lines = text.splitlines(keepends=True) or [""]
        index = draw(st.integers(0, len(lines) - 1))
        place = draw(st.integers(0, max(len(text) - 1, 0)))
        match draw(st.sampled_from(["character", "drop", "double", "swap", "cut", "word"])):
            case "character":
                text = text[:place] + draw(st.characters(codec="utf-8")) + text[place + 1 :]
            case "drop":
                text = "".join(lines[:index] + lines[index + 1 :])
            case "double":
                text = "".join([*lines[: index + 1], *lines[index:]])
            case "swap":
                other = draw(st.integers(0, len(lines) - 1))
                lines[index], lines[other] = lines[other], lines[index]
                text = "".join(lines)
            case "cut":
                text = text[:place]
            case _:
                word = draw(st.sampled_from(WORDS))
                text = text[:place] + word + text[place:]
    return text


def _outcome(reader: Format, source: SourceText) -> Structure | InputError:
    try:
        return READERS[reader](source)
    except InputError as error:
        return error


@pytest.mark.parametrize("name", TEXTS)
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_damaged_files_end_in_a_structure_or_one_error(name: str, data: st.DataObject) -> None:
    """The format's own reader, and detection, survive; an error says where and how to fix it."""
    own = detect_format(SourceText(name, TEXTS[name]))
    source = SourceText(name, data.draw(damaged(TEXTS[name])))
    found = _outcome(own, source)
    if isinstance(found, InputError):
        assert found.at is not None
        assert found.at.file == name
        assert found.fix
    with suppress(InputError):
        detect_format(source)


@pytest.mark.parametrize("reader", list(Format))
@pytest.mark.parametrize("name", TEXTS)
def test_each_reader_refuses_the_other_formats_in_words(name: str, reader: Format) -> None:
    """--format with the wrong word never ends in a traceback."""
    assert isinstance(_outcome(reader, SourceText(name, TEXTS[name])), Structure | InputError)


@pytest.mark.parametrize("name", TEXTS)
@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_whatever_was_read_can_be_written(name: str, data: st.DataObject) -> None:
    """A structure from a damaged file is written as YAML that parses again."""
    own = detect_format(SourceText(name, TEXTS[name]))
    found = _outcome(own, SourceText(name, data.draw(damaged(TEXTS[name]))))
    if isinstance(found, Structure):
        parse_yaml(write_topology(draft_topology(found, Overlay())), name)


@settings(max_examples=60, deadline=None)
@given(name=st.sampled_from(sorted(TEXTS)), place=st.integers(0, 5000), damage=st.binary(min_size=1, max_size=4))
def test_flipped_bytes_end_in_a_structure_or_one_error(
    name: str, place: int, damage: bytes, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Bytes that are not UTF-8 are caught before any reader."""
    content = TEXTS[name].encode()
    path = tmp_path_factory.mktemp("bytes") / name
    path.write_bytes(content[: place % len(content)] + damage + content[place % len(content) + len(damage) :])
    with suppress(InputError):
        assert isinstance(read_structure([path]), Structure)


OVERLAY = (FIXTURES / "ethernet-overlay.yaml").read_text()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_damaged_overlays_end_in_a_topology_or_one_error(
    data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Whatever an overlay holds, a topology that parses comes out, or one error with its place."""
    path = tmp_path_factory.mktemp("overlay") / "overlay.yaml"
    path.write_text(data.draw(damaged(OVERLAY)), encoding="utf-8", errors="replace")
    structure = READERS[Format.CSV](SourceText("cables.csv", TEXTS["cables.csv"]))
    try:
        text = write_topology(draft_topology(structure, read_overlay(path)), path.parent)
    except InputError as error:
        assert error.at is not None  # noqa: PT017
        return
    parse_yaml(text, "written")
