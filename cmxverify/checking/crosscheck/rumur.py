"""rumur: generates a verifier in C from a Murphi model, which a C compiler then builds.

Counts agree with ruling L13 as they are: "rules fired" are pairs (expanded state, rule instance whose guard holds),
self-loops included; start states are not counted, and equal start states are one state. rumur tells no depth, but
with a bound on the depth (far beyond what is expected) and ``--trace memory_usage`` it lists how many states it stored
at each. At the first error it stops in the middle of a level, so all levels but the last can still be compared.
"""

from __future__ import annotations

import re
import resource
import shutil
import subprocess
import tempfile
import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass
from pathlib import Path
from time import monotonic

from cmxverify.checking.crosscheck.peer import NotRun, PeerFinding, PeerLimits
from cmxverify.checking.export.exporter import ExportChoices
from cmxverify.checking.export.murphi.program import MurphiExporter, deadlock_is_rumurs_own
from cmxverify.checking.export.murphi.width import value_type
from cmxverify.errors import CmxError
from cmxverify.modeling.ir.system import System

_STORED = re.compile(r"depth (\d+): allocated (\d+) state")


@dataclass(frozen=True, slots=True)
class Rumur:
    """Runs rumur on what the Murphi exporter writes."""

    name: str = "rumur"
    counting: str = (
        "rumur's 'rules fired' are (state, enabled instance) pairs, self-loops included and start states excluded; "
        "depth from its count of states stored at each depth"
    )

    def search(
        self, system: System, choices: ExportChoices, limits: PeerLimits, *, depth: int
    ) -> PeerFinding | NotRun:
        """Export, generate, compile and run."""
        compiler = next(filter(shutil.which, ("cc", "gcc", "clang")), None)
        if shutil.which("rumur") is None:
            return NotRun("rumur is not installed (apt install rumur)")
        if compiler is None:
            return NotRun("there is no C compiler to build what rumur generates (apt install gcc)")
        text = MurphiExporter().export(system, choices)
        with tempfile.TemporaryDirectory(prefix="cmxverify-rumur-") as folder:
            model = Path(folder) / "model.m"
            model.write_text(text)
            try:
                return _Build(model, compiler, limits).search(_options(system, choices, depth))
            except subprocess.TimeoutExpired:
                return NotRun(f"rumur did not end within {limits.seconds:g} s")


def _options(system: System, choices: ExportChoices, depth: int) -> list[str]:
    own_deadlock = choices.deadlock and deadlock_is_rumurs_own(system)
    beyond = (1 << (2 * depth + 64).bit_length()) - 1
    return [
        *(
            "--threads",
            "1",
            "--quiet",
            "--output-format",
            "machine-readable",
            "--counterexample-trace",
            "diff",
        ),
        *("--symmetry-reduction", "exhaustive" if choices.symmetry else "off"),
        *("--deadlock-detection", "stuttering" if own_deadlock else "off"),
        *("--bound", str(beyond), "--trace", "memory_usage", "--value-type", value_type(system)),
    ]


@dataclass(frozen=True, slots=True)
class _Build:
    """One model file on its way to an answer."""

    model: Path
    compiler: str
    limits: PeerLimits

    def search(self, options: list[str]) -> PeerFinding:
        source, verifier = self.model.with_suffix(".c"), self.model.with_suffix("")
        ends = monotonic() + self.limits.seconds
        seconds = {}
        seconds["generate"], _ = self._run(
            ["rumur", *options, "--output", str(source), str(self.model)], ends
        )
        build = ["-std=c11", f"-O{self.limits.optimize}", *_native_flags(), "-w", "-o", str(verifier)]
        seconds["compile"], _ = self._run([self.compiler, *build, str(source), "-lpthread"], ends)
        seconds["run"], done = self._run([str(verifier)], ends, may_fail=True)
        return _finding(done.stdout, done.stderr, seconds)

    def _run(
        self, command: list[str], ends: float, *, may_fail: bool = False
    ) -> tuple[float, subprocess.CompletedProcess[str]]:
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        left = max(ends - monotonic(), 0.01)
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=left)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode and not may_fail:
            said = " ".join((done.stderr or done.stdout).strip().splitlines()[:3])
            raise CmxError(f"{command[0]} refused the exported model, which is a bug of cmxverify: {said}")
        return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done


def _native_flags() -> list[str]:
    """16-byte compare and swap, which the generated code wants on x86-64."""
    import platform

    return ["-mcx16"] if platform.machine() in ("x86_64", "AMD64") else []


def _finding(answer: str, traced: str, seconds: dict[str, float]) -> PeerFinding:
    try:
        root = ElementTree.fromstring(answer.encode())
    except ElementTree.ParseError:
        said = (traced or answer)[-300:]
        raise CmxError(f"the verifier that rumur generated did not end as it should: {said}") from None
    summary = root.find("summary")
    if summary is None:
        raise CmxError("the verifier that rumur generated gave no summary")
    error = root.find("error")
    stored = dict(sorted((int(depth), int(count)) for depth, count in _STORED.findall(traced)))
    return PeerFinding(
        states=int(summary.attrib["states"]),
        transitions=int(summary.attrib["rules_fired"]),
        levels=tuple(stored.values()),
        error="" if error is None else error.findtext("message", "").strip(),
        steps=-1 if error is None else len(error.findall("transition")) - 1,
        reached={
            each.attrib["message"]: each.attrib["count"] != "0" for each in root.findall("cover_result")
        },
        seconds=seconds,
    )
