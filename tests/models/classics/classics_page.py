"""The tables of ``specs/classics.md``, made from ``models/classics/table.py``.

``python tests/models/classics/classics_page.py``, from the root of the repository, writes them there.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from models.classics.table import LARGE_RUNS, MISTAKES, PUBLISHED, RUNS

PAGE = Path(__file__).parents[3] / "specs" / "classics.md"


def written(page: str) -> str:
    """The page with each table put between its marks."""
    for name, rows in {"runs": _runs(), "published": _published(), "mistakes": _mistakes()}.items():
        start, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, _, rest = page.partition(start)
        _, _, after = rest.partition(end)
        page = "".join([before, start, *(f"{row}\n" for row in rows), end, after])
    return page


def _row(cells: Iterable[object]) -> str:
    return "| " + " | ".join(f"{each:,}" if isinstance(each, int) else str(each) for each in cells) + " |"


def _bounds(bounds: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {value}" for name, value in bounds.items()) or "-"


def _name(model: str) -> str:
    return f"`{model.partition(':')[2]}`"


def _runs() -> Iterator[str]:
    yield _row(["model", "bounds", "states", "transitions", "depth", "orbits"])
    yield "| --- | --- | ---: | ---: | ---: | ---: |"
    for run in (*RUNS, *LARGE_RUNS):
        orbits = " / ".join(f"{each:,}" for each in run.orbits) if run.orbits else "-"
        yield _row([_name(run.model), _bounds(run.bounds), run.states, run.transitions, run.depth, orbits])


def _published() -> Iterator[str]:
    yield _row(["file", "project", "states", "generated or fired", "depth", "model"])
    yield "| --- | --- | ---: | ---: | ---: | --- |"
    for file, count in PUBLISHED.items():
        model = next(_name(run.model) for run in RUNS if run.counted_in == file)
        yield _row([f"`{file}`", count.project, count.states, count.generated, count.depth or "-", model])


def _mistakes() -> Iterator[str]:
    yield _row(["variant", "what is wrong", "bounds", "breaks", "steps"])
    yield "| --- | --- | --- | --- | ---: |"
    for mistake in MISTAKES:
        wrong = (mistake.load().__doc__ or "").partition("\n")[0].rstrip(".")
        yield _row([_name(mistake.model), wrong, _bounds(mistake.bounds), mistake.breaks, mistake.steps])


if __name__ == "__main__":
    PAGE.write_text(written(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
