"""Fixtures for tests that read files: an empty working folder, and topologies loaded from a text."""

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

from cmxverify.errors import InputError
from cmxverify.topology.load import load_topology
from cmxverify.topology.model import Topology

os.environ.pop("COLUMNS", None)  # readline, which pytest loads, tells workers the width of a terminal
settings.register_profile(
    "unhurried", deadline=None
)  # times on a shared machine say nothing about one example
settings.load_profile("unhurried")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working folder, so that messages name files without a path."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def load(folder: Path) -> Callable[..., Topology]:
    """Load a topology from a text, as ``rack.yaml``; further files by name: ``base_yaml="..."``."""

    def load_text(
        text: str, *, overrides: tuple[str, ...] = (), only: tuple[str, ...] = (), **files: str
    ) -> Topology:
        (folder / "rack.yaml").write_text(text, encoding="utf-8")
        for name, content in files.items():
            (folder / name.replace("_yaml", ".yaml")).write_text(content, encoding="utf-8")
        return load_topology("rack.yaml", overrides=overrides, only=only)

    return load_text


@pytest.fixture
def refusal(load: Callable[..., Topology]) -> Callable[..., str]:
    """The whole message with which a topology is refused."""

    def message(text: str, **options: object) -> str:
        with pytest.raises(InputError) as caught:
            load(text, **options)
        return str(caught.value)

    return message
