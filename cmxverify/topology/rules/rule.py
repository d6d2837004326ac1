"""What a rule is: a number that stays, a severity in each profile it belongs to, a source and a check."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from cmxverify.errors import Location
from cmxverify.topology.rules.subject import Profile, Subject


class Severity(StrEnum):
    """How bad a breach is; only errors make ``lint`` fail."""

    ERROR = "error"
    WARNING = "warning"
    HINT = "hint"


@dataclass(frozen=True, slots=True)
class Remark:
    """What a check says of one place in the file; the rule lends its severity unless one is given."""

    at: Location
    text: str
    fix: str = ""
    severity: Severity | None = None
    ok: bool = False
    """The rule holds, and the reader wants to know by how much."""


Check = Callable[[Subject], Iterator[Remark]]


@dataclass(frozen=True, slots=True)
class Rule:
    """One numbered rule. Numbers are never reused: scripts and pages cite them."""

    number: int
    title: str
    """What must hold, as a sentence without its full stop."""
    source: str
    """Number of the article's statement (``A25``), or the public text behind the rule."""
    severities: Mapping[Profile, Severity]
    check: Check

    @property
    def id(self) -> str:
        """Name in reports: ``TP-5``."""
        return f"TP-{self.number}"


@dataclass(frozen=True, slots=True)
class Finding:
    """One remark of one rule, ready to print."""

    rule: Rule
    severity: Severity
    at: Location
    text: str
    fix: str
    ok: bool

    @property
    def word(self) -> str:
        """``ok``, or the severity."""
        return "ok" if self.ok else self.severity.value


def rule(
    number: int,
    title: str,
    *,
    source: str,
    article: Severity | None = None,
    published: Severity | None = None,
) -> Callable[[Check], Rule]:
    """Make a rule of a check; a profile without a severity does not have the rule."""
    given = {Profile.ARTICLE: article, Profile.PUBLISHED: published}
    severities = {profile: severity for profile, severity in given.items() if severity is not None}
    assert severities, f"TP-{number} belongs to no profile"
    return lambda check: Rule(number, title, source, severities, check)
