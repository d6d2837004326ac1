"""The reference of commands, made from the command line itself."""

from __future__ import annotations

import re
import subprocess
import sys

_INTRO = """\
Made from the command line when this site is built. `cmxverify COMMAND --help` prints the same.

Every command: exit code **0** means yes (optimal, feasible within `--gap`, accepted, no lint errors), **1** means no
(infeasible, refused, lint errors), **2** bad input or usage, **3** stopped early or undecided. Answers go to standard
output, errors and progress to standard error; progress is shown on a terminal only. `--json` prints one object.
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
