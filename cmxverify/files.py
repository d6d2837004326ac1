"""Writing results: whole or not at all, and never over a file that we did not write."""

from __future__ import annotations

import os
from pathlib import Path

from cmxverify.errors import InputError, Location


def write_new(path: Path, content: str | bytes, *, force: bool = False) -> None:
    """Write a file in one step: a reader sees the old content or the new, never a part.

    Args:
        force: Replace an existing file; otherwise that is an error.

    Raises:
        InputError: If the file exists (without ``force``), its folder does not, or it cannot be written.
    """
    refuse_target(path, force=force)
    payload = content.encode() if isinstance(content, str) else content
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        temporary.write_bytes(payload)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        at, fix = Location(str(path)), "Check the folder's permissions."
        raise InputError(f"cannot be written: {error.strerror}", at=at, fix=fix) from None


def refuse_target(path: Path, *, force: bool = False) -> None:
    """Refuse a path that nothing can or may be written to, before work is done for it.

    Raises:
        InputError: If the file exists (without ``force``), its folder does not, or it is a folder.
    """
    at = Location(str(path))
    if path.is_dir():
        raise InputError("this is a folder", at=at, fix="Name a file in it.")
    if path.exists() and not force:
        raise InputError("file exists already", at=at, fix="Choose another name with -o, or remove it.")
    if not path.parent.is_dir():
        raise InputError("its folder does not exist", at=at, fix=f"Make it first: mkdir -p {path.parent}")
