"""Writing and refusing: nothing foreign is replaced, nothing half-written stays."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from cmxverify.errors import InputError
from cmxverify.files import head_of, refuse_target, write_new


def refused(path: Path, *, force: bool = False) -> str:
    """Why a path is no target."""
    with pytest.raises(InputError) as caught:
        refuse_target(path, force=force)
    return caught.value.what


def test_a_new_file_is_written_whole(folder: Path) -> None:
    """Text as UTF-8, and no other file beside it."""
    write_new(Path("a.txt"), "naïve\n")
    assert Path("a.txt").read_bytes() == "naïve\n".encode()
    assert list(folder.iterdir()) == [folder / "a.txt"]


def test_an_ordinary_file_is_replaced_only_by_force(folder: Path) -> None:
    """Without force the old content stays."""
    Path("a.txt").write_text("mine")
    assert refused(Path("a.txt")) == "file exists already"
    write_new(Path("a.txt"), b"new", force=True)
    assert Path("a.txt").read_text() == "new"


@pytest.mark.parametrize("force", [False, True])
def test_what_is_no_ordinary_file_is_never_replaced(folder: Path, force: bool) -> None:
    """A pipe, or a link to one, as /dev/null or /dev/stdout would be: replacing it would destroy it."""
    os.mkfifo("pipe")
    Path("link").symlink_to("pipe")
    for name in ("pipe", "link"):
        assert refused(Path(name), force=force) == "this is a device or a pipe, no ordinary file"
    assert Path("pipe").is_fifo()


@pytest.mark.parametrize(
    ("name", "what"),
    [
        (".", "this is a folder"),
        ("", "this is a folder"),
        ("missing/a.txt", "its folder does not exist"),
        ("file/a.txt", "its folder does not exist"),
        ("x" * 300, "cannot be written: File name too long"),
        ("a\0b", "cannot be written: embedded null byte"),
    ],
)
def test_impossible_targets_are_told_before_any_work(folder: Path, name: str, what: str) -> None:
    """Each with its reason."""
    Path("file").touch()
    assert refused(Path(name)) == what


def test_a_name_as_long_as_the_system_allows_is_written(folder: Path) -> None:
    """The temporary file's name is not longer."""
    write_new(Path("x" * 255), "text")
    assert Path("x" * 255).read_text() == "text"


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_that_may_not_be_written_to_is_refused(folder: Path) -> None:
    """Before any work."""
    Path("locked").mkdir(mode=0o500)
    assert refused(Path("locked/a.txt")) == "its folder may not be written to"


def test_a_failed_write_leaves_nothing_behind(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk: our error, the old content, no temporary file."""
    Path("a.txt").write_text("old")

    def full(self: Path, payload: bytes) -> int:
        self.touch()
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.raises(InputError, match="cannot be written: No space left on device"):
        write_new(Path("a.txt"), "new", force=True)
    assert [each.name for each in folder.iterdir()] == ["a.txt"]
    assert Path("a.txt").read_text() == "old"


def test_the_head_of_a_file_is_read_and_of_nothing_else(folder: Path) -> None:
    """A missing file, a folder and a pipe without a writer have none."""
    Path("a.txt").write_text("abcdef")
    os.mkfifo("pipe")
    heads = [head_of(Path(name), 3) for name in ("a.txt", "missing", ".", "pipe", "x" * 300, "a\0b")]
    assert heads == [b"abc", b"", b"", b"", b"", b""]


@pytest.mark.parametrize("there", [True, False])
def test_a_link_is_written_through(folder: Path, there: bool) -> None:
    """The link stays; the file that it leads to, in another folder, is replaced or made, whole."""
    Path("far").mkdir()
    if there:
        Path("far/a.txt").write_text("old")
    Path("near.txt").symlink_to("far/a.txt")
    Path("link.txt").symlink_to("near.txt")
    write_new(Path("link.txt"), "new", force=there)
    assert Path("link.txt").readlink() == Path("near.txt")
    assert [(each.name, each.read_text()) for each in Path("far").iterdir()] == [("a.txt", "new")]


def test_a_link_to_a_file_is_refused_as_the_file_is(folder: Path) -> None:
    """Without force, and into a folder that is not there."""
    Path("mine.txt").write_text("mine")
    Path("link").symlink_to("mine.txt")
    Path("astray").symlink_to("nowhere/a.txt")
    Path("round").symlink_to("round")
    assert refused(Path("link")) == "file exists already"
    assert refused(Path("astray")) == "its folder does not exist"
    assert refused(Path("round")).startswith("cannot be written: ")


@pytest.mark.skipif(os.name != "posix", reason="permissions of POSIX")
def test_a_file_that_is_replaced_keeps_its_permissions(folder: Path) -> None:
    """What was private stays so."""
    Path("a.txt").touch(mode=0o600)
    write_new(Path("a.txt"), "new", force=True)
    assert Path("a.txt").stat().st_mode & 0o777 == 0o600
