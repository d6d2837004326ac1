"""Makes core.ll from core.c: ``python -m cmxverify.checking.native.build_core``. For developers; users need no compiler.

The text is LLVM IR without target, so that it serves every processor, and bears a digest of the C source, so that a
test without a compiler sees when one was changed and the other was not. Made by clang 16; other versions write other
text for the same program.
"""

from __future__ import annotations

import hashlib
import os
import re
import subprocess
from pathlib import Path

HERE = Path(__file__).parent
SOURCE, TEXT = HERE / "core.c", HERE / "core.ll"
CLANG_VERSION = 16
FLAGS = (
    *("-std=c11", "-O1", "-Wall", "-Werror", "-S", "-emit-llvm", "-fno-strict-aliasing", "-fno-vectorize"),
    *("-fno-slp-vectorize", "-fno-unroll-loops", "-fno-asynchronous-unwind-tables", "-o", "-"),
)
"""No vectorising or unrolling yet: the number of words of a state is not known before the model is."""


def digest() -> str:
    """Of the C source and of how it is compiled."""
    return hashlib.sha256(SOURCE.read_bytes() + " ".join(FLAGS).encode()).hexdigest()


def compiled() -> str:
    """The text that core.ll should have; needs clang 16, named by ``CLANG`` or on the path."""
    clang = os.environ.get("CLANG", f"clang-{CLANG_VERSION}")
    run = subprocess.run([clang, *FLAGS, SOURCE.name], cwd=HERE, check=True, capture_output=True, text=True)
    return f"; Made from {SOURCE.name} by build_core.py: do not edit.\n; sha256 {digest()}\n{without_target(run.stdout)}"


def without_target(text: str) -> str:
    """IR that is compiled for whatever processor it meets: no triple, no data layout, no processor features."""
    text = re.sub(r'^(target|source_filename|; ModuleID|!|; Function Attrs).*\n', "", text, flags=re.M)
    text = re.sub(r', !(llvm.loop|range) !\d+', "", text)
    text = re.sub(r' "[a-z-]+"="[^"]*"', "", text)
    for empty in re.findall(r"^attributes (#\d+) = \{ \}\n", text, flags=re.M):
        text = re.sub(rf"( {empty}\b|^attributes {empty} = .*\n)", "", text, flags=re.M)
    text = text.replace("dso_local ", "").replace("local_unnamed_addr ", "")
    return re.sub(r"\n{3,}", "\n\n", text).strip() + "\n"


if __name__ == "__main__":
    TEXT.write_text(compiled(), encoding="utf-8")
