"""The shipped IR text: made from the C sources beside it, and bound to no processor."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from cmxverify.checking.native.build_core import CLANG_VERSION, SOURCES, compiled, stamp


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_the_text_is_of_this_source(source: Path) -> None:
    """Whoever changes the C source, or how it is compiled, must make the text anew."""
    assert source.with_suffix(".ll").read_text(encoding="utf-8").splitlines()[1] == stamp(source)


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_the_text_is_what_the_compiler_makes(source: Path) -> None:
    """Where the compiler is present it makes the same text again."""
    if not shutil.which(os.environ.get("CLANG", f"clang-{CLANG_VERSION}")):
        pytest.skip(f"clang {CLANG_VERSION} is not installed")
    assert compiled(source) == source.with_suffix(".ll").read_text(encoding="utf-8")


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.name)
def test_the_text_names_no_processor(source: Path) -> None:
    """It serves x86-64 and aarch64 alike."""
    text = source.with_suffix(".ll").read_text(encoding="utf-8")
    assert not any(word in text for word in ("target", "datalayout", "x86", "llvm.x86", "asm "))
