"""Run a native solver so that Ctrl-C stops it at once, with its best answer kept by the caller."""

from __future__ import annotations

from collections.abc import Callable
from threading import Thread
from typing import TypeVar

Result = TypeVar("Result")


def interruptible(run: Callable[[], Result], stop: Callable[[], None]) -> Result:
    """Call ``run`` in a thread; on KeyboardInterrupt call ``stop``, wait for ``run`` to end, and re-raise.

    Native solvers hold the main thread, where Python would see Ctrl-C only after they return.
    """
    results: list[Result] = []
    errors: list[BaseException] = []

    def work() -> None:
        try:
            results.append(run())
        except BaseException as error:
            errors.append(error)

    thread = Thread(target=work, daemon=True)
    thread.start()
    try:
        while thread.is_alive():
            thread.join(0.1)
    except KeyboardInterrupt:
        stop()
        thread.join()
        raise
    if errors:
        raise errors[0]
    return results[0]
