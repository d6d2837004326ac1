"""Sizes of working sets on a topology: what fits in HBM beside all weights, with and without copies."""

from __future__ import annotations

from fractions import Fraction

import pytest

from cmxverify.errors import InputError
from cmxverify.placement.model.set_size import Load, Memory, SetSize, size_sets
from cmxverify.topology.load import load_topology

CHAT = "workload.acme/chat"


def size(name: str, *changes: str, reserve: Fraction | None = None) -> SetSize:
    (found,) = size_sets(load_topology("cmx-rack", overrides=changes), only=(name,), reserve=reserve)
    return found


def test_chat_decodes_1887_sessions_in_7_73_tb() -> None:
    gpus = size("acme/chat").gpus
    assert gpus is not None
    assert gpus.memory == (Memory(32, Fraction(288 * 10**9), given=False),)
    assert gpus.weights == (Load("llama-3.1-70b", 8, Fraction(70_553_706_496)),)
    assert gpus.sessions == 1887
    assert gpus.allocated == 1886


def test_room_is_memory_less_weights() -> None:
    gpus = size("acme/agents").gpus
    assert gpus is not None
    memory = sum(each.gpus * each.each * Fraction(9, 10) for each in gpus.memory)
    assert gpus.room == memory - sum(each.instances * each.each for each in gpus.weights)


def test_the_weights_of_other_sets_count_even_where_they_are_not_printed() -> None:
    """Agents share the trays of chat: their weights are taken off its room."""
    alone, shared = size("acme/chat").gpus, size("acme/chat", "workload.acme/agents.runs_on=tray[00-07]").gpus
    assert alone is not None
    assert shared is not None
    assert [load.model for load in shared.weights] == ["llama-3.1-70b", "deepseek-v3"]
    assert alone.room - shared.room == 4 * shared.weights[1].each


def test_a_set_on_part_of_an_engine_of_another_tells_its_part_of_the_weights() -> None:
    """Half the GPUs of an engine hold half its weights, as one load."""
    gpus = size("hooli/private", "workload.acme/agents.runs_on=tray[14-17]").gpus
    assert gpus is not None
    part = next(load for load in gpus.weights if load.model == "deepseek-v3")
    assert (part.instances, part.each) == (1, Fraction(671_026_419_200, 2))


def test_room_that_the_file_gives_is_taken_as_it_is() -> None:
    gpus = size("acme/chat", "templates.tray.nodes.gpu[0-3]={is: rubin, kv: 100 GB}").gpus
    assert gpus is not None
    assert gpus.memory == (Memory(32, Fraction(100 * 10**9), given=True),)
    assert gpus.weights == ()
    assert gpus.room == 3200 * 10**9


def test_latent_copies_fill_hbm_eight_times_as_fast() -> None:
    once, copied = size("acme/agents").gpus, size("acme/agents", "workload.acme/agents.attention=tp").gpus
    assert once is not None
    assert copied is not None
    assert copied.sessions == once.sessions // 8


@pytest.mark.parametrize(
    ("changes", "given", "expected"),
    [
        ((), None, Fraction(1, 5)),
        ((f"{CHAT}.reserve=30%",), None, Fraction(3, 10)),
        ((f"{CHAT}.reserve=30%",), Fraction(1, 4), Fraction(1, 4)),
        ((f"{CHAT}.reserve=0%",), None, Fraction(0)),
        ((), Fraction(0), Fraction(0)),
    ],
)
def test_the_reserve_is_that_asked_for_else_the_sets_else_the_articles(
    changes: tuple[str, ...], given: Fraction | None, expected: Fraction
) -> None:
    found = size("acme/chat", *changes, reserve=given)
    assert found.report is not None
    assert found.report.with_reserve == 245_760 * 10**9 * (1 + expected)
    assert found.stored == 245_760 * 10**9


def test_heads_that_ranks_cannot_split_are_told_at_tp() -> None:
    """8 KV heads over the 3 ranks of an engine: one of the 24 GPUs' eight."""
    with pytest.raises(InputError, match="acme/chat: 8 heads cannot be split over tp 3") as caught:
        size("acme/chat", f"{CHAT}.runs_on=tray[00-05]", f"{CHAT}.tp=3")
    assert caught.value.at is not None
    assert caught.value.at.line > 0


def test_an_unknown_name_is_refused() -> None:
    with pytest.raises(InputError, match="no working set 'acme/chatt'"):
        size("acme/chatt")
