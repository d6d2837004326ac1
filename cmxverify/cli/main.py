"""Entry point: collects the commands, and turns our errors into one message and exit code 2."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from contextlib import suppress
from importlib import import_module
from typing import TYPE_CHECKING

import typer

from cmxverify import __version__
from cmxverify.cli.exit_codes import ExitCode
from cmxverify.errors import CmxError, InputError

if TYPE_CHECKING:
    from sys import UnraisableHookArgs

COMMANDS = (
    *("init", "schema", "show", "lint", "import_", "catalog"),
    *("size", "solve", "verify"),
    *("check", "trace", "crosscheck"),
)

app = typer.Typer(
    help="Prove things about LLM KV-cache storage before it fails in production.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    context_settings={"help_option_names": ["-h", "--help"]},
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"cmxverify {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: bool = typer.Option(False, "--version", callback=_print_version, is_eager=True, help="Print the version."),
) -> None:
    """Prove things about LLM KV-cache storage before it fails in production."""


for _name in COMMANDS:
    import_module(f"cmxverify.cli.{_name}").register(app)


def _refuse_other_bytes(arguments: Sequence[str]) -> None:
    """Bytes that are no UTF-8 reach Python as lone surrogates, which could not be printed or saved."""
    for number, argument in enumerate(arguments, start=1):
        if any("\ud800" <= character <= "\udfff" for character in argument):
            what = f"argument {number}, '{argument}', is not UTF-8"
            raise InputError(what, fix="Rename the file, or set the terminal's encoding to UTF-8.")
        if "\0" in argument:
            raise InputError(f"argument {number}, '{argument}', has a null byte", fix="Leave it out.")


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    sys.unraisablehook = _report_unraisable
    try:
        _refuse_other_bytes(given)
        app(args=given)
    except CmxError as error:
        typer.echo(_message(error), err=True)
        sys.exit(ExitCode.BAD_INPUT)
    except KeyboardInterrupt:
        sys.exit(ExitCode.INTERRUPTED)
    except OSError as error:
        typer.echo(f"error: the output cannot be written: {error.strerror}", err=True)
        with suppress(OSError):
            sys.stdout.close()  # or Python tries once more as it ends, and complains
        sys.exit(ExitCode.BAD_INPUT)
    except Exception as error:
        # what ctypes makes of a Ctrl-C that comes while it hands an argument to z3
        if type(error).__name__ != "ArgumentError" or "KeyboardInterrupt" not in str(error):
            raise
        sys.exit(ExitCode.INTERRUPTED)


def _message(error: CmxError) -> str:
    """What to print of an error; folded on a terminal, each line below its own beginning."""
    from cmxverify.report.tables import error_width, fold

    first, *others = f"error: {error}".splitlines()
    width = error_width()
    if width is None:
        return "\n".join([first, *others])
    lines = fold(first, width=width, indent=len("error: "))
    for each in others:
        lines += fold(each, width=width, indent=len(each) - len(each.lstrip()) + 2)
    return "\n".join(lines)


def _report_unraisable(unraisable: UnraisableHookArgs) -> None:
    """A z3 context that Ctrl-C left half made has nothing to free, and nothing to tell."""
    if getattr(unraisable.object, "__qualname__", "") != "Context.__del__":
        sys.__unraisablehook__(unraisable)


if __name__ == "__main__":
    main()
