from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cmxverify.cli import show
from cmxverify.errors import InputError

SMALL = "cmxverify: 1\nname: small\nnodes: {gpu: rubin}\n"


def _app() -> typer.Typer:
    app = typer.Typer()
    app.callback()(lambda: None)
    show.register(app)
    return app


def _run(*arguments: str) -> str:
    return CliRunner().invoke(_app(), ["show", *arguments], catch_exceptions=False).stdout


@pytest.fixture
def small(folder: Path) -> Path:
    path = folder / "small.yaml"
    path.write_text(SMALL, encoding="utf-8")
    return path


def test_show_prints_the_table_and_draws(small: Path) -> None:
    """Headline with the picture's name, one line a tier."""
    lines = _run("small.yaml").splitlines()

    assert lines[0] == "small   1 GPU; 1 KV place; picture small.svg"
    assert lines[2].split()[:5] == ["G1", "HBM", "1", "259.2", "GB"]
    assert (small.parent / "small.svg").read_text(encoding="utf-8").startswith("<?xml")


def test_set_changes_what_is_shown(small: Path) -> None:
    """`--set` reaches the table."""
    assert "100.0 GB" in _run("small.yaml", "--set", "nodes.gpu={is: rubin, kv: 100 GB}")


def test_png_by_suffix(small: Path) -> None:
    """The suffix chooses the format."""
    _run("small.yaml", "--picture", "x.png")

    assert (small.parent / "x.png").read_bytes().startswith(b"\x89PNG")


def test_json_draws_only_when_asked(small: Path) -> None:
    """Machines get one object and no surprise files."""
    found = json.loads(_run("small.yaml", "--json"))

    assert (found["gpus"], found["picture"], (small.parent / "small.svg").exists()) == (1, None, False)


def test_a_picture_of_ours_is_replaced(small: Path) -> None:
    """Running twice is fine."""
    assert _run("small.yaml") == _run("small.yaml")


def test_a_foreign_file_is_kept(small: Path) -> None:
    """The default name never overwrites what we did not draw."""
    (small.parent / "small.svg").write_text("<svg>mine</svg>", encoding="utf-8")

    with pytest.raises(InputError, match="was not drawn by cmxverify"):
        _run("small.yaml")
    assert (small.parent / "small.svg").read_text(encoding="utf-8") == "<svg>mine</svg>"
