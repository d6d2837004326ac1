from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cmxverify.cli import init
from cmxverify.errors import InputError
from cmxverify.topology.load import load_topology, shipped_topologies
from cmxverify.topology.model import Topology
from cmxverify.topology.schema import TopologyFile


def _run(*arguments: str) -> str:
    app = typer.Typer()
    app.callback()(lambda: None)
    init.register(app)
    return CliRunner().invoke(app, ["init", *arguments], catch_exceptions=False).stdout


def test_the_starter_loads(folder: Path) -> None:
    """What init writes is a valid cluster with GPUs, shared flash and a workload."""
    assert _run() == "wrote topology.yaml; next: cmxverify show topology.yaml\n"
    topology = load_topology("topology.yaml")

    assert len(topology.places) == 8 + 2 + 2
    assert topology.workload is not None
    assert [entry.full_name for entry in topology.workload.sets] == ["acme/chat", "globex/docs"]


def test_the_starter_mentions_every_top_level_key() -> None:
    """A key that is added to the schema must be explained here too."""
    lines = init.starter_text().splitlines()

    for key in TopologyFile.known_keys():
        assert any(line.startswith((f"{key}:", f"# {key}:")) for line in lines), key


def test_the_starter_stays_short() -> None:
    """About sixty lines, none too wide for an editor beside a terminal."""
    lines = init.starter_text().splitlines()

    assert len(lines) <= 65
    assert max(map(len, lines)) <= 120


def test_init_never_overwrites(folder: Path) -> None:
    """A second run refuses and leaves the file alone."""
    (folder / "topology.yaml").write_text("mine", encoding="utf-8")

    with pytest.raises(InputError, match="file exists already"):
        _run()
    assert (folder / "topology.yaml").read_text(encoding="utf-8") == "mine"


@pytest.mark.parametrize("name", shipped_topologies())
def test_copies_of_shipped_topologies_say_the_same(name: str, folder: Path) -> None:
    """A copy brings the files that it refers to: nodes, links and working sets are all there."""
    (folder / "new").mkdir()
    _run("--from", name, "-o", "new/copy.yaml")

    copy, shipped = load_topology("new/copy.yaml"), load_topology(name)
    assert (copy.nodes.keys(), cables_of(copy), sets_of(copy)) == (
        shipped.nodes.keys(),
        cables_of(shipped),
        sets_of(shipped),
    )


@pytest.mark.parametrize(
    "output", ["new/copy.yaml", "new/cmx-pod.yaml", "new/cmx-rack.yaml", "new/workloads-cmx-pod.yaml"]
)
def test_copies_stay_in_the_folder_of_the_output(output: str, folder: Path) -> None:
    """cmx-pod names a workload in another folder; its copy lies beside the output, under a name that is free."""
    (folder / "new").mkdir()
    _run("--from", "cmx-pod", "-o", output)

    assert sorted(folder.iterdir()) == [folder / "new"]
    assert len(list((folder / "new").iterdir())) == 3
    assert sets_of(load_topology(output)) == sets_of(load_topology("cmx-pod"))


def test_a_local_file_of_a_shipped_name_is_not_copied(folder: Path) -> None:
    """--from means the shipped one."""
    (folder / "hbm-g2").write_text("cmxverify: 1", encoding="utf-8")
    _run("--from", "hbm-g2", "-o", "copy.yaml")

    assert load_topology("copy.yaml").name == "hbm-g2"


def cables_of(topology: Topology) -> list[tuple[object, ...]]:
    """Ends, rate and number of every link."""
    return [(link.a, link.b, link.rate, link.latency, link.count) for link in topology.links]


def sets_of(topology: Topology) -> list[str]:
    """Names of the working sets."""
    assert topology.workload is not None
    return [entry.full_name for entry in topology.workload.sets]


def test_unknown_shipped_name_suggests_one(folder: Path) -> None:
    """A typo is answered with the nearest name, and nothing is written."""
    with pytest.raises(InputError) as caught:
        _run("--from", "hbm-onyl")

    assert caught.value.fix == "Did you mean 'hbm-only'?"
    assert not list(folder.iterdir())
