"""The model catalog holds facts with sources; what they mean in bytes is tested in ``tests/workload``."""

from __future__ import annotations

import pytest

from cmxverify.catalog.figure import Grade
from cmxverify.catalog.models import ModelEntry, model_entries, model_entry
from cmxverify.errors import InputError


def test_there_are_more_than_thirty_models() -> None:
    assert len(model_entries()) > 34


@pytest.mark.parametrize("entry", model_entries(), ids=lambda entry: entry.name)
def test_every_model_cites_its_shape_and_its_parameters(entry: ModelEntry) -> None:
    """A shape always has a source; a parameter count has one, or is unknown and a note says so."""
    assert entry.grade is not Grade.ASSUMED
    assert len(entry.source) > 8
    if entry.parameters is None:
        assert any("number of parameters" in note for note in entry.notes)
    else:
        assert entry.parameters_grade is not Grade.ASSUMED
        assert len(entry.parameters_source) > 8


def test_an_unknown_model_names_the_nearest() -> None:
    with pytest.raises(InputError) as caught:
        model_entry("llama-3.1-70")
    assert "Did you mean 'llama-3.1-70b'?" in str(caught.value)
