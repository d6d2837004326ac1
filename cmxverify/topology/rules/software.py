"""Rules about the software that a file names: Dynamo, NIXL and DOCA."""

from __future__ import annotations

from collections.abc import Iterator

from cmxverify.topology.rules.rule import Remark, Severity, rule
from cmxverify.topology.rules.subject import Subject
from cmxverify.topology.rules.versions import Version, parse_version

_ARTICLE_DYNAMO = Version((2,))
_KNOWN_DYNAMO = (1, 6)  # docs.nvidia.com/dynamo lists 0.7 to 1.6
_ARTICLE_DOCA = Version((2, 5))
_MEMOS_DOCA = Version((4, 4))
_ABSENT = frozenset({"no", "none", "off", "false"})


@rule(
    6,
    "Dynamo is of a version that exists and suffices",
    source="A26; docs.nvidia.com/dynamo lists 0.7 to 1.6",
    article=Severity.ERROR,
    published=Severity.ERROR,
)
def dynamo(subject: Subject) -> Iterator[Remark]:
    """The article asks 2.0 or later for CMX; no release of that number is published."""
    required = subject.by_article and bool(subject.cmx)
    if not required and (subject.by_article or "dynamo" not in subject.topology.software):
        return
    version, remark = _read(subject, "dynamo", "Dynamo")
    if version is None:
        yield remark
        return
    text, at = subject.topology.software["dynamo"]
    if subject.by_article and version < _ARTICLE_DYNAMO:
        yield Remark(at, f"Dynamo {text}; the article asks 2.0 or later", "the catalog knows none")
    elif not subject.by_article and version.series(2) > _KNOWN_DYNAMO:
        fix = 'Name the one you run, such as "1.6"'
        yield Remark(at, f"Dynamo {text} is not published; releases go from 0.7 to 1.6", fix)


@rule(
    7,
    "NIXL is deployed with CMX",
    source="A27; ai-dynamo/nixl: DOCA Memos is one of its backends",
    article=Severity.ERROR,
    published=Severity.WARNING,
)
def nixl(subject: Subject) -> Iterator[Remark]:
    """Dynamo's images bring NIXL, so it need not be named beside Dynamo; it must not be denied either."""
    if not subject.cmx:
        return
    software = subject.topology.software
    text, at = software.get("nixl", ("", subject.file))
    if text.strip().lower() in _ABSENT:
        yield Remark(at, f"nixl: {text}; CMX is reached through NIXL", "Deploy NIXL and name its version")
    elif "nixl" not in software and "dynamo" not in software:
        text = "the file names neither NIXL nor Dynamo, which brings it"
        yield Remark(at, text, 'Write software: {nixl: "..."}', Severity.HINT)


@rule(
    8,
    "DOCA is recent enough for CMX",
    source="A28; ai-dynamo/nixl, plugin doca_memos: DOCA 4.4 or later",
    article=Severity.ERROR,
    published=Severity.ERROR,
)
def doca(subject: Subject) -> Iterator[Remark]:
    """The article asks 2.5, an LTS of 2023 that predates BlueField-4; the Memos plugin asks 4.4."""
    if not subject.cmx:
        return
    version, remark = _read(subject, "doca", "DOCA")
    if version is None:
        yield remark
        return
    text, at = subject.topology.software["doca"]
    if subject.by_article and version < _ARTICLE_DOCA:
        yield Remark(at, f"DOCA {text}; the article asks 2.5 or later", 'Write doca: "2.5" or later')
    elif not subject.by_article and version < _MEMOS_DOCA:
        yield Remark(at, f"DOCA {text}; DOCA Memos needs 4.4 or later", 'Write doca: "4.4" or later')


def _read(subject: Subject, key: str, title: str) -> tuple[Version | None, Remark]:
    """The version of a software, or what to say when there is none to compare."""
    if key not in subject.topology.software:
        missing = f"the file names no {title} version, so this cannot be checked"
        return None, Remark(subject.file, missing, f'Write software: {{{key}: "..."}}', Severity.HINT)
    text, at = subject.topology.software[key]
    unread = Remark(
        at, f"{title} '{text}' is no version that can be compared", 'Write it as "1.6"', Severity.WARNING
    )
    return parse_version(text), unread
