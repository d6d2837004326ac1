"""Every shipped topology by name, as a newcomer tries them: shown, sized, judged, solved, verified."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runs import Ran, Run

from cmxverify.topology.load import shipped_topologies

SMALL = ("hbm-only", "hbm-g2", "hbm-g3", "shared-g4", "cmx-rack", "article")
OPENED = {
    "hbm-only": None,
    "hbm-g2": None,
    "hbm-g3": None,
    "shared-g4": "1 of 1 storage on",
    "cmx-rack": "4 of 4 enclosures on: 3 shared",
    "article": "1 of 1 cmx on",
    "cmx-pod": "22 of 32 enclosures on: 20 shared",
}
"""What is switched on; nothing where KV stays in the servers."""
TIERS = {
    "hbm-only": ["G1 HBM"],
    "hbm-g2": ["G1 HBM", "G2 host"],
    "hbm-g3": ["G2 host", "G3 SSD"],
    "shared-g4": ["G2 host", "G4 shared"],
    "cmx-rack": ["G2 host", "G3.5 CMX"],
    "article": ["G2 host", "G3.5 CMX"],
    "cmx-pod": ["G2 host", "G3.5 CMX"],
}
FAULTY = {("article", "published"), ("cmx-rack", "article"), ("cmx-pod", "article")}
"""What lint finds errors in: the article is not what is published, and the other way round."""


def table_after(output: str, heading: str) -> list[str]:
    """Rows under the line whose first word is the heading, up to the next table, or what continues this one."""
    lines = output.splitlines()
    start = next(index for index, line in enumerate(lines) if line.split()[:1] == [heading]) + 1
    others = ("limit", "levels", heading)
    end = next(index for index in range(start, len(lines)) if lines[index].split()[0] in others)
    return [line.strip() for line in lines[start:end]]


def solved_and_verified(run: Run, name: str) -> Ran:
    """Solve to the default file, have it accepted, and look at the output for what no user should see."""
    solved = run("solve", name, "--time-limit", 300)
    assert solved.code == 0, solved.out + solved.err
    assert solved.out.startswith("optimal   proved at every level; plan and certificate in")
    assert max(map(len, solved.out.splitlines())) <= 120
    assert [row.split("  ")[0] for row in table_after(solved.out, "tier")] == TIERS[name]
    assert (OPENED[name] or " of ") in solved.out
    assert OPENED[name] or "enclosure" not in solved.out
    verified = run("verify", f"{name}.placement.json")
    assert (verified.code, verified.out.split(";")[0]) == (0, "accepted   optimal"), verified.out
    return solved


def test_these_tests_know_every_shipped_topology() -> None:
    """A new one has to be added here."""
    assert sorted([*SMALL, "cmx-pod"]) == shipped_topologies() == sorted(OPENED) == sorted(TIERS)


@pytest.mark.parametrize("name", SMALL)
def test_small_topologies_are_solved_and_verified(run: Run, name: str) -> None:
    """Proved optimal, accepted by the auditor, and a table of the tiers that hold something."""
    solved_and_verified(run, name)


def test_the_pod_is_solved_and_verified(run: Run) -> None:
    """The one solve of 1,152 GPUs in these tests: the power of its tiers is on the page, too."""
    solved = solved_and_verified(run, "cmx-pod")
    row = table_after(solved.out, "tier")[1]
    assert row.split()[:3] == ["G3.5", "CMX", "22"]
    assert "20,042 W" in row


@pytest.mark.parametrize("name", shipped_topologies())
def test_shipped_topologies_are_shown(run: Run, name: str) -> None:
    """A summary and a picture under the topology's name."""
    shown = run("show", name)
    assert (shown.code, shown.err) == (0, "")
    assert shown.out.startswith(f"{name}   ")
    assert Path(f"{name}.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize("profile", ["article", "published"])
@pytest.mark.parametrize("name", shipped_topologies())
def test_lint_agrees_with_what_is_published(run: Run, name: str, profile: str) -> None:
    """Exit code 1 where the profile and the topology follow different texts, else 0."""
    assert run("lint", name, "--profile", profile).code == ((name, profile) in FAULTY)


@pytest.mark.parametrize("name", shipped_topologies())
def test_every_working_set_is_sized(run: Run, name: str) -> None:
    """One block a set, the first line names it."""
    sized = run("size", name)
    assert (sized.code, sized.err) == (0, "")
    sets = run("size", name, "--json").document["sets"]
    heads = [line.split()[0] for line in sized.out.splitlines() if line and not line.startswith(" ")]
    assert heads == [each["set"] for each in sets]


def test_only_hbm_holds_kv_if_the_file_says_so(run: Run) -> None:
    """hbm-only: no restore time, no power to switch, and eight GPUs three quarters full."""
    out = run("solve", "hbm-only").out
    assert "0.0 / 0.0 / 200 ms" in out
    assert "G1 HBM, 8 places  327.7 GB  434.9 GB  75 %" in out
