"""``cmxverify`` and ``python -m cmxverify``."""

import os
import signal
import sys
from contextlib import suppress


def run() -> None:
    """Run one command, and end by a signal where that is how programs end: silently, with the code of the signal.

    A reader that has seen enough (``| head``) ends it by SIGPIPE. Ctrl-C ends it at once while it loads, then as
    soon as the command has nothing to tell.
    """
    if hasattr(signal, "SIGPIPE"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_usual:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cmxverify.cli.exit_codes import ExitCode
    from cmxverify.cli.main import main

    if is_usual:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        main()
    except SystemExit as left:
        if left.code == ExitCode.INTERRUPTED and os.name == "posix":
            _end_by_interrupt()
        raise


def _end_by_interrupt() -> None:
    """A shell that runs a script stops it, too, if it sees that the signal ended its command."""
    with suppress(OSError):
        sys.stdout.flush()
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    signal.raise_signal(signal.SIGINT)


if __name__ == "__main__":
    run()
