"""A model's own code, run on behalf of a command: whatever it raises becomes one message with the line."""

from __future__ import annotations

import sys
import traceback
from collections.abc import Iterator
from contextlib import contextmanager

from cmxverify.errors import CmxError, InputError, Location
from cmxverify.modeling.model import Model


@contextmanager
def one_message(model: type[Model]) -> Iterator[None]:
    """Turn exceptions of the model's code, and of a machine that is too small for it, into bad input.

    What this package raises without any frame of the model comes through as it is: that is a bug of ours.

    Raises:
        InputError: With the innermost line of the model's own files.
    """
    try:
        yield
    except CmxError:
        raise
    except MemoryError as error:
        at, fix = _place(error, model), "Take smaller bounds, or give --memory to stop before that."
        raise InputError("the machine has not enough memory for this model", at=at, fix=fix) from None
    except RecursionError as error:
        at = _place(error, model) or Location(_files(model)[0])
        raise InputError(
            "the model is nested too deeply", at=at, fix="Split the expression or the helper."
        ) from None
    except (Exception, SystemExit) as error:
        at = _place(error, model)
        if at is None:
            raise
        what = f"the model raises {type(error).__name__}: {error}"
        raise InputError(what, at=at, fix="A step may only use require and assert.") from None


def _place(error: BaseException, model: type[Model]) -> Location | None:
    files = _files(model)
    frames = [each for each in traceback.extract_tb(error.__traceback__) if each.filename in files]
    return Location(frames[-1].filename, frames[-1].lineno or 0) if frames else None


def _files(model: type[Model]) -> list[str]:
    """Source files of the class and of those it is derived from."""
    modules = dict.fromkeys(
        each.__module__ for each in model.__mro__ if issubclass(each, Model) and each is not Model
    )
    return [getattr(sys.modules[each], "__file__", None) or each for each in modules if each in sys.modules]
