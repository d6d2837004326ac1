"""``solve --from`` and ``solve --survive`` from end to end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cmxverify.cli.main import app, main

SHARING = ("--set", "tenants.hooli.isolation=namespace")
CUT = ("--set", "power.shelf.budget=1.4kW")
PLAN = "cmx-rack.placement.json"


def solve(*arguments: str, columns: int = 120) -> tuple[int, list[str]]:
    """Exit code and lines of a run."""
    result = CliRunner().invoke(app, ["solve", *arguments], env={"COLUMNS": str(columns)})
    return result.exit_code, result.output.splitlines()


def solved_before() -> bytes:
    """The plan of the rack, written where it is by default."""
    assert solve("cmx-rack")[0] == 0
    return Path(PLAN).read_bytes()


def test_a_change_is_told_in_one_line(folder: Path) -> None:
    """What is on, drawn, worn, waited for and moved; the plan compared with stays as it is."""
    before = solved_before()
    assert solve("cmx-rack", *SHARING, "--from", PLAN) == (
        0,
        [
            "optimal   enclosures 4 -> 3   power 1,572 -> 1,322 W   endurance 87 -> 93 %   "
            "restore 29.9 ms unchanged   moved 49.2 TB"
        ],
    )
    assert Path(PLAN).read_bytes() == before
    assert [path.name for path in folder.iterdir()] == [PLAN]


def test_more_sessions_are_new_bytes_not_moved_ones(folder: Path) -> None:
    """10,000 sessions of 4.096 GB more, in chunks of 100 GB."""
    solved_before()
    _, lines = solve("cmx-rack", "--set", "workload.acme/chat.sessions=70k", "--from", PLAN)
    assert " ".join(lines).split("%")[-1].split("   ")[-1].strip().endswith("new 40.9 TB")


def test_a_limit_that_does_not_bind_moves_nothing(folder: Path) -> None:
    """The earlier plan is as good as any, so it stays; -o keeps it, and it is proved."""
    solved_before()
    code, lines = solve("cmx-rack", "--set", "power.shelf.budget=1.8kW", "--from", PLAN, "-o", "new.json")
    assert (code, lines[-1]) == (0, "  nothing moves")
    assert CliRunner().invoke(app, ["verify", "new.json"]).exit_code == 0


def test_machines_get_exact_figures(folder: Path) -> None:
    """Pairs of old and new beside the whole answer."""
    solved_before()
    code, lines = solve("cmx-rack", *SHARING, "--from", PLAN, "--json")
    document = json.loads("\n".join(lines))
    assert (code, document["status"], document["saved"]) == (0, "optimal", None)
    assert document["comparison"]["units_on"] == [4, 3]
    assert document["comparison"]["moved"] == str(492 * 10**11)


def test_an_infeasible_change_is_explained_as_ever(folder: Path) -> None:
    """There is nothing to compare then; nothing is written either."""
    before = solved_before()
    code, lines = solve("cmx-rack", *CUT, "--from", PLAN, "--no-explain")
    assert (code, lines[0].split()[0]) == (1, "infeasible")
    assert Path(PLAN).read_bytes() == before


def test_what_is_not_survived_is_told_with_numbers(folder: Path) -> None:
    """Exit code 1; the first line is the verdict with a reason a class, and nothing is written."""
    code, lines = solve("cmx-rack", "--survive", "1")
    assert code == 1
    assert lines[:2] == [
        "not survived   cmx[0-3]: 4 needed, 3 left; leaf[0-1]: reads 331.9 of 240 GB/s; "
        "tray[16-17]: only readers of a set",
        "  survived   tray[00-15]",
    ]
    assert list(folder.iterdir()) == []


def test_a_cluster_with_room_survives(folder: Path) -> None:
    """Exit code 0 where every failure leaves enough."""
    code, lines = solve("cmx-rack", "--survive", "1", *ROOMY)
    assert (code, lines[0].split()[0]) == (0, "survived"), lines


ROOMY = ("--only", "acme/chat", "--set", "workload.acme/chat.sessions=10k")


def test_no_time_is_undecided(folder: Path) -> None:
    """Exit code 3: neither survived nor not."""
    code, lines = solve("cmx-rack", *ROOMY, "--survive", "1", "--time-limit", "0.000001")
    assert (code, lines[0].split()[0]) == (3, "undecided"), lines


def test_survival_for_machines(folder: Path) -> None:
    """Each class with its verdict, and the sets that nobody is left to read."""
    code, lines = solve("cmx-rack", "--survive", "1", "--json")
    document = json.loads("\n".join(lines))
    assert (code, document["verdict"], document["survive"]) == (1, "not survived", 1)
    by_first = {each["members"][0]: each for each in document["classes"]}
    assert by_first["tray16"]["sets_without_readers"] == ["globex/docs"]
    assert by_first["tray00"]["verdict"] == "survived"


def test_what_does_not_fit_at_all_is_infeasible(folder: Path) -> None:
    """Failures are not asked about then; nothing is written."""
    code, lines = solve("cmx-rack", *CUT, "--survive", "1", "--no-explain")
    assert (code, lines[0].split()[0]) == (1, "infeasible")
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--survive", "0"), "error: --survive 0 is less than 1\n"),
        (("--survive", "1", "--from", "p.json"), "error: --from needs a plan, and --survive makes none\n"),
        (("--survive", "1", "-o", "p.json"), "error: -o needs a plan, and --survive makes none\n"),
        (("--survive", "1", "--picture", "p.svg"), "error: --picture needs a plan, and --survive makes none\n"),
        (("--from", "p.json"), "error: p.json: cannot be read: No such file or directory\n"),
    ],
)
def test_bad_questions_get_one_message(
    folder: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], message: str
) -> None:
    """Exit code 2, before anything is solved."""
    with pytest.raises(SystemExit) as caught:
        main(["solve", "cmx-rack", *arguments])
    assert caught.value.code == 2
    assert capsys.readouterr().err.startswith(message)


def test_narrow_terminals_are_kept_to(folder: Path) -> None:
    """No line is wider than the terminal where words allow."""
    _, lines = solve("cmx-rack", "--survive", "1", columns=60)
    assert max(map(len, lines)) <= 60
