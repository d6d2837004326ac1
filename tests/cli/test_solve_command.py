"""``cmxverify solve`` from end to end: exit codes, options, what is printed and what is written."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from cmxverify.cli.main import app, main

INFEASIBLE = ("--set", "power.shelf.budget=1.4kW")


def solve(*arguments: str, columns: int = 120) -> tuple[int, list[str]]:
    """Exit code and lines of a run."""
    result = CliRunner().invoke(app, ["solve", *arguments], env={"COLUMNS": str(columns)})
    return result.exit_code, result.output.splitlines()


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """Message of a run that ends with exit code 2."""
    with pytest.raises(SystemExit) as caught:
        main(["solve", *arguments])
    assert caught.value.code == 2
    return capsys.readouterr().err


def test_the_rack_is_solved_and_shown(folder: Path) -> None:
    """Exit code 0; the verdict is the first word; sets, tiers, limits and levels follow, at most 120 columns wide."""
    code, lines = solve("cmx-rack")
    assert code == 0
    assert lines[0].startswith(
        "optimal   proved at every level; plan and certificate in cmx-rack.placement.json"
    )
    assert lines[1].startswith(
        "  4 of 4 enclosures on: 3 shared (endurance asks 2.6, capacity 2.2, read rate 2.1), 1 for hooli"
    )
    text = "\n".join(lines)
    for part in (
        "acme/chat        245.9 TB     12.0 TB     70.0   57.5 %  121.8 GB/s",
        "G2 host, 18 places",
        "tray17 DPU",
    ):
        assert part in text
    assert (
        "levels   late turns 0 | mean restore 29.9 ms | tier power 1,572 W (1,000 W idle) | each equals"
        in text
    )
    assert (
        lines[-1]
        == "chunks of 100 GB round demand up by 0.07 %; 3 values are assumed (--strict refuses them)"
    )
    assert max(map(len, lines)) <= 120


def test_a_narrow_terminal_continues_tables_below(folder: Path) -> None:
    """At 60 columns no line is longer, and what did not fit beside the sets follows with their names once more."""
    code, lines = solve("cmx-rack", columns=60)
    assert code == 0
    assert max(map(len, lines)) <= 60
    assert [line.split()[1:2] for line in lines if line.startswith("  acme/chat ")] == [["245.9"], ["121.8"], ["1"]]
    assert any("restore mean" in line for line in lines)


def test_an_infeasible_rack_is_explained(folder: Path) -> None:
    """Exit code 1, the explanation below the verdict, and a certificate of it saved."""
    code, lines = solve("cmx-rack", *INFEASIBLE)
    assert code == 1
    assert lines[0].startswith("infeasible   proved; certificate in cmx-rack.infeasible.json")
    assert "  cmx-rack.yaml:35  shelf may draw 1.4 kW (file: 2 kW)" in lines
    assert (folder / "cmx-rack.infeasible.json").exists()


def test_a_proof_of_infeasibility_leaves_the_plan_alone(folder: Path) -> None:
    """Solve, cut the budget, then compare a third answer with the first: the first plan is still there."""
    assert solve("cmx-rack")[0] == 0
    assert solve("cmx-rack", *INFEASIBLE, "--no-explain")[0] == 1
    code, lines = solve(
        "cmx-rack", "--set", "tenants.hooli.isolation=namespace", "--from", "cmx-rack.placement.json"
    )
    assert (code, lines[0].split("   ")[1]) == (0, "enclosures 4 -> 3")


def test_an_explanation_can_be_left_out(folder: Path) -> None:
    """``--no-explain`` prints the verdict alone."""
    code, lines = solve("cmx-rack", *INFEASIBLE, "--no-explain")
    assert (code, len(lines)) == (1, 1)


def test_no_time_is_unknown(folder: Path) -> None:
    """Exit code 3, honest words, and no file, for there is nothing to check."""
    code, lines = solve("cmx-rack", "--time-limit", "0.001")
    assert code == 3
    assert lines[0].startswith(
        "unknown   neither a plan nor a proof that there is none was found in the time"
    )
    assert not list(folder.iterdir())


@pytest.mark.parametrize("engine", ["auto", "z3", "cpsat", "highs"])
def test_every_engine_finds_the_optimum(folder: Path, engine: str) -> None:
    """Whoever proposes, the values are proved, so they are the same."""
    code, lines = solve("cmx-rack", "--engine", engine)
    assert code == 0
    assert any(
        "mean restore 29.9 ms | tier power 1,572 W (1,000 W idle) | each equals" in line for line in lines
    )


def test_levels_are_in_the_order_asked_for(folder: Path) -> None:
    """Power before restore; spread only when named."""
    _, lines = solve("shared-g4", "--objective", "power, restore,spread")
    expected = "levels   tier power 2,594 W (2,000 W idle) | mean restore 47.6 ms | fullest pool 70.8 %"
    assert any(line.startswith(expected) for line in lines)


def test_quiet_prints_the_verdict_only(folder: Path) -> None:
    """One line."""
    code, lines = solve("hbm-only", "--quiet")
    assert code == 0
    assert len(lines) == 1
    assert lines[0].startswith("optimal")


def test_json_is_the_placement_file_and_more(folder: Path) -> None:
    """Valid JSON on standard output: everything that is saved, the status, and where it is saved."""
    code, lines = solve("hbm-g3", "--json")
    printed: dict[str, Any] = json.loads("\n".join(lines))
    saved = json.loads((folder / "hbm-g3.placement.json").read_text())
    assert code == 0
    assert (printed.pop("status"), printed.pop("saved")) == ("optimal", "hbm-g3.placement.json")
    assert printed == saved


def test_json_of_an_infeasible_rack_explains(folder: Path) -> None:
    """Facts, sentences with their lines, the conclusion, and ways out with what became of them."""
    code, lines = solve("cmx-rack", "--set", "hops.max=0", "--json")
    printed = json.loads("\n".join(lines))
    assert code == 1
    assert printed["status"] == "infeasible"
    assert printed["explanation"]["facts"] == ["hops", "set:acme/agents"]
    assert printed["explanation"]["ways_out"][0]["helps"] is True


def test_rejected_pairs_are_listed(folder: Path) -> None:
    """Each with the reason; where there are none, that is said."""
    _, lines = solve("hbm-only", "--rejected")
    assert lines[-1] == "  acme/chat all @ server0 -> server0.host: tier G2 is not among its tiers (G1)"
    _, lines = solve("hbm-g3", "--rejected")
    assert lines[-1] == "  no pair is ruled out"


@pytest.mark.parametrize("suffix", [".svg", ".png"])
def test_a_picture_is_drawn(folder: Path, suffix: str) -> None:
    """By the suffix; a later one may take its place."""
    for _ in range(2):
        code, lines = solve("hbm-g3", "--picture", f"plan{suffix}")
        assert code == 0
        assert lines[-1] == f"picture plan{suffix}"
    assert (folder / f"plan{suffix}").stat().st_size > 10_000


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("cmx-rack", "--objective", "powr"), "error: unknown objective 'powr'\n  Did you mean 'power'?\n"),
        (("cmx-rack", "--objective", "power,power"), "error: objective 'power' is given twice\n"),
        (("cmx-rack", "--objective", "cost"), "error: objective 'cost' needs your prices\n"),
        (("cmx-rack", "--engine", "cplex"), "error: unknown engine 'cplex'\n"),
        (("cmx-rack", "--time-limit", "0"), "error: --time-limit 0 is not more than 0\n"),
        (("cmx-rack", "--time-limit", "nan"), "error: --time-limit nan is not more than 0\n"),
        (("cmx-rack", "--gap", "5"), "error: --gap: '5' is not a percentage\n"),
        (("cmx-rack", "--only", "acme/nope"), "error: --only acme/nope: no working set 'acme/nope'\n"),
        (("cmx-rack", "--set", "nope"), "error: --set nope: not of the form PATH=VALUE\n"),
        (("cmx-rack", "--strict"), "error: 3 values are assumed, not published\n  State what you measured"),
        (("hbm-only", "--picture", "p.bmp"), "error: p.bmp: pictures are .svg or .png, not '.bmp'\n"),
        (("hbm-only", "--picture", "no/p.svg"), "error: no/p.svg: its folder does not exist\n"),
        (("hbm-only", "-o", "no/p.json"), "error: no/p.json: its folder does not exist\n"),
        (("hbm-only", "-o", "mine.txt"), "error: mine.txt: file exists already\n"),
        (("hbm-only", "-o", "."), "error: .: this is a folder\n"),
        (("nope",), "error: nope: no such file or shipped topology\n"),
    ],
)
def test_bad_input_is_told_before_anything_is_solved(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    """Exit code 2 and one message; what the user has is not touched."""
    (folder / "mine.txt").write_text("mine")
    assert refused(capsys, *arguments).startswith(message)
    assert [(path.name, path.read_text()) for path in folder.iterdir()] == [("mine.txt", "mine")]


def test_an_earlier_plan_is_replaced(folder: Path) -> None:
    """A file that ``solve`` wrote may be written again."""
    assert solve("hbm-only", "-o", "plan.json")[0] == 0
    assert solve("hbm-g2", "-o", "plan.json")[0] == 0
    assert json.loads((folder / "plan.json").read_text())["topology"]["file"] == "hbm-g2.yaml"


def test_a_file_without_workload_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """There is nothing to place."""
    (folder / "empty.yaml").write_text("cmxverify: 1\nname: x\nnodes: {gpu: h100-sxm}\n")
    assert refused(capsys, "empty.yaml").startswith(
        "error: empty.yaml: the topology has no workload to place\n"
    )


def test_a_gap_that_is_not_reached_is_told() -> None:
    """A feasible plan whose bound is not close enough ends with 3 and says how close it is."""
    from cmxverify.placement.proof.outcome import LevelResult, Outcome, Status
    from cmxverify.report.placement_tables import verdict_lines

    level = LevelResult("power", 1000, 900, Fraction(1))
    outcome = Outcome(Status.FEASIBLE, {}, (level,), (), None)
    lines = verdict_lines(outcome, saved="p.json", gap=Fraction(1, 1000), seconds=2.0, width=120)
    expected = "feasible   within 10.00 % of the proved bound at every level, wider than the 0.10 % asked for; plan and"
    assert lines[0].startswith(expected[:90])


def test_strict_says_where_each_figure_would_be_stated(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A line each: file and line, what to write there for the whole box, and what the catalog takes."""
    lines = refused(capsys, "cmx-rack", "--strict").splitlines()[2:]
    assert lines == [
        "    cmx-rack.yaml:21  first_byte: 200 us  tlc-gen6-30tb: 200 us (60 us to 500 us)",
        "    cmx-rack.yaml:21  idle: 250 W         tlc-gen6-30tb: 25 W for each of 10 drives (15 W to 40 W)",
        "    cmx-rack.yaml:21  full: 550 W         tlc-gen6-30tb: 55 W for each of 10 drives (40 W to 75 W)",
    ]


def test_what_strict_asks_for_is_what_it_accepts(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Each figure written as told, the same file passes."""
    told = [line.split("  ")[3].split(": ") for line in refused(capsys, "article", "--strict").splitlines()[2:]]
    changes = [part for key, value in told for part in ("--set", f"templates.cmx.nodes.flash.{key}={value}")]
    assert len(changes) == 6
    assert solve("article", "--strict", *changes)[0] == 0


def test_strict_names_every_line_that_relies_on_a_figure(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Two templates with drives of one kind are two lines of each figure."""
    drives = "{is: tlc-gen6-30tb, tier: G3.5}"
    head = "cmxverify: 1\nname: two\nnodes: {gpu: h100-sxm, leaf: sn5610, d0: bluefield-4,\n"
    flashes = f"  one: {drives},\n  two: {drives}}}\n"
    cables = "links: {gpu -- leaf: 400 Gb/s, leaf -- d0: 400 Gb/s, 'd0 -- one': 1 GB/s, 'd0 -- two': 1 GB/s}\n"
    (folder / "two.yaml").write_text(head + flashes + cables)
    message = refused(capsys, "two.yaml", "--strict")
    assert [f"two.yaml:{line}  idle: 25 W" in message for line in (4, 5, 6)] == [True, True, False]
