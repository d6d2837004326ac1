"""What the language refuses, one message each: place, what, and the nearest form that it has (`refusals.txt`)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from cmxverify.errors import InputError
from cmxverify.modeling.compile import compiled
from cmxverify.modeling.loading import load_model

sys.path.insert(0, str(Path(__file__).parent))
from refused_source import source

FORMS = Path(__file__).parent / "refusals.txt"


def forms() -> Iterator[tuple[str, str, str, str]]:
    """Part of the model, name, text and message of each form."""
    for block in FORMS.read_text(encoding="utf-8").split("=== ")[1:]:
        head, _, rest = block.partition("\n")
        text, _, message = rest.partition("\n---\n")
        part, _, name = head.partition(": ")
        yield part, name, text, message.strip()


def refusal(text: str, **bounds: int) -> str:
    """The whole message with which a model is refused."""
    Path("m.py").write_text(text, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        compiled(load_model("m.py:M").model, bounds)
    return str(caught.value)


@pytest.mark.parametrize(("part", "text", "message"), [pytest.param(p, t, m, id=n) for p, n, t, m in forms()])
def test_refused(folder: Path, part: str, text: str, message: str) -> None:
    """Whatever is not in the language is told with its place and the nearest form that is."""
    assert refusal(source(**{part: text}), node=2) == message


def test_every_refusal_tells_what_to_write_instead() -> None:
    """Each message has a second line."""
    assert [name for _, name, _, message in forms() if "\n  " not in message] == []


@pytest.mark.parametrize(
    ("bounds", "message"),
    [
        ({}, "m.py:61:5: M needs the bound node\n  Add --bound node=2."),
        ({"nod": 2}, "M has no bound 'nod'\n  Did you mean 'node'?"),
        ({"node": 0}, "bound 'node' is 0: the type would be empty\n  Give at least 1."),
        ({"node": -1}, "bound 'node' is -1: the type would be empty\n  Give at least 1."),
        ({"node": True}, "bound 'node' is True, not a whole number\n  Write node=2."),
    ],
)
def test_bounds(folder: Path, bounds: dict[str, int], message: str) -> None:
    """Bounds are given, known, and leave no type empty."""
    assert refusal(source(), **bounds).endswith(message.split(": ", 1)[-1] if "needs" in message else message)


def test_s04_a_base_that_is_no_model(folder: Path) -> None:
    """A mixin's actions would be overlooked, so it is refused."""
    text = source().replace("class M(Model):", "class Mixin:\n    pass\nclass M(Mixin, Model):")
    assert "M derives from Mixin, which is not a model" in refusal(text, node=2)


def test_s04_a_field_of_two_bases(folder: Path) -> None:
    """A field has one type."""
    text = source() + "\nclass Base(M):\n    flag: Low\n"
    Path("m.py").write_text(text, encoding="utf-8")
    with pytest.raises(InputError, match="field 'flag' clashes with another name"):
        compiled(load_model("m.py:Base").model, {"node": 2})


def test_s04_a_helper_that_was_replaced(folder: Path) -> None:
    """What runs must be what is read: a function put in the place of another is refused."""
    text = source(body="self.k = one()").replace(
        "class M(Model):", "def one() -> int:\n    return 1\nclass M(Model):"
    )
    Path("m.py").write_text(text, encoding="utf-8")
    model = load_model("m.py:M").model
    names = sys.modules[model.__module__]
    names.one = eval("lambda: 2")
    with pytest.raises(InputError, match=r"cannot be read|not a plain function|not found"):
        compiled(model, {"node": 2})


def test_s04_a_file_that_changed_since(folder: Path) -> None:
    """A constant changed in the file after it was loaded is noticed."""
    text = source(body="self.k = one()").replace(
        "class M(Model):", "def one() -> int:\n    return 1\nclass M(Model):"
    )
    Path("m.py").write_text(text, encoding="utf-8")
    model = load_model("m.py:M").model
    Path("m.py").write_text(text.replace("return 1\nclass", "return 2\nclass") + "\n\n", encoding="utf-8")
    with pytest.raises(InputError, match="does not run what its source says"):
        compiled(model, {"node": 2})
