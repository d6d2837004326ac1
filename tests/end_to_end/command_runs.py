"""Running a command in this process: exit code, output, errors."""

from __future__ import annotations

import io
import json
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from typing import Any, Protocol

from cmxverify.cli.main import main


@dataclass(frozen=True)
class Ran:
    """What a command left behind."""

    code: int
    out: str
    err: str

    @property
    def document(self) -> dict[str, Any]:
        """What ``--json`` printed."""
        found: dict[str, Any] = json.loads(self.out)
        return found


class Run(Protocol):
    """``run("solve", "cmx-rack")``."""

    def __call__(self, *arguments: object) -> Ran: ...


def run_command(*arguments: object) -> Ran:
    """Run ``cmxverify`` with these arguments; an error that is not ours comes through as it is."""
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        try:
            main([str(each) for each in arguments])
            code = 0
        except SystemExit as left:
            code = int(left.code or 0)
    return Ran(code, out.getvalue(), err.getvalue())
