"""Cold comparison of placement with raw solvers: ``python benchmarks/placement.py [TOPOLOGY ...]``; see README.md."""

from __future__ import annotations

import argparse
import json
import os
import platform
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from fractions import Fraction
from importlib.metadata import version
from pathlib import Path
from typing import Any

from _job import Job
from _report import Series, command_lines, topology_lines

HERE = Path(__file__).resolve().parent
RAW = ("HiGHS", "CP-SAT", "z3")
OURS = ("ours", "ours without z3")
GRACE_S = 30.0
"""A raw run that is this much over its limit (a build, or a solver that does not look at the clock) is ended."""

COMPILE_S = 1800.0
COMMANDS = (
    (("--help",), "under 0.3 s of CPU"),
    (("solve", "cmx-rack"), "a few seconds"),
    (("solve", "cmx-pod"), "60 s on 2 cores, gap at most 0.1 %"),
)


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print tables, write JSON if asked."""
    options = parser().parse_args(arguments)
    report: dict[str, Any] = {"setup": setup(options), "topologies": {}, "commands": []}
    print(setup_line(report["setup"]))
    for name in options.topologies:
        measured = measure_topology(name, options)
        report["topologies"][name] = [asdict(series) for series in measured]
        print(
            "\n".join(["", *topology_lines(name, measured, options.time_limit, Fraction(options.gap))]),
            flush=True,
        )
    if options.commands:
        report["commands"] = [measure_command(words, target, options) for words, target in COMMANDS]
        print("\n".join(["", *command_lines(report["commands"])]))
    if options.json:
        Path(options.json).write_text(json.dumps(report, indent=1) + "\n")


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(
        description="Compare placement, cold, with raw z3.Optimize, CP-SAT and HiGHS."
    )
    found.add_argument("topologies", nargs="*", default=["cmx-rack", "cmx-pod"], metavar="TOPOLOGY")
    found.add_argument("--time-limit", type=float, default=60.0, metavar="S", help="wall clock of one run")
    found.add_argument(
        "--repeats", type=int, default=3, metavar="N", help="runs of each kind; the median is shown"
    )
    found.add_argument("--threads", type=int, default=1, help="of raw CP-SAT and HiGHS; ours and z3 have one")
    found.add_argument("--gap", default="0", help="relative gap at which a level is done, such as 1/1000")
    found.add_argument("--chunk", default="", metavar="SIZE", help="chunk of both models, such as '10 GB'")
    found.add_argument("--only-reduced", action="store_true", help="leave the full model out")
    found.add_argument(
        "--no-commands", dest="commands", action="store_false", help="do not time whole commands"
    )
    found.add_argument("--json", metavar="FILE", help="write every single measurement")
    return found


def setup(options: argparse.Namespace) -> dict[str, Any]:
    """Machine, versions and options: figures mean nothing without them."""
    return {
        "python": platform.python_version(),
        "machine": f"{platform.machine()}, {os.cpu_count()} cores",
        "load": os.getloadavg()[0],
        **{name: version(name) for name in ("z3-solver", "ortools", "highspy")},
        "time_limit_s": options.time_limit,
        "repeats": options.repeats,
        "threads": options.threads,
        "gap": options.gap,
        "chunk": options.chunk or "default",
    }


def setup_line(found: dict[str, Any]) -> str:
    return ", ".join(f"{key} {value}" for key, value in found.items())


def measure_topology(name: str, options: argparse.Namespace) -> list[Series]:
    """Compile, then all runs, repeats interleaved so that noise of the machine falls on all alike."""
    with tempfile.TemporaryDirectory() as folder:
        measured = []
        for program in ("reduced",) if options.only_reduced else ("reduced", "full"):
            series = Series("compile", program)
            measured.append(series)
            path = f"{folder}/{program}.pickle"
            for _ in range(options.repeats if program == "reduced" else 1):
                run_once(
                    series,
                    Job("compile", name, program == "reduced", path, chunk=options.chunk),
                    COMPILE_S,
                    Path(folder),
                )
            if series.runs:
                measured += [Series(what, program) for what in (*OURS, *RAW)]
        for series in turns(measured, options.repeats):
            path = f"{folder}/{series.program}.pickle"
            reduced, limit = series.program == "reduced", options.time_limit
            job = Job(series.what, name, reduced, path, limit, options.threads, options.gap)
            run_once(series, job, limit + GRACE_S, Path(folder))
    return measured


def turns(measured: Sequence[Series], repeats: int) -> Iterator[Series]:
    """Every series once a round; one that ran into the limit is not repeated."""
    for _ in range(repeats):
        for series in measured:
            if series.what != "compile" and not series.ended:
                yield series


def run_once(series: Series, job: Job, kill_after_s: float, folder: Path) -> None:
    """One run in a fresh process; a crash or an overrun ends the series with a word on why."""
    asked, told = folder / "job.json", folder / "result.json"
    asked.write_text(json.dumps(asdict(job)))
    told.unlink(missing_ok=True)
    command = [sys.executable, str(HERE / "_job.py"), str(asked), str(told)]
    progress(f"{job.topology}, {series.program}: {series.what}")
    try:
        done = subprocess.run(
            command, env=environment(), capture_output=True, text=True, timeout=kill_after_s
        )
    except subprocess.TimeoutExpired:
        series.ended = f"no answer {kill_after_s:g} s after its start; ended"
        return
    finally:
        progress("")
    if not told.exists():
        series.ended = (done.stderr.strip().splitlines() or ["no result"])[-1][:160]
        return
    series.runs.append(json.loads(told.read_text()))
    if job.what != "compile" and series.runs[-1]["wall"] >= job.limit_s:
        series.ended = "limit"


def measure_command(words: Sequence[str], target: str, options: argparse.Namespace) -> dict[str, Any]:
    """A whole command as people run it: CPU of the process and its children, wall, last line of its output."""
    found: dict[str, Any] = {
        "command": " ".join(("cmxverify", *words)),
        "target": target,
        "cpu": [],
        "wall": [],
    }
    command = [sys.executable, "-m", "cmxverify.cli.main", *words]
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(options.repeats):
            progress(found["command"])
            before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
            done = subprocess.run(command, env=environment(), cwd=folder, capture_output=True, text=True)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            found["wall"].append(time.perf_counter() - start)
            found["cpu"].append(after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime)
            found["exit_code"] = done.returncode
            found["says"] = next(iter((done.stdout if not done.returncode else done.stderr).splitlines()), "")
    progress("")
    return found


def environment() -> dict[str, str]:
    """Children import the package from this tree, and numeric libraries stay on one thread."""
    path = os.pathsep.join(filter(None, (str(HERE.parent), os.environ.get("PYTHONPATH"))))
    return {**os.environ, "PYTHONPATH": path, "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}


def progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


if __name__ == "__main__":
    main()
