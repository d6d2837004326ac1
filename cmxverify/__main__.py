"""``cmxverify`` and ``python -m cmxverify``."""

import signal


def run() -> None:
    """Run one command. Ctrl-C ends the program at once, silently, until the command can answer it."""
    is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler
    if is_usual:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    from cmxverify.cli.main import main

    if is_usual:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    main()


if __name__ == "__main__":
    run()
