"""XML as plain elements with line numbers; no entities, nothing fetched, limits on size and depth."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from cmxverify.errors import InputError, Location
from cmxverify.topology.importers.source import SourceText

MAX_DEPTH = 100
MAX_ELEMENTS = 1_000_000


@dataclass(slots=True)
class Element:
    """One element; ``tag`` is without namespace, ``text`` what stands before its first child."""

    tag: str
    attributes: dict[str, str]
    at: Location
    children: list[Element] = field(default_factory=list)
    text: str = ""

    def get(self, name: str, default: str = "") -> str:
        """An attribute, or the default."""
        return self.attributes.get(name, default)

    def named(self, tag: str) -> Iterator[Element]:
        """Children of one tag."""
        return (child for child in self.children if child.tag == tag)


class _Target:
    """Builds elements while expat reads; knows the line from the parser."""

    def __init__(self, file: str) -> None:
        self.file, self.count = file, 0
        self.root: Element | None = None
        self.stack: list[Element] = []
        self.expat: Any = None

    def at(self) -> Location:
        return Location(self.file, self.expat.CurrentLineNumber)

    def start(self, tag: str, attributes: dict[str, str]) -> None:
        self.count += 1
        if len(self.stack) >= MAX_DEPTH or self.count > MAX_ELEMENTS:
            what = f"XML has more than {MAX_DEPTH} levels or {MAX_ELEMENTS:,} elements"
            raise InputError(what, at=self.at(), fix="Is this the right file?")
        element = Element(tag.rpartition("}")[2], dict(attributes), self.at())
        if self.stack:
            self.stack[-1].children.append(element)
        else:
            self.root = element
        self.stack.append(element)

    def data(self, text: str) -> None:
        if self.stack and not self.stack[-1].children:
            self.stack[-1].text += text

    def end(self, tag: str) -> None:
        self.stack.pop()

    def close(self) -> Element | None:
        return self.root


def read_xml(source: SourceText) -> Element:
    """Parse XML text. A DOCTYPE is accepted but not fetched; any entity definition is refused.

    Raises:
        InputError: If the text is not well-formed, defines entities, or is too deep or too large.
    """
    from xml.etree.ElementTree import ParseError

    from defusedxml.common import DefusedXmlException
    from defusedxml.ElementTree import DefusedXMLParser

    target = _Target(source.name)
    parser = DefusedXMLParser(target=target, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    target.expat = parser.parser
    try:
        parser.feed(_without_declared_encoding(source.text))
        root = parser.close()
    except ParseError as error:
        line, _ = error.position
        reason = str(error).split(":")[0]
        raise InputError(f"not well-formed XML: {reason}", at=source.at(line), fix="Is the file complete?") from None
    except DefusedXmlException:
        fix = "Remove the DOCTYPE's entity definitions and references; a topology needs none."
        raise InputError("XML with entities is refused", at=target.at(), fix=fix) from None
    assert isinstance(root, Element), root
    return root


def _without_declared_encoding(text: str) -> str:
    """Drop the XML declaration: the text is decoded already, whatever encoding it claims."""
    if text.startswith("<?xml"):
        end = text.find("?>")
        if end >= 0:
            return "\n" * text.count("\n", 0, end) + text[end + 2 :]
    return text.lstrip("\ufeff")
