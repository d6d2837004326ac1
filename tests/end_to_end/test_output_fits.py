"""What is printed fits the terminal: every command on shipped things, at two usual widths, and on a real terminal."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from command_runs import Ran, Run

import cmxverify
from cmxverify.catalog.devices import devices
from cmxverify.catalog.models import model_entries
from cmxverify.topology.load import shipped_topologies

SMALL = ("hbm-only", "hbm-g2", "hbm-g3", "shared-g4", "cmx-rack", "article")
CABLES = "\n".join(
    ["from,to,rate", *(f"host{n:02},leaf{n % 2},400G" for n in range(24)), *(f"odd{n},leaf0," for n in range(9))]
)
OVERLAY = """\
replace: {'host??': server}
devices: {leaf?: sn5610}
templates:
  server: {nodes: {'gpu[0-7]': h100-sxm, host: x86-ddr5, nic: connectx-7}}
"""


def too_long(ran: Ran, width: int) -> list[str]:
    """Lines of output and errors that are longer than the terminal is wide."""
    assert ran.out or ran.err
    return [line for line in (ran.out + ran.err).splitlines() if len(line) > width]


@pytest.fixture(params=[80, 100])
def width(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> int:
    """The columns of the terminal."""
    monkeypatch.setenv("COLUMNS", str(request.param))
    return int(request.param)


@pytest.mark.parametrize("name", shipped_topologies())
@pytest.mark.parametrize("command", ["show", "size", "lint --all", "lint --profile article", "solve --strict"])
def test_answers_without_a_solver_fit(run: Run, width: int, command: str, name: str) -> None:
    """Summaries, sizes, findings and refusals of every shipped topology."""
    first, *more = command.split()
    assert too_long(run(first, name, *more), width) == []


@pytest.mark.parametrize("name", SMALL)
def test_plans_fit(run: Run, width: int, name: str) -> None:
    """All tables, pairs ruled out, the comparison with the plan itself, a picture's name, and the verdict on it."""
    plan = f"{name}.placement.json"
    for arguments in (
        ("solve", name, "--rejected", "--picture", "plan.svg"),
        ("solve", name, "--from", plan),
        ("verify", plan),
    ):
        assert too_long(run(*arguments), width) == [], arguments


@pytest.mark.parametrize("more", [("--survive", "1"), ("--set", "power.shelf.budget=1.4kW"), ("--time-limit", "0.001")])
def test_answers_that_are_no_plan_fit(run: Run, width: int, more: tuple[str, str]) -> None:
    """Failures, explanations, and that nothing is known."""
    assert too_long(run("solve", "cmx-rack", *more), width) == []


def test_the_faults_of_a_file_fit(run: Run, width: int) -> None:
    """A placement that was altered."""
    run("solve", "cmx-rack", "-o", "plan.json")
    plan = Path("plan.json")
    plan.write_text(plan.read_text().replace("tray16", "tray15"))
    ran = run("verify", "plan.json")
    assert (ran.code, too_long(ran, width)) == (1, [])


def test_the_whole_catalog_fits(run: Run, width: int) -> None:
    """The list, and every device and model."""
    for name in ("", *(each.name for each in devices()), *(each.name for each in model_entries())):
        assert too_long(run("catalog", *([name] if name else [])), width) == [], name


@pytest.mark.parametrize("more", [(), ("--overlay", "overlay.yaml"), ("--strict",)])
def test_an_import_fits(run: Run, width: int, more: tuple[str, ...]) -> None:
    """What was found, noted and assumed, and the refusal to assume."""
    Path("cables.csv").write_text(CABLES)
    Path("overlay.yaml").write_text(OVERLAY)
    assert too_long(run("import", "cables.csv", *more, "-o", "fabric.yaml"), width) == []


def test_what_is_written_and_helped_fits(run: Run, width: int) -> None:
    """The short answers."""
    for arguments in (("init",), ("schema", "-o", "s.json"), ("--help",), ("solve", "--help"), ("size", "config.json")):
        assert too_long(run(*arguments), width) == [], arguments


def test_a_narrow_terminal_loses_nothing_of_a_plan(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Columns that do not fit stand below, with the name of their set or tier."""
    found = {}
    for columns in ("120", "80"):
        monkeypatch.setenv("COLUMNS", columns)
        found[columns] = set(re.split(r"\s{2,}", run("solve", "cmx-rack").out.replace("\n", "  ")))
    for word in ("restore mean/worst/limit", "23.5 / 51.4 / 200 ms", "switches", "9.7 GB/s", "200 us"):
        assert word in found["120"] & found["80"]


@pytest.mark.skipif(os.name != "posix", reason="pseudo-terminals are POSIX")
@pytest.mark.parametrize("arguments", [("solve", "cmx-rack"), ("solve", "cmx-rack", "--strict"), ("catalog", "rubin")])
def test_a_real_terminal_is_asked_for_its_width(folder: Path, arguments: tuple[str, ...]) -> None:
    """Without COLUMNS, output, errors and progress keep to the 72 columns of a pseudo-terminal."""
    import fcntl
    import pty
    import struct
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 72, 0, 0))
    env = {**os.environ, "PYTHONPATH": str(Path(cmxverify.__file__).parents[1])}
    with subprocess.Popen(
        [sys.executable, "-m", "cmxverify", *arguments], cwd=folder, env=env, stdout=theirs, stderr=theirs
    ):
        os.close(theirs)
        shown = _all_of(ours)
    lines = re.split(r"[\r\n]+", shown.replace("\x1b[K", ""))
    assert 60 < max(map(len, lines)) <= 72


def _all_of(terminal: int) -> str:
    found = b""
    while True:
        try:
            part = os.read(terminal, 65_536)
        except OSError:  # how Linux says that the other end is closed
            part = b""
        if not part:
            os.close(terminal)
            return found.decode()
        found += part
