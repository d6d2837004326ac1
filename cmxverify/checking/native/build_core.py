"""Makes core.ll and relate.ll of the C sources: ``python -m cmxverify.checking.native.build_core``.

For developers; users need no compiler. The text is LLVM IR without target, so that it serves every processor, and bears
a digest of its source, so that a test without a compiler sees when one was changed and the other was not. Made by
clang 16; other versions write other text for the same program.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
SOURCES = (HERE / "core.c", HERE / "relate.c")
CLANG_VERSION = 16
FLAGS = (
    *("-std=c11", "-O1", "-Wall", "-Werror", "-S", "-emit-llvm", "-fno-strict-aliasing", "-fno-vectorize"),
    *("-fno-slp-vectorize", "-fno-unroll-loops", "-fno-asynchronous-unwind-tables", "-o", "-"),
)
"""No vectorising or unrolling yet: the number of words of a state is not known before the model is."""


def digest(source: Path) -> str:
    """Of a C source and of how it is compiled."""
    return hashlib.sha256(source.read_bytes() + " ".join(FLAGS).encode()).hexdigest()


def compiled(source: Path) -> str:
    """The text of a C source as it should be shipped; needs clang 16, named by ``CLANG`` or on the path."""
    clang = os.environ.get("CLANG", f"clang-{CLANG_VERSION}")
    run = subprocess.run([clang, *FLAGS, source.name], cwd=HERE, check=True, capture_output=True, text=True)
    return f"; Made from {source.name} by build_core.py: do not edit.\n{stamp(source)}\n{without_target(run.stdout)}"


def stamp(source: Path) -> str:
    """The line of the text that says from which source it was made."""
    return f"; sha256 {digest(source)}"


def without_target(text: str) -> str:
    """IR that is compiled for whatever processor it meets: no triple, no data layout, no processor features."""
    text = re.sub(r"^(target|source_filename|; ModuleID|!|; Function Attrs).*\n", "", text, flags=re.M)
    text = re.sub(r", !(llvm.loop|range) !\d+", "", text)
    text = re.sub(r' "[a-z-]+"="[^"]*"', "", text)
    for empty in re.findall(r"^attributes (#\d+) = \{ \}\n", text, flags=re.M):
        text = re.sub(rf"( {empty}\b|^attributes {empty} = .*\n)", "", text, flags=re.M)
    text = text.replace("dso_local ", "").replace("local_unnamed_addr ", "")
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


if __name__ == "__main__":
    for each in SOURCES:
        each.with_suffix(".ll").write_text(compiled(each), encoding="utf-8")
