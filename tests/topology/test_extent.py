from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sample_texts import SMALL

from cmxverify.errors import InputError, Location
from cmxverify.topology import extent
from cmxverify.topology.extent import split_link
from cmxverify.topology.model import Topology


@pytest.mark.parametrize(("limit", "unit"), [("MAX_NAMES", "nodes"), ("MAX_CABLES", "cables")])
def test_what_is_counted_is_what_is_built(
    load: Callable[..., Topology], monkeypatch: pytest.MonkeyPatch, limit: str, unit: str
) -> None:
    """A limit of exactly the names (or cables) that the file unfolds to passes; one less does not."""
    topology = load(SMALL)
    built = {
        "nodes": len(topology.nodes) + len(topology.containers),
        "cables": topology.graph.number_of_edges(),
    }[unit]
    monkeypatch.setattr(extent, limit, built)
    load(SMALL)
    monkeypatch.setattr(extent, limit, built - 1)
    with pytest.raises(InputError, match=f"more than {built - 1} {unit}"):
        load(SMALL)


@given(st.text("ab -[]", max_size=12))
def test_a_link_splits_in_two_or_is_refused(text: str) -> None:
    """Both ends are non-empty and without spaces around them."""
    try:
        left, right = split_link(text, Location("f.yaml", 1))
    except InputError:
        return
    assert f"{left} -- {right}" in text.replace("  ", " ") or f"{left} --" in text
    assert left.strip() == left != ""
    assert right.strip() == right != ""
