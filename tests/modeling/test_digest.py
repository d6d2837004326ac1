"""The digest of a model says what was read, and nothing of where and when (S4)."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import cmxverify

MODEL = """
from dataclasses import dataclass
from enum import Enum
from cmxverify.modeling import Index, Map, Model, Net, action, require

Node = Index("node")

class Mode(Enum):
    OFF = 0
    ON = 1

@dataclass(frozen=True)
class Grant:
    n: Node
    mode: Mode = Mode.OFF

class Small(Model):
    owner: Node
    mode: Map[Node, Mode]
    wire: Net[Grant]

    @action
    def sends(self, n: Node) -> None:
        require(self.owner == n)
        self.wire.send(Grant(n, Mode.ON))
"""
PRINT = """
import sys
from cmxverify.modeling.compile import compiled
from cmxverify.modeling.loading import load_model
print(compiled(load_model("small.py").model, {"node": 2}).system.source_hash)
"""


def digest_in(folder: Path, text: str) -> str:
    """Digest of the model, told by a process of its own in that folder."""
    folder.mkdir()
    (folder / "small.py").write_text(text, encoding="utf-8")
    root = str(Path(cmxverify.__file__).parents[1])
    done = subprocess.run(
        [sys.executable, "-c", PRINT],
        cwd=folder,
        env={"PYTHONPATH": root},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def test_s04_the_same_source_has_the_same_digest_anywhere(tmp_path: Path) -> None:
    """Neither the folder nor the process shows, free choices and types of one's own included."""
    assert digest_in(tmp_path / "here", MODEL) == digest_in(tmp_path / "there", MODEL)


def test_s04_other_types_have_another_digest(tmp_path: Path) -> None:
    """A further member of an enum is another model, though no method changed."""
    wider = MODEL.replace("    ON = 1\n", "    ON = 1\n    BROKEN = 2\n")

    assert digest_in(tmp_path / "here", MODEL) != digest_in(tmp_path / "there", wider)
