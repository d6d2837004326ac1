"""Whatever is typed: a documented exit code, at most one message, never a traceback, foreign files untouched."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from command_runs import Ran, run_command

MINE = b"mine\n"
FOREIGN = ("mine.txt", "mine.svg", "mine.json", "mine.yaml")
LONG = "x" * 300
INPUTS = (
    "missing.yaml", "folder", "binary", "empty.yaml", "mine.txt", "latin.yaml", "list.yaml", "deep.json", "nan.json",
    "broken.xml", "cables.csv", "plan.json", "", ".", "/", "/dev/null", LONG, LONG * 20, "naïve-名前.yaml", "a\nb",
    "\x1b[31mred", "\0", "~", "*", "hbm-onyl", "-", "--", "folder/", "folder/../hbm-only", "\udcff",
)  # fmt: skip
OUTPUTS = (
    *FOREIGN, "folder", "folder/", "", ".", "missing/a.svg", "mine.txt/a.svg", f"{LONG}.svg", "pipe", "link.svg",
    "a\0.svg", "a.gif", "\udcff.svg",
)  # fmt: skip
"""Never a device: a program that got this wrong would replace it."""
CHANGES = (
    "", "=", "a", "a=", "=b", "workload", "workload=", "a.b.c.d=1", "...=1", ".=1", "\udcff=1", "name=\udcff",
    f"{LONG * 40}=1", "cmxverify=2", "plan_to=0", "plan_to=200%", "plan_to=nan", "plan_to=[", "plan_to={",
    "plan_to=&a [*a]", "plan_to=!!python/object:os.system x", "name=", "name=../../etc/x", "name=\0", f"name={LONG}",
    "nodes=", "nodes={}", "nodes={a: b}", "nodes.a=rubin", "links={}", "templates.server=1", "hops={metric: switches}",
    "chunk=0", "chunk=1 B", "chunk=1 EB", "include=folder", "include=[/dev/zero]", "workload=/dev/null",
    "tenants.acme.isolation=server", "power={x: {of: server0, budget: 1 W}}", "prices={x: 1}",
    *(
        f"workload.acme/chat.{change}"
        for change in (
            "sessions=", "sessions=abc", "sessions=-1", "sessions=nan", "sessions=1e400", "sessions=9" + "9" * 30,
            "context=0", "restore=0 s", "turns={every: 0 s}", "turns={from: .}", f"turns={{from: {LONG}}}", "tiers=[]",
            "tiers=G1", "model=/dev/zero", "model=.", f"model={LONG}/config.json",
        )
    ),
)  # fmt: skip
NUMBERS = ("x", "", "-1", "0", "nan", "inf", "-inf", "1e-9", "1e400", "0x10", "1.5", "9" * 30, "٣")
SHARES = ("5", "", "%", "200%", "-1%", "nan%", "inf%", "1e400%", "1e-400%", "abc", "١%")
WORDS = ("", "x", ",", "late,late", "late,", "LATE", "cost", "\0", "\x1b")


def every_case() -> Iterator[list[str]]:
    """All arguments, each in every place where it can stand."""
    for name in INPUTS:
        yield from ([command, name] for command in ("show", "lint", "size", "solve", "verify", "catalog", ""))
        yield ["import", name, "-o", "imported.yaml", "--force"]
        yield ["import", "cables.csv", "--overlay", name, "-o", "imported.yaml", "--force"]
        yield ["init", "--from", name]
        yield ["verify", "plan.json", "--topology", name]
        yield ["size", "--model", name, "--context", "1k"]
        yield from ([command, "hbm-only", "--only", name] for command in ("size", "solve"))
    for name in OUTPUTS:
        yield from (["show", "hbm-only", "--picture", name], ["solve", "hbm-only", "--picture", name])
        yield from (["solve", "hbm-only", "-o", name], ["import", "cables.csv", "-o", name])
        yield from (["schema", "-o", name], ["schema", "--markdown", "-o", name])
        yield from (["init", "-o", name], ["init", "--from", "cmx-rack", "-o", name])
    for change in CHANGES:
        yield from ([command, "hbm-only", "--set", change] for command in ("show", "lint", "size", "solve"))
    yield from option_cases()


def option_cases() -> Iterator[list[str]]:
    """Options with values of the wrong kind, and commands with too little or too much."""
    model = ["size", "--model", "llama-3.1-70b", "--context"]
    for number in NUMBERS:
        yield from (["solve", "hbm-only", option, number] for option in ("--time-limit", "--seed"))
        yield from ([*model, "1k", option, number] for option in ("--tp", "--concurrency", "--kv-dtype"))
        yield from ([*model, number], ["size", "hbm-only", "--page-tokens", number])
    for share in SHARES:
        yield from (["solve", "hbm-only", "--gap", share], ["size", "hbm-only", "--reserve", share])
    for word in WORDS:
        yield from (["solve", "hbm-only", option, word] for option in ("--objective", "--engine"))
        yield from (
            ["lint", "hbm-only", "--profile", word],
            ["import", "cables.csv", "-o", "i.yaml", "--format", word],
        )
    yield from ([command] for command in ("solve", "verify", "import", "size", "show", "lint", "bogus"))
    yield from (["solve", "hbm-only", "more"], ["solve", "hbm-only", "--nope"], ["import", "cables.csv"])
    yield from (["size", "hbm-only", "--tp", "4"], ["size", "hbm-only", *model[1:], "1k"], model[:-1])
    yield ["import", "cables.csv", "cables.csv", "-o", "i.yaml"]
    yield ["import", "cables.csv", "-o", "cables.csv", "--force"]


CASES = list(every_case())
SLICES = 8


@pytest.fixture
def littered(folder: Path) -> Path:
    """A folder with files of every bad kind, and files of the user's that nothing may touch."""
    Path("folder").mkdir()
    Path("binary").write_bytes(bytes(range(256)) * 20)
    Path("empty.yaml").touch()
    Path("latin.yaml").write_bytes("näme: 1".encode("latin-1"))
    Path("list.yaml").write_text("- 1\n- 2\n")
    Path("deep.json").write_text("[" * 100_000)
    Path("nan.json").write_text('{"cmxverify_placement": NaN}')
    Path("broken.xml").write_text("<a><b></a>")
    Path("cables.csv").write_text("from,to,rate\na,leaf0,100G\n")
    for name in FOREIGN:
        Path(name).write_bytes(MINE)
    Path("link.svg").symlink_to("mine.svg")
    os.mkfifo("pipe")
    assert run_command("solve", "hbm-only", "-o", "plan.json").code == 0
    return folder


def faults(ran: Ran) -> list[str]:
    """What is wrong with how a command ended."""
    found = [] if ran.code in (0, 1, 2, 3) else [f"exit code {ran.code}"]
    if "Traceback" in ran.out + ran.err:
        found.append("a traceback")
    if ran.code != 2:
        return [*found, "a message without exit code 2"] if ran.err else found
    ours = ran.err.startswith("error: ") and ran.err.count("error: ") == 1 and ran.err.count("\n") <= 3
    usage = ran.err.startswith("Usage: ") and ran.err.count("Error: ") == 1
    return found if (ours or usage) and not ran.out else [*found, "not exactly one message"]


@pytest.mark.parametrize("part", range(SLICES))
def test_nasty_arguments_get_one_message(littered: Path, part: int) -> None:
    """All cases in a shuffled order, an eighth in each test, so that leftovers of one meet the next."""
    shuffled = list(CASES)
    Random(2026).shuffle(shuffled)
    for arguments in shuffled[part::SLICES]:
        shown = [each[:60] for each in arguments]
        assert faults(run_command(*arguments)) == [], shown
        assert [Path(name).read_bytes() for name in FOREIGN] == [MINE] * len(FOREIGN), shown
        assert Path("pipe").is_fifo(), shown


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            ["solve", "hbm-only", "--gap", "5"],
            "error: --gap: '5' is not a percentage\n  Write it with a per cent sign: 5%.\n",
        ),
        (
            ["schema", "-o", "mine.json"],
            "error: mine.json: file exists already\n  Choose another name, or remove it.\n",
        ),
        (
            ["import", "cables.csv", "-o", "cables.csv", "--force"],
            "error: cables.csv: this is the file to import\n  Choose another name with -o.\n",
        ),
        (
            ["show", "\udcff.yaml"],
            "error: argument 2, '\\udcff.yaml', is not UTF-8\n"
            "  Rename the file, or set the terminal's encoding to UTF-8.\n",
        ),
    ],
)
def test_messages_say_where_and_how_to_fix(littered: Path, arguments: list[str], message: str) -> None:
    """The option or file first, then what is wrong, then a way out."""
    assert run_command(*arguments) == Ran(2, "", message)
