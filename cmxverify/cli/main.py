"""Entry point: collects the commands, and turns our errors into one message and exit code 2."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib import import_module

import typer

from cmxverify import __version__
from cmxverify.errors import CmxError, InputError

COMMANDS = ("init", "schema", "show", "lint", "import_", "catalog", "size", "solve", "verify")
EXIT_BAD_INPUT = 2
EXIT_STOPPED = 3

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


def main(arguments: Sequence[str] | None = None) -> None:
    """Run one command and leave with its exit code."""
    given = sys.argv[1:] if arguments is None else list(arguments)
    try:
        _refuse_other_bytes(given)
        app(args=given)
    except CmxError as error:
        typer.echo(f"error: {error}", err=True)
        sys.exit(EXIT_BAD_INPUT)
    except KeyboardInterrupt:
        typer.echo("stopped", err=True)
        sys.exit(EXIT_STOPPED)
    except BrokenPipeError:
        sys.stderr.close()
        sys.exit(0)


if __name__ == "__main__":
    main()
