"""One process, pinned and measured: CPU of it and all it waited for, wall clock, the greatest memory of one process."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Timer


@dataclass(frozen=True)
class Done:
    """What a process used, and what it said.

    Args:
        stage: "generate", "compile" or "run".
        cpu: Seconds, user and system.
        wall: Seconds.
        peak_bytes: Resident, of the process alone.
    """

    stage: str
    cpu: float
    wall: float
    peak_bytes: int
    code: int
    output: str
    timed_out: bool


@dataclass(frozen=True)
class Stage:
    """A command on the way from a model to its verdict."""

    name: str
    command: tuple[str, ...]


def measure(stage: Stage, folder: Path, cores: Sequence[int], limit_s: float) -> Done:
    """Run to the end, or to the limit."""
    with tempfile.TemporaryFile(dir=folder) as output:
        began = time.perf_counter()
        process = subprocess.Popen(
            [*_pinned(cores), *stage.command],
            cwd=folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        alarm = Timer(limit_s, process.kill)
        alarm.start()
        _, status, used = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        alarm.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        output.seek(0)
        said = output.read().decode(errors="replace")
    cpu = used.ru_utime + used.ru_stime
    return Done(
        stage.name, cpu, wall, used.ru_maxrss * 1024, process.returncode, said, timed_out=wall >= limit_s
    )


def environment() -> dict[str, str]:
    """Children import the package from this tree, and its bytecode is kept, as that of an installed package is."""
    path = os.pathsep.join(filter(None, (str(Path(__file__).parents[1]), os.environ.get("PYTHONPATH"))))
    own = {"PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    return {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"} | own


def _pinned(cores: Sequence[int]) -> tuple[str, ...]:
    return ("taskset", "-c", ",".join(map(str, cores))) if shutil.which("taskset") else ()
