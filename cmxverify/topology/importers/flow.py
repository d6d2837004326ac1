"""Writing YAML values by hand, so that a topology file keeps its comments and stays short."""

from __future__ import annotations

import re

from cmxverify.yaml_tree import Plain

_PLAIN_TEXT = re.compile(r"[A-Za-z][A-Za-z0-9_.%/+\- ]*[A-Za-z0-9_%/+]|[A-Za-z]")
_QUANTITY = re.compile(r"\d+(?:\.\d+)? ?[A-Za-z/%][A-Za-z/%]*")
_TAKEN = re.compile(r"(?:true|false|yes|no|on|off|null|y|n)", re.IGNORECASE)


def write_text(text: str) -> str:
    """A scalar, in quotes where YAML 1.1 or 1.2 would take it for something else.

    >>> write_text("sn5610"), write_text("400 Gb/s"), write_text("no"), write_text("1.10"), write_text("a: b")
    ('sn5610', '400 Gb/s', '"no"', '"1.10"', '"a: b"')
    """
    plain = _PLAIN_TEXT.fullmatch(text) or _QUANTITY.fullmatch(text)
    if plain and not _TAKEN.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]", lambda m: f"\\u{ord(m.group()):04x}", escaped) + '"'


def write_value(value: Plain) -> str:
    """A value in one line: ``{is: sn5610, idle: 500 W}``."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{write_text(key)}: {write_value(member)}" for key, member in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(write_value(member) for member in value) + "]"
    if isinstance(value, str):
        return write_text(value)
    if value is None:
        return "null"
    return str(value).lower() if isinstance(value, bool) else str(value)
