"""Models from files, packages, notebooks and functions."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from cmxverify.errors import InputError
from cmxverify.modeling import Index, Map, Model, Range, action
from cmxverify.modeling.compile import system_of
from cmxverify.modeling.loading import load_model

sys.path.insert(0, str(Path(__file__).parent))
from random_models import load_source

TEXT = """\
from __future__ import annotations
from cmxverify.modeling import *
Low = Range(0, 3)
class Counter(Model):
    k: Low
    @action
    def counts(self) -> None:
        self.k = helper(self.k)
def helper(k: int) -> int:
    return (k + 1) % 4
"""


def test_a_notebook_cell() -> None:
    """Source that only the cache of lines knows, as in a notebook, is read."""
    assert len(system_of(load_source(TEXT, "cell_1").Counter).instances) == 1


def test_a_file(folder: Path) -> None:
    """A file is loaded by its path."""
    Path("counter.py").write_text(TEXT, encoding="utf-8")
    assert system_of(load_model("counter.py").model).name == "Counter"


def test_a_model_at_the_prompt_shows_its_state() -> None:
    """Field by field, as the fields print."""
    model = load_source(TEXT.replace("k: Low\n", "k: Low\n    seen: Set[Low]\n"), "cell_2").Counter()
    model.counts()
    assert repr(model) == "Counter(k=1, seen={})"


def test_a_wrong_argument_of_a_step_names_the_right_ones() -> None:
    """The message has the type and its first values."""
    model = load_source(TEXT.replace("counts(self)", "counts(self, k: Low)"), "cell_3").Counter()
    with pytest.raises(InputError, match=r"k=7 is no value of Range\(0, 3\)\n  It is one of 0, 1, 2, 3\."):
        model.counts(7)


def test_the_hash_of_a_model_is_that_of_its_text(folder: Path) -> None:
    """Where the file lies is no part of the model; a type that one of its records uses is."""
    text = TEXT.replace("Low =", "from dataclasses import dataclass\nLow =")
    record = "@dataclass(frozen=True)\nclass Grant:\n    n: Low\n"
    text = text.replace("class Counter", f"{record}class Counter").replace(
        "k: Low\n", "k: Low\n    last: Grant\n"
    )
    for name, content in (
        ("here", text),
        ("there", text),
        ("other", text.replace("    n: Low", "    n: bool")),
    ):
        Path(name).mkdir()
        Path(name, "counter.py").write_text(content, encoding="utf-8")
    here, there, other = (
        system_of(load_model(f"{name}/counter.py").model).source_hash for name in ("here", "there", "other")
    )
    assert here == there != other


def test_a_package(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package is imported, with helpers and types from another module of it."""
    Path("shop").mkdir()
    Path("shop/__init__.py").write_text("", encoding="utf-8")
    head, _, helper = TEXT.partition("def helper")
    Path("shop/helpers.py").write_text(f"def helper{helper}", encoding="utf-8")
    Path("shop/counter.py").write_text(
        head.replace("Low =", "from shop.helpers import helper\nLow ="), encoding="utf-8"
    )
    monkeypatch.syspath_prepend(str(folder))
    assert len(system_of(load_model("shop.counter:Counter").model).instances) == 1


def test_a_model_inside_a_function() -> None:
    """Types, constants and helpers of the function around are known."""
    Node = Index("node")  # noqa: N806
    Low = Range(0, 3)  # noqa: N806
    most = 3

    def next_after(k: int) -> int:
        return min(k + 1, most)

    class Inner(Model):
        k: Map[Node, Low]

        @action
        def counts(self, n: Node) -> None:
            self.k[n] = next_after(self.k[n])

    assert len(system_of(Inner, {"node": 2}).instances) == 2
