"""Checking a placement file against its topology: everything that it says is derived anew, no solver involved.

Four checks, each by itself enough to refuse a file: the texts of the topology are those that were planned for;
they compile to the program that was solved; the certificate proves what the status says of it
(``check_certificate``); an auditor with code of its own finds the plan allowed and its objectives right
(``audit``). At last the whole document is written again from the values and must be equal to the file.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

from cmxverify.errors import InputError, Location
from cmxverify.placement.auditing.audit import audit_plan
from cmxverify.placement.auditing.placement_file import (
    NOT_CHECKED,
    PlacementFile,
    placement_document,
    read_placement,
)
from cmxverify.placement.model.compile import PlacementModel, compile_placement
from cmxverify.placement.model.plan import read_plan
from cmxverify.placement.proof.canonical_certificate import preorder
from cmxverify.placement.proof.certificate import Split, Tree
from cmxverify.placement.proof.certificate_json import check_document, differences, read_outcome
from cmxverify.placement.proof.outcome import Outcome, Status
from cmxverify.topology.files import digest_of_file, find_topology, shipped_topologies
from cmxverify.topology.load import load_topology
from cmxverify.topology.model import Topology


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of checking one file; ``faults`` are sentences, none means accepted.

    ``status`` is what the file claims. The numbers say how much was looked at; they are 0 for what a file
    without a plan or proof does not have.
    """

    file: str
    topology: str
    status: Status | None
    faults: tuple[str, ...]
    variables: int = 0
    rows: int = 0
    leaves: int = 0
    places: int = 0
    cables: int = 0
    seconds: float = 0.0

    @property
    def accepted(self) -> bool:
        """Whether everything that the file says holds."""
        return not self.faults


def verify_placement(path: Path, *, topology: str | None = None) -> Verdict:
    """Check a placement file.

    Args:
        topology: File to check it against, if it is not found under the name in the placement file.

    Raises:
        InputError: If the file is no placement file, or its topology is not found or cannot be read.
    """
    started = monotonic()
    stated = read_placement(path)
    source = Path(topology) if topology is not None else _find(stated.file, path)
    faults, loaded = _load(stated, source)
    verdict = Verdict(str(path), stated.file, None, tuple(faults))
    if loaded is not None and not faults:
        verdict = _check(stated, loaded, verdict)
    return replace(verdict, seconds=monotonic() - started)


def _find(name: str, placement: Path) -> Path:
    """The topology as named, from here or from beside the placement file; else the shipped one of that name."""
    for path in (Path(name), placement.parent / name):
        if _is_file(path):
            return path
    if Path(name).stem in shipped_topologies() and Path(name).name == name:
        return Path(Path(name).stem)
    fix = "Name it: cmxverify verify PLACEMENT --topology FILE"
    raise InputError("the topology of this placement is not found here", at=Location(name), fix=fix)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name that is too long, or holds a NUL
        return False


def _load(stated: PlacementFile, source: Path) -> tuple[list[str], Topology | None]:
    try:
        loaded = load_topology(source, overrides=stated.overrides, only=stated.only, shown=stated.file)
    except InputError as error:
        now = {name: _digest(name, stated, source) for name in stated.sha256}
        changed = [name for name, digest in stated.sha256.items() if now[name] not in (None, digest)]
        if changed:
            return [f"{' and '.join(changed)} has changed since, and what is read is refused: {error}"], None
        raise
    return [*_changes(stated.sha256, loaded.digests)], loaded


def _changes(stated: Mapping[str, str], found: Mapping[str, str]) -> Iterator[str]:
    """What is not as it was when it was planned for, file by file."""
    for name, digest in stated.items():
        if name not in found:
            yield f"{name} is not read, or not there: it was when this was planned"
        elif found[name] != digest:
            yield f"{name} has changed: it is not what was planned for"
    yield from (f"{name} is read: it was not when this was planned" for name in found if name not in stated)


def _digest(name: str, stated: PlacementFile, source: Path) -> str | None:
    """Of a file as it is now, found from the topology as the placement's names lead from one to the other."""
    top = find_topology(str(source))
    if name == stated.file:
        return digest_of_file(top)
    moved = digest_of_file(top.parent / os.path.relpath(name, Path(stated.file).parent))
    return digest_of_file(Path(name)) if moved is None and Path(name).is_absolute() else moved


def _check(stated: PlacementFile, topology: Topology, verdict: Verdict) -> Verdict:
    model = _compile(stated, topology)
    if model is None:
        what = (
            "the topology compiles to another program than the one that was solved, and its files are the same: "
            "the placement was altered, or another version wrote it"
        )
        return replace(verdict, faults=(what,))
    outcome = read_outcome(stated.certificate)
    faults = check_document(model.program, stated.certificate)
    audit = None
    if not faults:
        faults = _rewritten(stated, model, outcome)
        if stated.claims is not None:
            audit = audit_plan(topology, stated.claims)
            faults += [f"auditor: {fault}" for fault in audit.faults]
    return replace(
        verdict,
        status=outcome.status,
        faults=tuple(faults),
        variables=len(model.program.variables),
        rows=len(model.program.rows),
        leaves=sum(not isinstance(node, Split) for tree in _trees(outcome) for node in preorder(tree)),
        places=len(audit.placed) if audit else 0,
        cables=len(audit.cables) if audit else 0,
    )


def _compile(stated: PlacementFile, topology: Topology) -> PlacementModel | None:
    """The model that has the stated program: with equal parts merged, or with every part its own."""
    for aggregate in (True, False):
        model = compile_placement(topology, objectives=stated.objectives, aggregate=aggregate)
        if model.program.digest() == stated.program_sha256:
            return model
    return None


def _rewritten(stated: PlacementFile, model: PlacementModel, outcome: Outcome) -> list[str]:
    """The first place where the file is not what its own values lead to."""
    plan = read_plan(model, outcome.values) if outcome.values is not None else None
    due = placement_document(model, outcome, plan)
    del due[NOT_CHECKED]
    return differences(stated.checked_part, due)


def _trees(outcome: Outcome) -> Iterator[Tree]:
    if outcome.infeasible is not None:
        yield outcome.infeasible.tree
    for proof in outcome.proofs:
        yield from (level.tree for level in proof.levels)
