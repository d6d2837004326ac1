"""Pages: what is generated is complete, and commands on pages exist with their options."""

from __future__ import annotations

import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from docs_tree import PAGES, ROOT, module

from cmxverify.catalog.devices import device_names
from cmxverify.catalog.models import model_entries
from cmxverify.cli.main import COMMANDS
from cmxverify.topology.schema import topology_json_schema

NAMES = [name.rstrip("_") for name in COMMANDS]
INVOCATION = re.compile(r"(?:^|[`$ ])cmxverify (\w+)((?: [^`\n#&|]+)?)", flags=re.MULTILINE)


@cache
def help_of(command: str) -> str:
    """What ``--help`` of a command prints."""
    arguments = [sys.executable, "-m", "cmxverify.cli.main", command, "--help"]
    return subprocess.run(arguments, capture_output=True, text=True, check=True).stdout


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_commands_on_pages_exist(page: Path) -> None:
    """Each ``cmxverify COMMAND --option`` on a page is a command with that option."""
    for command, rest in INVOCATION.findall(page.read_text(encoding="utf-8")):
        if command in NAMES:
            unknown = [option for option in re.findall(r"--[a-z-]+", rest) if option not in help_of(command)]
            assert unknown == [], f"cmxverify {command}{rest}"


def test_the_page_of_commands_has_every_command() -> None:
    """Every command has its section on the generated page."""
    text = module("building", "commands_page").commands_page()
    assert re.findall(r"^## (\S+)$", text, flags=re.MULTILINE) == NAMES


def test_the_page_of_the_catalog_has_every_entry() -> None:
    """Every device has its section, every model its row."""
    text = module("building", "catalog_page").catalog_page()
    assert re.findall(r"^### (\S+)$", text, flags=re.MULTILINE) == list(device_names())
    models = re.findall(r"^\| `(\S+?)` \| \w.* \[\d+\] \|$", text, flags=re.MULTILINE)
    assert models == [entry.name for entry in model_entries()]


def test_the_page_of_topologies_has_every_key() -> None:
    """Every key of a topology file is on the generated page."""
    from cmxverify.report.schema_page import topology_page

    text = topology_page()
    assert [key for key in topology_json_schema()["properties"] if f"| `{key}` |" not in text] == []
