"""``cmxverify lint``: lines in file order, counts, exit codes, the same for machines."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from cmxverify.cli.lint import register
from cmxverify.errors import InputError

ERRORS = """\
article.yaml:11:3   TP-6  error    Dynamo 2.0 is not published; releases go from 0.7 to 1.6. Name the one you run, such
                                   as "1.6"
"""


def run(*arguments: str) -> tuple[int, str]:
    app = typer.Typer()
    register(app)
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    return result.exit_code, result.output


def test_errors_give_exit_code_1_and_a_line_each() -> None:
    """Place, rule, severity, sentence and remedy; wrapped under the sentence at 120 columns."""
    code, output = run("article")

    assert code == 1
    assert output.startswith(ERRORS)
    assert output.splitlines()[-1].startswith(
        "3 errors, 2 warnings, 0 hints from 24 rules; 1 repeated on other lines"
    )
    assert max(map(len, output.splitlines())) <= 120


def test_warnings_alone_give_exit_code_0() -> None:
    """The article keeps to its own profile; the hops that hold are printed last, since they have no line."""
    code, output = run("article", "--profile", "article")

    assert code == 0
    assert (
        "TP-5  ok       farthest place: 1 switch, 0 switch links, 2 links; 2 hops hold in each metric"
        in output
    )
    assert output.splitlines()[-1] == "0 errors, 1 warning, 0 hints from 27 rules"


def test_the_rack_under_the_article() -> None:
    """The shipped rack breaks the article in two points, and reports its hops; what is published it keeps."""
    code, output = run("cmx-rack", "--profile", "article")

    assert code == 1
    assert "Dynamo 1.6; the article asks 2.0 or later. the catalog knows none" in output
    assert "bluefield-4 is 800 Gb/s; the article says 400. Use bluefield-4-article to model the" in output
    assert (
        "TP-5 ok     farthest place: 1 switch, 0 switch links, 2 links; 2 hops hold in each metric" in output
    )
    assert run("cmx-rack") == (0, "0 errors, 0 warnings, 0 hints from 24 rules\n")


def test_all_lists_repeated_lines_and_rules_that_hold() -> None:
    """Every rule of the profile has at least a line, and the second line with the DPU has its own."""
    _, output = run("article", "--all")

    named = {line.split()[1] for line in output.splitlines() if line.startswith("article.yaml")}
    assert len(named) == 24
    assert sum("TP-2 " in line for line in output.splitlines()) == 2


def test_set_changes_the_verdict() -> None:
    """--set reaches the rules, and the line stays that of the file."""
    code, output = run("hbm-g3", "--set", "plan_to=100%", "--set", "templates.server.nodes.ssd.usable=1 PB")

    assert code == 1
    assert "TP-12 error  usable is 1 PB, but 4 x solidigm-d7-ps1030 has 4 x 12.8 TB" in output
    assert "TP-24 hint   plan_to is 100 %" in output


def test_json_holds_every_finding() -> None:
    """Rule, verdict, place, text and source of each finding, and the rules that said nothing."""
    code, output = run("article", "--json")
    verdict = json.loads(output)

    assert code == 1
    assert (verdict["topology"], verdict["profile"], verdict["errors"], verdict["hints"]) == (
        "article",
        "published",
        4,
        0,
    )
    first = verdict["findings"][0]
    assert (first["rule"], first["verdict"], first["line"], first["column"]) == ("TP-6", "error", 11, 3)
    spoken = {finding["rule"] for finding in verdict["findings"]}
    assert len(spoken) + len(verdict["silent"]) == 24


def test_bad_input_is_one_error(tmp_path: Path) -> None:
    """A file that cannot be read is no verdict; the entry point turns this into exit code 2."""
    path = tmp_path / "rack.yaml"
    path.write_text("cmxverify: 1\nname: x\nnodes: {gpu: h1000}\n")

    with pytest.raises(InputError, match="'h1000' is neither a template nor in the catalog"):
        run(str(path))


def test_an_unknown_profile_is_a_usage_error() -> None:
    """typer names the two profiles."""
    code, output = run("article", "--profile", "vendor")

    assert code == 2
    assert "article" in output
    assert "published" in output
