"""The reference of commands, made from the command line itself."""

from __future__ import annotations

import re
import subprocess
import sys

_INTRO = """\
Made from the command line when this site is built. `cmxverify COMMAND --help` prints the same.

| exit code | in every command |
| --- | --- |
| **0** | yes: optimal, feasible within `--gap`, survived, accepted, no lint errors; or done |
| **1** | no: infeasible, not survived, rejected, lint errors |
| **2** | bad input or usage, or an output that cannot be written; one message tells what to change |
| **3** | open: out of time, or the gap is too wide, or stopped by Ctrl-C with something to tell |
| **130** | stopped by Ctrl-C before anything was known; nothing is printed |
| **141** | the reader of the output is gone, as with `head`; nothing is printed |

A command that Ctrl-C stopped never leaves with 0 or 1. It prints what it knows (the best plan with its bounds, a proof
without its explanation, the failures judged so far) and leaves with 3; where it knows nothing yet, the signal ends it
as it ends any program, which shells report as 130.

Answers go to standard output, errors and progress to standard error; progress is shown on a terminal only. Lines fit
the terminal, up to 120 columns; into a pipe or a file they are 120 columns wide, and errors are not folded. `--json`
prints one object. With `-o`, a file appears whole or not at all; a link stays, and what it leads to is written.
"""


def commands_page() -> str:
    """Markdown of all commands with their arguments and options, by typer's own generator."""
    arguments = [sys.executable, "-m", "typer", "cmxverify.cli.main", "utils", "docs", "--name", "cmxverify"]
    made = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    commands = re.sub(r"^## `cmxverify (\S+)`$", r"## \1", made[made.index("## `") :], flags=re.MULTILINE)
    return f"# Commands\n\n{_INTRO}\n{_outside_code(commands)}"


def _outside_code(text: str) -> str:
    """Angle brackets are words here (``<name>.svg``), not tags."""
    parts = re.split(r"(```.*?```|`[^`\n]*`)", text, flags=re.DOTALL)
    return "".join(part if part.startswith("`") else part.replace("<", "&lt;") for part in parts)
