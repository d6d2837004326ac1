"""``cmxverify lint``: judge a topology by numbered rules."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from cmxverify.cli.exit_codes import ExitCode
from cmxverify.cli.options import JsonOption, SetOption, TopologyArgument, print_json

if TYPE_CHECKING:
    from cmxverify.topology.model import Topology
    from cmxverify.topology.rules.rule import Finding, Rule

_WORDS = ("error", "warning", "hint")

ProfileOption = Annotated[
    Literal["article", "published"],
    typer.Option("--profile", help="Judge by the article's claims, or by what public documents say today."),
]
AllOption = Annotated[bool, typer.Option("--all", help="Print repeated findings and rules that hold, too.")]


def register(app: typer.Typer) -> None:
    """Add the command."""

    @app.command()
    def lint(
        topology: TopologyArgument,
        profile: ProfileOption = "published",
        overrides: SetOption = None,
        every: AllOption = False,
        as_json: JsonOption = False,
    ) -> None:
        """Judge a topology by the numbered rules of specs/rules.md; exit code 1 if there are errors."""
        from cmxverify.topology.load import load_topology
        from cmxverify.topology.rules.registry import judge, rules_of
        from cmxverify.topology.rules.subject import Profile

        cluster = load_topology(topology, overrides=overrides or ())
        measure = Profile(profile)
        findings = judge(cluster, measure)
        if as_json:
            print_json(_as_json(cluster, profile, findings, rules_of(measure)))
        else:
            _print(cluster, findings, rules_of(measure), every=every)
        if any(finding.word == "error" for finding in findings):
            raise typer.Exit(ExitCode.NO)


def _print(cluster: Topology, findings: Sequence[Finding], rules: Sequence[Rule], *, every: bool) -> None:
    from cmxverify.report.tables import fold, hang, output_width

    width = output_width()
    shown = list(findings) if every else _first_of_each(findings)
    rows = [(str(each.at), each.rule.id, each.word, _sentence(each)) for each in shown]
    if every:
        rows += [(cluster.file, each.id, "ok", each.title) for each in _silent(findings, rules)]
    widths = [max((len(row[column]) for row in rows), default=0) for column in range(3)]
    for row in rows:
        cells = (cell.ljust(width) for cell, width in zip(row, widths, strict=False))
        place, number, word = cells
        typer.echo("\n".join(hang(f"{place}  {number} {word}  ", row[3], width=width)))
    typer.echo("\n".join(fold(_counts(shown, len(findings) - len(shown), len(rules)), width=width)))


def _sentence(finding: Finding) -> str:
    return f"{finding.text}. {finding.fix}" if finding.fix else finding.text


def _first_of_each(findings: Sequence[Finding]) -> list[Finding]:
    """The first of the findings of one rule that say the same of several lines."""
    first: dict[tuple[int, str], Finding] = {}
    for finding in findings:
        first.setdefault((finding.rule.number, finding.text), finding)
    return list(first.values())


def _silent(findings: Sequence[Finding], rules: Sequence[Rule]) -> list[Rule]:
    spoken = {finding.rule.number for finding in findings}
    return [each for each in rules if each.number not in spoken]


def _counts(shown: Sequence[Finding], repeated: int, rules: int) -> str:
    found = Counter(finding.word for finding in shown)
    counted = ", ".join(f"{found[word]} {word}{'s' if found[word] != 1 else ''}" for word in _WORDS)
    more = f"; {repeated} repeated on other lines, --all lists them" if repeated else ""
    return f"{counted} from {rules} rules{more}"


def _as_json(
    cluster: Topology, profile: str, findings: Sequence[Finding], rules: Sequence[Rule]
) -> dict[str, Any]:
    found = Counter(finding.word for finding in findings)
    return {
        "topology": cluster.name,
        "file": cluster.file,
        "profile": profile,
        **{f"{word}s": found[word] for word in _WORDS},
        "findings": [_finding_as_json(finding) for finding in findings],
        "silent": [each.id for each in _silent(findings, rules)],
    }


def _finding_as_json(finding: Finding) -> dict[str, Any]:
    return {
        "rule": finding.rule.id,
        "verdict": finding.word,
        "file": finding.at.file,
        "line": finding.at.line or None,
        "column": finding.at.column or None,
        "text": finding.text,
        "fix": finding.fix or None,
        "title": finding.rule.title,
        "source": finding.rule.source,
    }
