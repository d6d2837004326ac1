"""Every output on the pages and in README.md is what the command prints today."""

from __future__ import annotations

import pytest
from docs_tree import PAGES, ROOT, module

run = module("examples", "run")
FOLDER = ROOT / "docs" / "examples"


@pytest.mark.parametrize("session", run.SESSIONS, ids=lambda session: session.name)
def test_output_is_todays(session: run.Session) -> None:
    """Each transcript of a session equals a fresh run, apart from seconds; docs/examples/run.py renews it."""
    for example, text, exit_code in run.transcripts(session):
        kept = (FOLDER / f"{example.name}.txt").read_text(encoding="utf-8")
        assert run.without_times(text) == run.without_times(kept), example.name
        assert exit_code == example.exit_code, example.name


def test_readme_shows_the_output_of_its_first_command() -> None:
    """The block in README.md is the kept transcript, word for word."""
    kept = (FOLDER / f"{run.SHOWN_IN_README}.txt").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert run.readme_block(readme).group() == run.output_of(kept)


def test_every_transcript_is_shown_and_made() -> None:
    """No transcript is left over from an earlier version, and none is made for nothing."""
    made = {f"{example.name}.txt" for session in run.SESSIONS for example in session.examples}
    pages = "".join(page.read_text(encoding="utf-8") for page in PAGES)
    assert {path.name for path in FOLDER.glob("*.txt")} == made
    assert [name for name in sorted(made) if f"docs/examples/{name}" not in pages] == []


def test_times_are_all_that_may_differ() -> None:
    """Seconds at the end of a line are ignored, other seconds are not."""
    assert run.without_times("optimal   0.9 s\nlimit 3 s, or 4 s left") == "optimal\nlimit 3 s, or 4 s left"
