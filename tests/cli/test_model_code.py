"""Exceptions of a model's own code."""

from __future__ import annotations

import json
import linecache

import pytest

from cmxverify.cli.model_code import one_message
from cmxverify.errors import InputError
from cmxverify.modeling import Model, action


class Raises(Model):
    """Has code of its own."""

    x: bool

    @action
    def goes(self) -> None:
        """Anything."""
        self.x = True


def fail(error: BaseException) -> None:
    """Code of the model's file that raises."""
    raise error


def message(error: BaseException) -> str:
    """What becomes of an exception."""
    with pytest.raises(InputError) as caught, one_message(Raises):
        fail(error)
    return str(caught.value)


@pytest.mark.parametrize("error", [KeyError("k"), ZeroDivisionError("z"), SystemExit(0), ValueError("v")])
def test_exceptions_of_the_model_are_told_with_their_line(error: BaseException) -> None:
    """The innermost one of the model's file."""
    text = message(error)
    place, _, what = text.partition(": ")
    file, _, line = place.rpartition(":")
    assert linecache.getline(file, int(line)).strip() == "raise error"
    assert what.startswith(f"the model raises {type(error).__name__}: ")


def test_too_little_memory_is_told() -> None:
    """With a way out."""
    assert "the machine has not enough memory for this model" in message(MemoryError())


def test_a_nesting_without_end_is_told() -> None:
    """Without a thousand lines."""
    assert "the model is nested too deeply" in message(RecursionError())


def test_bad_input_stays_what_it_is() -> None:
    """It has a message already."""
    assert message(InputError("not good")) == "not good"


def test_ctrl_c_is_no_exception_of_the_model() -> None:
    """It ends the command."""
    with pytest.raises(KeyboardInterrupt), one_message(Raises):
        fail(KeyboardInterrupt())


def test_a_bug_of_ours_is_not_blamed_on_the_model() -> None:
    """No frame of the model is on the way: it comes through."""
    with pytest.raises(json.JSONDecodeError), one_message(Model):
        json.loads("{")
