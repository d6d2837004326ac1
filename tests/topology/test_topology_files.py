from collections.abc import Callable
from pathlib import Path

import pytest
from sample_texts import FLAT, flat

from cmxverify.errors import InputError
from cmxverify.topology.files import SourceFile, find_topology, shipped_topologies
from cmxverify.topology.load import load_topology
from cmxverify.topology.model import Topology

Load = Callable[..., Topology]
Refusal = Callable[..., str]
SWITCHES = 'cmxverify: 1\nname: base\ntemplates:\n  pair: {nodes: {"s[0-1]": {kind: switch}}}\n'


def including(name: str = "base.yaml", nodes: str = "p: pair") -> str:
    return flat(nodes=nodes).replace("name: flat\n", f"name: flat\ninclude: {name}\n")


def test_templates_of_an_included_file_are_taken_over(load: Load) -> None:
    """An included file may hold templates alone; its text counts as read."""
    topology = load(including(), base_yaml=SWITCHES)
    assert "p.s1" in topology.nodes
    assert set(topology.texts) == {"rack.yaml", "base.yaml"}


def test_nothing_but_templates_is_taken_over(load: Load) -> None:
    """Nodes, workload and the rest of an included file are its own."""
    topology = load(including(nodes=""), base_yaml=SWITCHES + "nodes: {x: sn5610}\ntenants: {t: {}}\n")
    assert list(topology.nodes) == ["gpu", "host"]
    assert topology.tenants == {}


def test_a_later_template_of_a_name_wins(load: Load) -> None:
    """Includes in order, then the file's own."""
    other = SWITCHES.replace("s[0-1]", "t[0-2]")
    assert "p.t2" in load(including("[base.yaml, other.yaml]"), base_yaml=SWITCHES, other_yaml=other).nodes
    own = including() + "templates: {pair: {nodes: {own: {kind: switch}}}}\n"
    assert "p.own" in load(own, base_yaml=SWITCHES).nodes


def test_includes_are_relative_to_the_file_that_names_them(folder: Path) -> None:
    """A file in a folder includes its neighbour, and messages show the way to it."""
    (folder / "sub").mkdir()
    (folder / "sub" / "inner.yaml").write_text(SWITCHES)
    (folder / "sub" / "base.yaml").write_text("cmxverify: 1\nname: b\ninclude: inner.yaml\n")
    (folder / "rack.yaml").write_text(including("sub/base.yaml"))
    assert set(load_topology("rack.yaml").texts) == {"rack.yaml", "sub/base.yaml", "sub/inner.yaml"}


@pytest.mark.parametrize(
    ("include", "message"),
    [
        (
            "no.yaml",
            "rack.yaml:3:1: file 'no.yaml': no such file\n  Paths are relative to the file that names them.",
        ),
        (
            ".",
            "rack.yaml:3:1: file '.': this is a folder, not a file\n  Paths are relative to the file that names them.",
        ),
        ("rack.yaml", "rack.yaml:3:1: 'rack.yaml' includes itself\n  Remove the include."),
        (
            "./../{folder}/rack.yaml",
            "rack.yaml:3:1: './../{folder}/rack.yaml' includes itself\n  Remove the include.",
        ),
        (
            '"a\\0b"',
            "rack.yaml:3:1: file 'a\\x00b': this is not a file name\n  Paths are relative to the file that names them.",
        ),
        (
            "[base.yaml, 7]",
            'rack.yaml:3:22: include.1: a text is expected, and 7 is read as the number 7\n  Quote it: "7".',
        ),
        ("7", "rack.yaml:3:1: include: a list is expected here\n  Write [a, b]."),
        ("x" * 300, "rack.yaml:3:1: file '" + "x" * 300),
    ],
)
def test_a_wrong_include_is_one_message(refusal: Refusal, folder: Path, include: str, message: str) -> None:
    """Missing files, folders, circles and impossible names: the line of the include."""
    fill = {"{folder}": folder.name}
    for old, new in fill.items():
        include, message = include.replace(old, new), message.replace(old, new)
    assert refusal(including(include, nodes="")).startswith(message)


def test_an_error_in_an_included_file_stands_there(refusal: Refusal) -> None:
    """The message names the included file and its line."""
    message = refusal(including(), base_yaml=SWITCHES.replace("kind: switch", "kind: swich"))
    assert message.startswith(
        "base.yaml:4:29: templates.pair.nodes.s[0-1].kind: 'swich' is not a choice here\n"
    )


def test_two_files_that_include_each_other_are_a_circle(refusal: Refusal) -> None:
    """The include that closes the circle is named."""
    base = "cmxverify: 1\nname: b\ninclude: rack.yaml\n"
    assert (
        refusal(including(), base_yaml=base)
        == "base.yaml:3:1: 'rack.yaml' includes itself\n  Remove the include."
    )


def test_a_long_chain_of_includes_is_refused(refusal: Refusal) -> None:
    """Files one inside the other end at twenty."""
    chain = {f"f{i}_yaml": f"cmxverify: 1\nname: f\ninclude: f{i + 1}.yaml\n" for i in range(30)}
    assert "more than 20 files include one another" in refusal(including("f0.yaml"), **chain)


def test_files_included_over_and_over_are_read_once(load: Load) -> None:
    """Eighteen files that each include the next twice are not half a million."""
    chain = {
        f"f{i}_yaml": f"cmxverify: 1\nname: f\ninclude: [f{i + 1}.yaml, f{i + 1}.yaml]\n" for i in range(17)
    }
    assert len(load(including("f0.yaml"), **chain, f17_yaml=SWITCHES).texts) == 19


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "rubin",
            "template 'rubin' has the name of a catalog device\n  Choose another name for the template.",
        ),
        (
            "t[0-3]",
            "'t[0-3]' is not a template name\n  Use letters, digits, '-', '_' and '.'; ranges belong to the nodes.",
        ),
        (
            "''",
            "'' is not a template name\n  Use letters, digits, '-', '_' and '.'; ranges belong to the nodes.",
        ),
    ],
)
def test_template_names_are_told_from_devices(refusal: Refusal, name: str, message: str) -> None:
    """A template that shadows a device would change what a file means in silence."""
    text = FLAT + f"templates:\n  {name}: {{nodes: {{s: {{kind: switch}}}}}}\n"
    assert refusal(text) == f"rack.yaml:9:3: {message}"


def test_a_shipped_topology_is_found_by_its_name(folder: Path) -> None:
    """A name without a file means the one that comes with the package."""
    for name in shipped_topologies():
        assert find_topology(name).is_file()


def test_a_file_of_the_name_wins_and_a_folder_does_not(folder: Path) -> None:
    """A folder that happens to have the name of a shipped topology does not hide it."""
    name = shipped_topologies()[0]
    (folder / name).mkdir()
    assert find_topology(name).name == f"{name}.yaml"
    (folder / name).rmdir()
    (folder / name).write_text(FLAT)
    assert load_topology(name).name == "flat"


@pytest.mark.parametrize("name", ["no-such", "x" * 5_000, "no/such.yaml", "a\0b"])
def test_an_unknown_topology_is_an_input_error(folder: Path, name: str) -> None:
    """The shipped ones are listed."""
    with pytest.raises(InputError) as caught:
        load_topology(name)
    assert "no such file or shipped topology\n  Shipped topologies: " in str(caught.value)


def test_a_near_name_is_proposed(folder: Path) -> None:
    """A typo in a shipped name gets the right one."""
    name = shipped_topologies()[0]
    with pytest.raises(InputError, match=f"Did you mean '{name}'"):
        load_topology(name + "x")


def test_a_folder_is_refused(folder: Path) -> None:
    """Naming a folder is told as such."""
    (folder / "conf").mkdir()
    with pytest.raises(InputError) as caught:
        load_topology("conf")
    assert str(caught.value) == "conf: this is a folder, not a file\n  Name a file in it."


def test_a_file_is_shown_as_it_was_named() -> None:
    """Neighbours are shown relative to where the first file was named."""
    assert SourceFile(Path("a/b.yaml"), "a/b.yaml").beside("../c.yaml").shown == "c.yaml"
