"""``cmxverify crosscheck``: agreement, its absence, and bad input."""

from __future__ import annotations

import json
import shutil

import pytest
from typer.testing import CliRunner

from cmxverify.cli.main import app
from cmxverify.errors import InputError

needs_rumur = pytest.mark.skipif(
    not (shutil.which("rumur") and shutil.which("cc")), reason="rumur or a C compiler is not installed"
)


@needs_rumur
def test_rumur_agrees_on_a_shipped_model() -> None:
    """Peterson's 26 states and 52 transitions are found by both, and the command says so with exit code 0."""
    done = CliRunner().invoke(app, ["crosscheck", "peterson", "--json"])

    found = json.loads(done.stdout)
    counts = {row["quantity"]: (row["cmxverify"], row["rumur"]) for row in found["rows"]}
    assert (done.exit_code, found["verdict"]) == (0, "agrees")
    assert (counts["states"], counts["transitions"]) == (("26", "26"), ("52", "52"))


@needs_rumur
def test_rumur_agrees_on_a_mistake() -> None:
    """A violated model agrees, too: same property, same length."""
    done = CliRunner().invoke(app, ["crosscheck", "german:GermanHastyGrant", "--bound", "node=2"])

    assert done.exit_code == 0, done.output
    assert "counterexample" in done.stdout


def test_without_rumur_nothing_is_confirmed(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where rumur is not installed the command says so with exit code 3: never agreement."""
    monkeypatch.setattr(shutil, "which", lambda *_args, **_named: None)

    done = CliRunner().invoke(app, ["crosscheck", "peterson"])

    assert done.exit_code == 3
    assert done.stdout.startswith("not run   rumur: ")


@pytest.mark.parametrize(
    ("arguments", "what"),
    [
        (["petersen"], "there is no model 'petersen'"),
        (["german"], "needs the bound node"),
        (["peterson", "--property", "MUTUAL"], "has no property 'MUTUAL'"),
        (["peterson", "--engine", "rumur"], "there is no engine 'rumur'"),
        (["peterson", "--time-limit", "0"], "is not more than 0"),
    ],
)
def test_bad_input_is_one_message(arguments: list[str], what: str) -> None:
    """What is wrong is said before anything is searched."""
    done = CliRunner().invoke(app, ["crosscheck", *arguments])

    assert isinstance(done.exception, InputError)
    assert what in str(done.exception)
