from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator
from sample_texts import FLAT, POD, RACK, SMALL

from cmxverify.topology.files import shipped_topologies
from cmxverify.topology.load import find_topology
from cmxverify.topology.schema import topology_json_schema
from cmxverify.yaml_tree import parse_yaml, read_text


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema = topology_json_schema()
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


def errors(validator: Draft202012Validator, value: Any) -> list[str]:
    return [error.message for error in validator.iter_errors(value)]


@pytest.mark.parametrize("text", [SMALL, RACK, POD, FLAT], ids=["small", "rack", "pod", "flat"])
def test_valid_files_satisfy_the_json_schema(validator: Draft202012Validator, text: str) -> None:
    """An editor marks nothing in a file that loads."""
    assert errors(validator, parse_yaml(text, "f.yaml").plain()) == []


@pytest.mark.parametrize("name", shipped_topologies())
def test_shipped_topologies_satisfy_the_json_schema(validator: Draft202012Validator, name: str) -> None:
    """The files people start from are clean in an editor."""
    assert errors(validator, parse_yaml(read_text(Path(find_topology(name))), name).plain()) == []


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("cmxverify: 1", "cmxverify: 2"),
        ("name: small", "name: a b"),
        ("plan_to: 80%", "plan_too: 80%"),
        ("plan_to: 80%", "plan_to: 80"),
        ("metric: switches", "metric: hops"),
        ('dynamo: "1.6"', "dynamo: 1.6"),
        ("kv: 1 TB", "kv: 1 Tb"),
        ("rate: 400 Gb/s", "rate: 400 Gbps"),
        ("budget: 2 kW", "budget: 2 KW"),
        ("tier: G3.5", "tier: G5"),
        ("sessions: 60k", "sessions: 60K"),
        ("bytes: 5 TB", "byte: 5 TB"),
    ],
)
def test_what_is_refused_is_marked_by_the_json_schema(validator: Draft202012Validator, old: str, new: str) -> None:
    """Unknown keys, wrong units and wrong words are seen while typing."""
    assert old in SMALL
    assert errors(validator, parse_yaml(SMALL.replace(old, new), "f.yaml").plain())


def test_every_key_is_described_for_editors() -> None:
    """Each key of the file and of a working set says in an editor what it is for."""
    schema = topology_json_schema()
    keys = {**schema["properties"], **schema["$defs"]["SetSpec"]["properties"]}
    assert [key for key, spec in keys.items() if not spec.get("description")] == []


def test_only_version_and_name_are_required() -> None:
    """A file of templates, for others to include, needs no more."""
    assert topology_json_schema()["required"] == ["cmxverify", "name"]
