"""Reading a request trace line by line: JSON lines, maybe gzipped, within limits and with file and line."""

from __future__ import annotations

import gzip
import json
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, NoReturn, cast

from cmxverify.errors import InputError, Location

MAX_LINE_BYTES = 16 * 2**20
"""One conversation of a published trace takes under 1 MB."""
MAX_TRACE_BYTES = 512 * 2**20
"""Bytes after unpacking: a small archive that unfolds without end stops here."""
MAX_LINES = 5_000_000

_JSON_FIX = "A trace holds one JSON object a line."


def read_trace_lines(path: Path, at: Location) -> Iterator[tuple[Location, dict[str, Any]]]:
    """The object on each line, with its place; blank lines are skipped. Only one line is held at a time.

    ``at`` is the line that names the trace, for a file that cannot be opened.

    Raises:
        InputError: If the file cannot be read, is larger than the limits above, or a line is no JSON object.
    """
    with _opened(path, at) as stream:
        unpacked = number = 0
        while line := _next_line(stream, Location(str(path), number + 1)):
            number += 1
            unpacked += len(line)
            here = Location(str(path), number)
            if unpacked > MAX_TRACE_BYTES or number > MAX_LINES:
                what = f"the trace is longer than {MAX_LINES:,} lines or {MAX_TRACE_BYTES // 2**20} MiB unpacked"
                raise InputError(what, at=here, fix="Take a part of it: bands need some thousand requests.")
            if line.strip():
                yield here, _parse(line, here)


@contextmanager
def _opened(path: Path, at: Location) -> Iterator[IO[bytes]]:
    """The file's bytes, unpacked where it begins as gzip does, whatever it is called."""
    try:
        raw = path.open("rb")
    except OSError as error:
        what = f"trace '{path}' cannot be read: {error.strerror}"
        raise InputError(what, at=at, fix="Paths are relative to the file that names them.") from None
    except ValueError:  # a NUL character in the name
        raise InputError("this is not a file name", at=at, fix="Check the name of the trace.") from None
    with raw:
        packed = raw.peek(2)[:2] == b"\x1f\x8b"
        yield cast("IO[bytes]", gzip.GzipFile(fileobj=raw)) if packed else raw


def _next_line(stream: IO[bytes], here: Location) -> bytes:
    try:
        line = stream.readline(MAX_LINE_BYTES + 1)
    except (OSError, EOFError, zlib.error):
        raise InputError("the trace is damaged here", at=here, fix="Fetch or pack the file again.") from None
    if len(line) > MAX_LINE_BYTES:
        raise InputError(f"a line of more than {MAX_LINE_BYTES // 2**20} MiB", at=here, fix=_JSON_FIX)
    return line


def _parse(line: bytes, here: Location) -> dict[str, Any]:
    try:
        found = _DECODER.decode(line.decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError("not UTF-8", at=here, fix=_JSON_FIX) from None
    except (ValueError, RecursionError):
        raise InputError("not JSON", at=here, fix=_JSON_FIX) from None
    if not isinstance(found, dict):
        raise InputError("the line holds no object", at=here, fix=_JSON_FIX)
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON number")


_DECODER = json.JSONDecoder(parse_constant=_refuse_constant)
