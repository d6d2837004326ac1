"""Commands as a user types them, run in this process."""

from __future__ import annotations

from pathlib import Path

import pytest
from command_runs import Run, run_command


@pytest.fixture
def run(folder: Path) -> Run:
    """Run ``cmxverify`` with these arguments, in an empty folder."""
    assert folder.is_dir()
    return run_command
