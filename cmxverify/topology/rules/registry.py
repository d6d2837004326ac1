"""All rules by number, and the judgement of a topology by those of one profile."""

from __future__ import annotations

from cmxverify.topology.model import Topology
from cmxverify.topology.rules import cables, cmx, fabric, planning, shape, software, storage
from cmxverify.topology.rules.rule import Finding, Remark, Rule
from cmxverify.topology.rules.subject import Profile, Subject

_SUBJECTS = (cables, cmx, fabric, planning, shape, software, storage)


def _collect() -> tuple[Rule, ...]:
    found = [each for module in _SUBJECTS for each in vars(module).values() if isinstance(each, Rule)]
    numbers = sorted(each.number for each in found)
    assert numbers == list(range(1, len(found) + 1)), f"rule numbers are not 1 to {len(found)}: {numbers}"
    return tuple(sorted(found, key=lambda each: each.number))


RULES: tuple[Rule, ...] = _collect()
"""Every rule, TP-1 first."""


def rules_of(profile: Profile) -> tuple[Rule, ...]:
    """The rules of one profile."""
    return tuple(each for each in RULES if profile in each.severities)


def judge(topology: Topology, profile: Profile) -> tuple[Finding, ...]:
    """What the rules of a profile find, in file order; remarks without a line come last.

    A rule that repeats itself about equal nodes of one line speaks once.
    """
    subject = Subject(topology, profile)
    findings = [
        _finding(each, remark, profile)
        for each in rules_of(profile)
        for remark in dict.fromkeys(each.check(subject))
    ]
    return tuple(sorted(findings, key=lambda finding: _order(finding, topology.file)))


def _finding(rule: Rule, remark: Remark, profile: Profile) -> Finding:
    severity = remark.severity or rule.severities[profile]
    return Finding(rule, severity, remark.at, remark.text, remark.fix, remark.ok)


def _order(finding: Finding, file: str) -> tuple[bool, bool, str, int, int, int]:
    at = finding.at
    return at.line == 0, at.file != file, at.file, at.line, at.column, finding.rule.number
