from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
import typer
from jsonschema import Draft202012Validator
from typer.testing import CliRunner

from cmxverify.cli import schema
from cmxverify.cli.init import starter_text
from cmxverify.errors import InputError
from cmxverify.report.schema_page import topology_page
from cmxverify.topology.load import find_topology, load_topology, shipped_topologies
from cmxverify.topology.schema import topology_json_schema
from cmxverify.yaml_tree import parse_yaml

BASE = "cmxverify: 1\nname: t\nnodes: {gpu: rubin, host: {is: vera-x2, kv: 1 TB}}\nlinks: {gpu -- host: 450 GB/s}\n"
SET = "workload: {a/b: {model: llama-3.1-8b, runs_on: gpu, sessions: 1k, context: 1Ki, new_tokens: 9, turns: %s}}\n"

ACCEPTED = {
    "shorthand": BASE,
    "link details": BASE.replace("450 GB/s", "{rate: 450 GB/s, latency: 0 s, count: 2, pairwise: true}"),
    "no limit": BASE + "hops: {metric: links}\nplan_to: 62.5 %\n",
    "budgets": BASE + "power: {a: {of: gpu, budget: 2 kW}, b: {each: gpu, budget: '1,500 W'}}\n",
    "prices": BASE + "prices: {rubin: 3.50 USD/h, energy: 0.09 USD/kWh, life: 4 years}\n",
    "tenants": BASE + "tenants: {a: {isolation: namespace}, b: {}}\n",
    "one band": BASE + SET % "{every: 20 min}",
    "bands": BASE + SET % "{hot: {share: 4%, every: 60 s}, cold: {share: 96%, every: 0.5 h}}",
    "trace": BASE + SET % "{from: trace.jsonl, bands: 3}",
    "sticky": BASE + (SET % "{every: 1 h}").replace("turns", "sticky: 60%, turns"),
    "bytes": BASE
    + "workload: {a/b: {bytes: 1 TB, read: 0 B/s, write: 1 GB/s, runs_on: gpu, tiers: [G2, G3.5]}}\n",
    "defaults": BASE
    + "workload: {defaults: {restore: 200 ms}, a/b: {bytes: 1 TB, read: 1 B/s, write: 1 B/s, runs_on: gpu}}\n",
    "starter": starter_text(),
}

REFUSED = {
    "unknown key": BASE + "hop: {metric: links}\n",
    "unknown key of a node": BASE.replace("kv: 1 TB", "kvv: 1 TB"),
    "no metric": BASE + "hops: {max: 2}\n",
    "no unit": BASE.replace("450 GB/s", "450"),
    "wrong unit": BASE.replace("kv: 1 TB", "kv: 1 TB/s"),
    "no version": BASE.replace("cmxverify: 1\n", ""),
    "version as a text": BASE.replace("cmxverify: 1", 'cmxverify: "1"'),
    "version as a truth value": BASE.replace("cmxverify: 1", "cmxverify: true"),
    "a word for true": BASE.replace("450 GB/s", "{rate: 450 GB/s, pairwise: yes}"),
    "wrong tier": BASE.replace("kv: 1 TB", "tier: G7"),
    "software as a number": BASE + "software: {dynamo: 1.6}\n",
    "wrong choice": BASE + (SET % "{every: 1 h}").replace("turns", "if_no_room: wait, turns"),
}

HOPS_ARE_DEFINED_IN = ("specs/placement.md", "docs/reference/glossary.md")


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    found = topology_json_schema()
    Draft202012Validator.check_schema(found)
    return Draft202012Validator(found)


def _plain(text: str) -> Any:
    return parse_yaml(text, "t.yaml").plain()


def _run(*arguments: str) -> str:
    app = typer.Typer()
    app.callback()(lambda: None)
    schema.register(app)
    return CliRunner().invoke(app, ["schema", *arguments], catch_exceptions=False).stdout


@pytest.mark.parametrize("name", shipped_topologies())
def test_shipped_topologies_fit_the_schema(name: str, validator: Draft202012Validator) -> None:
    """Editors show no error in what we ship."""
    text = find_topology(name).read_text(encoding="utf-8")

    assert [error.message for error in validator.iter_errors(_plain(text))] == []


@pytest.mark.parametrize("text", ACCEPTED.values(), ids=ACCEPTED)
def test_what_loads_fits_the_schema(text: str, validator: Draft202012Validator, folder: Path) -> None:
    """The schema refuses nothing that the loader takes."""
    (folder / "t.yaml").write_text(text, encoding="utf-8")

    load_topology("t.yaml")
    assert [error.message for error in validator.iter_errors(_plain(text))] == []


@pytest.mark.parametrize("text", REFUSED.values(), ids=REFUSED)
def test_common_mistakes_are_seen_by_both(text: str, validator: Draft202012Validator, folder: Path) -> None:
    """An editor marks what the loader would refuse."""
    (folder / "t.yaml").write_text(text, encoding="utf-8")

    with pytest.raises(InputError):
        load_topology("t.yaml")
    assert not validator.is_valid(_plain(text))


def test_schema_prints_json(folder: Path) -> None:
    """The output is the schema itself; with -o it goes to a file."""
    assert json.loads(_run()) == topology_json_schema()
    assert _run("-o", "s.json").startswith("wrote s.json; first line of a topology: # yaml-language-server")
    assert json.loads((folder / "s.json").read_text(encoding="utf-8")) == topology_json_schema()


def test_every_key_is_described() -> None:
    """Editors show a sentence for each key."""
    found = topology_json_schema()
    tables = {"TopologyFile": found, **found["$defs"]}
    silent = [
        f"{name}.{key}"
        for name, table in tables.items()
        for key, part in table.get("properties", {}).items()
        if "description" not in part
    ]

    assert silent == []


def test_the_page_lists_every_key() -> None:
    """The reference page has one row for each key of the schema, none empty."""
    page = topology_page()
    found = topology_json_schema()
    tables = [found, *found["$defs"].values()]
    keys = {key for table in tables for key in table.get("properties", {})}

    assert [key for key in sorted(keys) if f"| `{key}` |" not in page] == []
    assert "|  | " not in page.replace("|  |\n", "")


def test_markdown_prints_the_page() -> None:
    """`--markdown` is the page that the documentation shows."""
    assert _run("--markdown") == topology_page()


def test_defaults_stand_in_their_own_column() -> None:
    """No row says 'none' beside words about a default, which the column of defaults holds instead."""
    rows = [line for line in topology_page().splitlines() if line.startswith("| `")]

    assert [row for row in rows if "by default " in row.replace("files written by default", "")] == []
    assert "| `plan_to` | percentage | `80%` |" in topology_page()
    assert "| `latency` | time | 0 | Of one cable." in topology_page()


def test_every_default_fits_the_schema(validator: Draft202012Validator) -> None:
    """What an editor fills in as the default of a key is accepted there."""
    found = topology_json_schema()
    parts = [part for table in (found, *found["$defs"].values()) for part in table["properties"].values()]
    stated = [part for part in parts if "default" in part]

    assert len(stated) > 20
    assert [part for part in stated if list(validator.evolve(schema=part).iter_errors(part["default"]))] == []


def test_hops_are_explained_alike_everywhere() -> None:
    """Schema, specification and glossary give one definition of the metric 'links'."""
    root = Path(__file__).parents[2]
    texts = [topology_page(), *((root / name).read_text(encoding="utf-8") for name in HOPS_ARE_DEFINED_IN)]

    assert all("cables that leave a box or touch a switch" in " ".join(text.split()) for text in texts)
