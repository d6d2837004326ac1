"""PL-1 to PL-4: who reads, how many bytes, how often, in how many chunks. Figures are worked out by hand."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import pytest
from placement_cluster import RAW, SESSIONS, cluster, with_keys

from cmxverify.errors import InputError
from cmxverify.placement.model.compile import compile_placement, default_chunk
from cmxverify.placement.model.demand import WorkingSet, resolve_demand
from cmxverify.topology.model import Topology

Load = Callable[..., Topology]
TOKEN = 163_840
"""Bytes of a token of llama-3.1-70b in fp8: 2 x 80 layers x 8 heads x 128."""


def resolved(load: Load, workload: str, *changes: tuple[str, str]) -> WorkingSet:
    """The only working set."""
    return resolve_demand(load(cluster(workload, *changes)))[0]


def test_each_tp_consecutive_gpus_run_an_instance(load: Load) -> None:
    """PL-1: with tp 2 the four GPUs run two instances, one a box, and an object goes to both GPUs of one."""
    found = resolved(load, SESSIONS)
    assert [found.readers(each) for each in range(found.instances)] == [
        ("box0.gpu0", "box0.gpu1"),
        ("box1.gpu0", "box1.gpu1"),
    ]


def test_attention_dp_reads_with_one_gpu(load: Load) -> None:
    """PL-1: under attention dp an object goes whole to one GPU."""
    found = resolved(load, with_keys("tp: 2, attention: dp"))
    assert found.readers(1) == ("box1.gpu0",)


def test_tp_divides_the_gpus(load: Load) -> None:
    """PL-1: four GPUs cannot run instances of three."""
    with pytest.raises(InputError) as caught:
        resolved(load, with_keys("tp: 3"))
    assert str(caught.value) == (
        "rack.yaml:27:93: a/raw: tp 3 does not divide its 4 GPUs\n"
        "  Choose tp so that it divides 4, or change runs_on."
    )


def test_an_object_is_stored_once_whatever_tp_is(load: Load) -> None:
    """PL-2: a session of 10,000 tokens is 10,000 x 163,840 bytes, tp 2 or not."""
    assert resolved(load, SESSIONS).object_bytes == 10_000 * TOKEN


def test_bands_divide_sessions_reads_and_writes(load: Load) -> None:
    """PL-3: 100 sessions every 10 s are 10 reads/s, 900 every 100 s are 9; a turn writes 100 tokens."""
    hot, cold = resolved(load, SESSIONS).bands
    assert (hot.objects, hot.reads, hot.writes) == (100, 10, 10 * 100 * TOKEN)
    assert (cold.objects, cold.reads, cold.writes) == (900, 9, 9 * 100 * TOKEN)


def test_a_reserve_adds_room_and_no_traffic(load: Load) -> None:
    """PL-3: a reserve of 20 % keeps 20 % more objects, read and written as before."""
    plain, reserved = (resolved(load, w).bands[0] for w in (RAW, with_keys("reserve: 20%")))
    assert (reserved.objects, reserved.reads, reserved.writes) == (120, plain.reads, plain.writes)


def test_documents_are_written_anew(load: Load) -> None:
    """PL-3: 500 documents of 10,000 tokens, rewritten in 1,000 s, are written at half a document a second."""
    documents = (
        "  a/docs: {model: llama-3.1-70b, kv_dtype: fp8, runs_on: 'box[0-1]', documents: 500, context: 10k,\n"
        "           reads: 7 /s, rewritten: 1000 s}\n"
    )
    (band,) = resolved(load, documents).bands
    assert (band.objects, band.reads, band.writes) == (500, 7, Fraction(10_000 * TOKEN, 2))


def test_chunks_round_up(load: Load) -> None:
    """PL-4: 100 sessions of 1.6384 GB are 163.84 GB, 17 chunks of 10 GB; 900 are 148."""
    parts = compile_placement(load(cluster(SESSIONS))).table.parts
    assert [part.chunks for part in parts] == [17, 148]


def test_parts_are_classes_of_boxes(load: Load) -> None:
    """PL-4: where box1 also runs another set, the two boxes are two parts, each with half of the bytes."""
    other = "  a/more: {runs_on: box1, bytes: 20 GB, read: 1 GB/s, write: 0 GB/s}\n"
    parts = compile_placement(load(cluster(RAW + other))).table.parts
    assert [(part.name, part.chunks) for part in parts] == [
        ("a/raw all @ box0", 50),
        ("a/raw all @ box1", 50),
        ("a/more all @ box1", 2),
    ]


@pytest.mark.parametrize(("stored", "chunk"), [("100 TB", 10**9), ("1 TB", 10**8)])
def test_the_default_chunk_is_a_power_of_ten(load: Load, stored: str, chunk: int) -> None:
    """PL-4: a 5,000th of 17,280 GB of flash is 3.456 GB, of 1 TB that is stored 0.2 GB."""
    topology = load(cluster(RAW.replace("1 TB", stored), ("chunk: 10 GB\n", "")))
    assert default_chunk(topology, resolve_demand(topology)) == chunk


def test_chunks_without_number_are_refused(load: Load) -> None:
    """PL-4: a 10^-9 of a limit for each of 10^9 chunks would be all of it."""
    text = cluster(RAW, ("chunk: 10 GB", "chunk: 1 kB"))
    with pytest.raises(InputError, match="chunk 1 kB makes more than 10,000,000 chunks") as caught:
        compile_placement(load(text))
    assert caught.value.at is not None
    assert text.splitlines()[caught.value.at.line - 1] == "chunk: 1 kB"
