"""Writing results: whole or not at all, and never over a file that we did not write."""

from __future__ import annotations

import os
import stat
from pathlib import Path

from cmxverify.errors import InputError, Location


def write_new(path: Path, content: str | bytes, *, force: bool = False) -> None:
    """Write a file in one step: a reader sees the old content or the new, never a part.

    A link stays: what it leads to is written. A file that is replaced keeps its permissions.

    Args:
        force: Replace an existing ordinary file; otherwise that is an error.

    Raises:
        InputError: As ``refuse_target`` does, or if the file cannot be written.
    """
    refuse_target(path, force=force)
    payload = content.encode() if isinstance(content, str) else content
    target = _target(path)
    temporary = target.with_name(f".cmxverify-{os.getpid()}.tmp")
    try:
        temporary.write_bytes(payload)
        if target.exists():
            temporary.chmod(stat.S_IMODE(target.stat().st_mode))
        temporary.replace(target)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        at, fix = Location(str(path)), "Check the folder's permissions."
        raise InputError(f"cannot be written: {error.strerror}", at=at, fix=fix) from None


def refuse_target(path: Path, *, force: bool = False) -> None:
    """Refuse a path that nothing can or may be written to, before work is done for it.

    Raises:
        InputError: If the file exists (without ``force``), its folder does not or may not be written to, or it is
            a folder, a device or a pipe, which replacing would destroy.
    """
    at = Location(str(path))
    mode = _mode(path, at)
    if mode is not None and stat.S_ISDIR(mode):
        raise InputError("this is a folder", at=at, fix="Name a file in it.")
    if mode is not None and not stat.S_ISREG(mode):
        raise InputError("this is a device or a pipe, no ordinary file", at=at, fix="Name a file.")
    if mode is not None and not force:
        raise InputError("file exists already", at=at, fix="Choose another name, or remove it.")
    folder = _target(path).parent
    if not os.path.isdir(folder):  # noqa: PTH112  # False, where Path.is_dir raises, for a name that is too long
        raise InputError("its folder does not exist", at=at, fix=f"Make it first: mkdir -p {folder}")
    if not os.access(folder, os.W_OK):
        raise InputError("its folder may not be written to", at=at, fix="Check the folder's permissions.")


def head_of(path: Path, size: int) -> bytes:
    """The first bytes of an ordinary file; b'' where there is none, or it cannot be read.

    What is no ordinary file is not opened: reading a pipe would wait for a writer.
    """
    try:
        if not stat.S_ISREG(path.stat().st_mode):
            return b""
        with path.open("rb") as stream:
            return stream.read(size)
    except (OSError, ValueError):
        return b""


def _target(path: Path) -> Path:
    """The file that a link leads to, there or not; any other path as it is."""
    return Path(os.path.realpath(path)) if path.is_symlink() else path


def _mode(path: Path, at: Location) -> int | None:
    try:
        return path.stat().st_mode
    except (FileNotFoundError, NotADirectoryError):
        return None
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(f"cannot be written: {reason}", at=at, fix="Choose another name.") from None
