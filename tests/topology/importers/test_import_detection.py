"""Detection judges content; what cannot be read is one message."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cmxverify.errors import InputError
from cmxverify.topology.importers.formats import Format, read_structure

FILES = {
    "fabric.ibnet": Format.IBNETDISCOVER,
    "fabric-ports.ibnet": Format.IBNETDISCOVER,
    "machine-nccl.xml": Format.NCCL,
    "machine-hwloc.xml": Format.HWLOC,
    "model-topograph.yaml": Format.TOPOGRAPH,
    "model-topograph-old.yaml": Format.TOPOGRAPH,
    "topology.conf": Format.SLURM,
    "blocks.conf": Format.SLURM,
    "graph-links.json": Format.NODE_LINK,
    "graph-edges.json": Format.NODE_LINK,
    "graph.graphml": Format.GRAPHML,
    "lldp-json0.json": Format.LLDP,
    "netq.json": Format.NETQ,
    "cables.csv": Format.CSV,
    "cables-devices.csv": Format.CSV,
}


@pytest.mark.parametrize("name", FILES)
def test_format_is_detected_without_the_suffix(fixture: Callable[..., Path], tmp_path: Path, name: str) -> None:
    """The same content under another suffix is read as the same format."""
    copy = tmp_path / "input.dat"
    shutil.copy(fixture(name), copy)
    assert read_structure([copy]).format == FILES[name].value


@pytest.mark.parametrize(
    ("content", "what"),
    [
        (b"", "file is empty"),
        (b"  \n\n", "file is empty"),
        (b"\xff\xfe\x00", "not UTF-8"),
        (b"a\0b", "binary file"),
        (b"hello world\n", "format not recognised"),
        (b"<html></html>", "XML with root <html>"),
        (b'{"a": 1}', "JSON of an unknown shape"),
        (b'{"nodes": [', "not valid JSON"),
        (b"[" * 100_000, "nested too deeply|format not recognised"),
        (b'[{"lldp": ' + b"[" * 100_000, "nested too deeply"),
        (b"<system><cpu>", "not well-formed XML"),
    ],
)
def test_unreadable_content_is_one_error(tmp_path: Path, content: bytes, what: str) -> None:
    """Nothing but an InputError comes out, with the file's name."""
    path = tmp_path / "bad.dat"
    path.write_bytes(content)
    with pytest.raises(InputError, match=what) as caught:
        read_structure([path])
    assert caught.value.at.file == str(path)


def test_missing_file_and_empty_folder(tmp_path: Path) -> None:
    """Paths that lead nowhere are named."""
    with pytest.raises(InputError, match="no such file"):
        read_structure([tmp_path / "none"])
    with pytest.raises(InputError, match="folder holds no files"):
        read_structure([tmp_path])


def test_unknown_format_word_names_the_nearest(fixture: Callable[..., Path]) -> None:
    """--format with a typing error."""
    with pytest.raises(InputError) as caught:
        read_structure([fixture("cables.csv")], format_name="ldp")
    assert caught.value.fix == "Did you mean 'lldp'?"


def test_yaml_alias_bomb_is_refused(read_text: Callable[..., Any]) -> None:
    """Aliases that explode end in one message."""
    levels = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9))
    with pytest.raises(InputError, match="more than"):
        read_text(f"a0: &a0 [x]\n{levels}\nswitches: *a8\n")
