"""What ``size --json`` prints: bytes and rates, whole numbers wherever they are whole."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from cmxverify.placement.model.set_size import GpuRoom, SetSize
from cmxverify.workload.kv_shape import Attention
from cmxverify.workload.sizing import SizingReport


def set_json(size: SetSize) -> dict[str, Any]:
    """One working set."""
    working_set, spec = size.working_set, size.working_set.entry.spec
    form = "sessions" if spec.sessions else "documents" if spec.documents else "bytes"
    return {
        "set": working_set.name,
        "form": form,
        **(report_json(size.report) if size.report else _raw_json(size)),
        "copies": spec.copies,
        "reads_per_s": exact(working_set.reads),
        "read_bytes_per_s": exact(size.read_rate),
        "write_bytes_per_s": exact(size.write_rate),
        "g1": _gpus_json(size.gpus) if size.gpus else None,
    }


def report_json(report: SizingReport) -> dict[str, Any]:
    """One model with a number of sessions or documents."""
    return {
        "model": report.name,
        "kv_dtype": report.dtype.value,
        "formula": report.formula,
        "bytes_per_token": exact(report.bytes_per_token),
        "bounded_bytes": exact(report.bounded),
        "state_bytes": exact(report.state),
        "context": report.context,
        "count": report.sessions,
        "page_tokens": report.page_tokens,
        "one_bytes": exact(report.session),
        "one_paged_bytes": exact(report.session_paged),
        "stored_bytes": exact(report.stored),
        "stored_paged_bytes": exact(report.stored_paged),
        "reserve": exact(report.reserve),
        "with_reserve_bytes": exact(report.with_reserve),
        "bands": [
            {
                "name": band.name,
                "count": exact(band.sessions),
                "stored_bytes": exact(band.stored),
                "reads_per_s": None if band.turns is None else exact(band.turns),
            }
            for band in report.bands
        ],
        "new_tokens": report.new_tokens,
        "engine": _engine_json(report),
        "article_a22": {
            "parameters": report.parameters,
            "bytes": None if report.article is None else exact(report.article),
            "ratio": None if report.article_ratio is None else exact(report.article_ratio),
        },
        "notes": list(report.notes),
    }


def _raw_json(size: SetSize) -> dict[str, Any]:
    return {
        "object_bytes": exact(size.working_set.object_bytes),
        "stored_bytes": exact(size.stored),
        "reserve": exact(size.reserve),
        "with_reserve_bytes": exact(size.stored * (1 + size.reserve)),
    }


def _engine_json(report: SizingReport) -> dict[str, Any]:
    held = report.allocation.allocated
    holders = 1 if report.attention is Attention.DP else report.tp
    return {
        "tp": report.tp,
        "attention": report.attention.value,
        "minimum_bytes_a_rank": exact(report.rank),
        "bytes_a_rank": exact(held / holders),
        "ranks_that_hold_one": holders,
        "bytes": exact(held),
        "all_bytes": exact(held * report.sessions),
        "steps": [
            {"reason": step.reason, "bytes_after": exact(step.bytes_after), "factor": exact(step.factor)}
            for step in report.allocation.steps
        ],
    }


def _gpus_json(gpus: GpuRoom) -> dict[str, Any]:
    return {
        "memory": [
            {"gpus": each.gpus, "bytes_each": exact(each.each), "given": each.given} for each in gpus.memory
        ],
        "weights": [
            {"model": each.model, "instances": each.instances, "bytes_each": exact(each.each)}
            for each in gpus.weights
        ],
        "room_bytes": exact(gpus.room),
        "fit_at_once": gpus.sessions,
        "fit_at_once_as_allocated": gpus.allocated,
    }


def exact(value: Fraction | int) -> int | float:
    """A whole number as such, any other as the nearest float.

    >>> exact(Fraction(4)), exact(Fraction(1, 2))
    (4, 0.5)
    """
    whole = Fraction(value)
    return whole.numerator if whole.denominator == 1 else float(whole)
