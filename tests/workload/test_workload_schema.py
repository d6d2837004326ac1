from fractions import Fraction
from pathlib import Path

import pytest

from cmxverify.errors import InputError
from cmxverify.workload.schema import TraceBands, WorkloadSpec, read_workload
from cmxverify.yaml_tree import parse_yaml

CHAT = "{model: m, runs_on: tray0, sessions: 60k, context: 25k, new_tokens: 400, turns: {every: 60 s}}"
DOCS = "{model: m, runs_on: tray0, documents: 40k, context: 8k, reads: 40 /s, rewritten: 24 h}"
RAW = "{runs_on: tray0, bytes: 5 TB, read: 1 GB/s, write: 0 GB/s}"


def read(text: str) -> WorkloadSpec:
    return read_workload(parse_yaml(text, "w.yaml"), Path())


def refusal(text: str) -> str:
    with pytest.raises(InputError) as caught:
        read(text)
    return str(caught.value)


@pytest.mark.parametrize("form", [CHAT, DOCS, RAW])
def test_each_form_of_traffic_is_read(form: str) -> None:
    """Sessions, documents or bytes, each complete in itself."""
    assert read(f"acme/chat: {form}\n").sets[0].full_name == "acme/chat"


def test_defaults_fill_in_what_a_set_leaves_out() -> None:
    """A set's own key wins; a default keeps its own line."""
    workload = read(f"defaults: {{restore: 200 ms, tp: 4}}\nacme/chat: {CHAT[:-1]}, tp: 8}}\n")
    entry = workload.sets[0]
    assert (entry.spec.tp, entry.spec.restore, entry.where("restore").line) == (8, Fraction(1, 5), 1)


def test_one_band_needs_no_name() -> None:
    """``{every: 60 s}`` is one band of all sessions."""
    turns = read(f"a/b: {CHAT}\n").sets[0].spec.turns
    assert isinstance(turns, dict)
    assert [(name, band.share, band.every) for name, band in turns.items()] == [("all", 1, 60)]


def test_named_bands_are_read_in_order() -> None:
    """Bands keep their names and exact shares."""
    text = CHAT.replace(
        "{every: 60 s}", "{hot: {share: 2.5%, every: 60 s}, cold: {share: 97.5%, every: 30 min}}"
    )
    turns = read(f"a/b: {text}\n").sets[0].spec.turns
    assert isinstance(turns, dict)
    assert [(name, band.share) for name, band in turns.items()] == [
        ("hot", Fraction(1, 40)),
        ("cold", Fraction(39, 40)),
    ]


def test_bands_may_come_from_a_trace() -> None:
    """``from`` names a trace; how many bands is a choice with a default."""
    text = CHAT.replace("{every: 60 s}", "{from: t.jsonl}")
    assert read(f"a/b: {text}\n").sets[0].spec.turns == TraceBands.model_validate(
        {"from": "t.jsonl", "bands": 3}
    )


@pytest.mark.parametrize(
    ("turns", "message"),
    [
        (
            "{hot: {share: 4%, every: 60 s}}",
            "turns: the bands' shares add up to 4 %, not 100 %\n  Make them 100 %.",
        ),
        (
            "{hot: {share: 4%, every: 60}}",
            "turns.hot.every: 60 has no unit; expected a time\n  Write it as '60 ms', '60 s' or '60 h'.",
        ),
        (
            "{hot: {share: 4%}}",
            "turns.hot: key 'every' is missing\n  Add it: mean time between two turns of a session in this band.",
        ),
        ("{hot: 4%}", "turns.hot: keys and values are expected here\n  Known keys: every, share."),
        ("{every: 60 s, hot: 1}", "turns: unknown key 'hot'\n  Known: every, share."),
        ("{every: 0 s}", "turns.every: '0 s' must be more than 0\n  Write it as '100 us'."),
        ("{from: t, band: 3}", "turns: unknown key 'band'\n  Did you mean 'bands'?"),
        ("{from: t, bands: 0}", "turns.bands: 0 must be 1 to 4,096\n  Check the number."),
        (
            "{}",
            "turns: turns need heat bands\n  Write {every: 20 min}, or {hot: {share: 4%, every: 60 s}, ...}.",
        ),
        (
            "60 s",
            "turns: turns need heat bands\n  Write {every: 20 min}, or {hot: {share: 4%, every: 60 s}, ...}.",
        ),
    ],
)
def test_wrong_turns_name_the_key(turns: str, message: str) -> None:
    """A breach inside a band is told with the band, not with pydantic's words."""
    text = refusal(f"a/b: {CHAT.replace('{every: 60 s}', turns)}\n")
    place, _, rest = text.partition(": workload.a/b.")
    assert place.startswith("w.yaml:1:")
    assert rest == message


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "{}\n",
            "w.yaml:1:1: the workload has no working sets\n"
            "  Name at least one set: acme/chat: {model: ..., sessions: ...}.",
        ),
        (
            "[a]\n",
            "w.yaml:1:1: working sets by name are expected here\n"
            "  Write 'acme/chat: {model: ..., sessions: ...}' lines, or the path of a file with them.",
        ),
        (
            "defaults: {tp: 2}\n",
            "w.yaml:1:1: the workload has no working sets\n"
            "  Name at least one set: acme/chat: {model: ..., sessions: ...}.",
        ),
        (f"chat: {CHAT}\n", "w.yaml:1:1: 'chat' is not tenant/name\n  Write it as default/chat."),
        (f"a/b/c: {CHAT}\n", "w.yaml:1:1: 'a/b/c' is not tenant/name\n  Write it as default/a-b-c."),
        (f"/: {CHAT}\n", "w.yaml:1:1: '/' is not tenant/name\n  Write it as default/chat."),
        (f"a/../b: {CHAT}\n", "w.yaml:1:1: 'a/../b' is not tenant/name\n  Write it as default/a-..-b."),
        (f"a/b c: {CHAT}\n", "w.yaml:1:1: 'a/b c' is not tenant/name\n  Write it as default/a-b-c."),
        ("a/b: 7\n", "w.yaml:1:1: a working set is a mapping of keys\n  Write {model: ..., sessions: ...}."),
        (
            "a/b: {runs_on: t}\n",
            "w.yaml:1:1: a/b: one form of traffic is needed, none given\n"
            "  Give sessions, documents or bytes, and what belongs to it.",
        ),
        (
            f"a/b: {CHAT[:-1]}, bytes: 1 TB}}\n",
            "w.yaml:1:1: a/b: one form of traffic is needed, sessions and bytes given\n"
            "  Give sessions, documents or bytes, and what belongs to it.",
        ),
        (
            "a/b: {model: m, runs_on: t, sessions: 5}\n",
            "w.yaml:1:1: a/b: key 'context' is missing\n"
            "  The form 'sessions' needs sessions, context, new_tokens, turns, model, runs_on.",
        ),
        (
            f"a/b: {RAW.replace('runs_on: tray0, ', '')}\n",
            "w.yaml:1:1: a/b: key 'runs_on' is missing\n"
            "  The form 'bytes' needs bytes, read, write, runs_on.",
        ),
        (
            f"a/b:\n  {CHAT[:-1]},\n  reads: 4 /s}}\n",
            "w.yaml:3:3: a/b: 'reads' does not belong to the form 'sessions'\n  Remove it.",
        ),
        (
            f"a/b: {DOCS[:-1]}, object: 1 GB}}\n",
            "w.yaml:1:93: a/b: 'object' does not belong to the form 'documents'\n  Remove it.",
        ),
        (
            f"a/b:\n  {RAW[:-1]},\n  reserve: 20}}\n",
            "w.yaml:3:3: workload.a/b.reserve: 20 is not a percentage\n"
            "  Write it with a per cent sign: 20%.",
        ),
        (
            f"a/b:\n  {RAW[:-1]},\n  sticky: rak}}\n",
            "w.yaml:3:3: workload.a/b.sticky: 'rak' is not a stickiness\n"
            "  Write tray, rack, none or a percentage such as 60%.",
        ),
        (
            f"a/b:\n  {RAW[:-1]},\n  tiers: []}}\n",
            "w.yaml:3:3: workload.a/b.tiers: at least one tier is expected here\n"
            "  Add one, or leave the key out.",
        ),
        (
            f"a/b:\n  {RAW[:-1]},\n  tiers: [G5]}}\n",
            "w.yaml:3:11: workload.a/b.tiers.0: 'G5' is not a choice here\n"
            "  Allowed: 'G1', 'G2', 'G3', 'G3.5' or 'G4'.",
        ),
        (
            f"defaults: {{tpp: 2}}\na/b: {RAW}\n",
            "w.yaml:1:12: workload.defaults: unknown key 'tpp'\n  Did you mean 'tp'?",
        ),
    ],
)
def test_wrong_sets_are_one_message(text: str, message: str) -> None:
    """Names, forms and keys: each breach has its line and the way out."""
    assert refusal(text) == message


def test_only_keeps_the_named_sets() -> None:
    """The rest of the workload is left out, in the file's order."""
    workload = read(f"a/x: {RAW}\na/y: {RAW}\na/z: {RAW}\n")
    assert [entry.full_name for entry in workload.only(["a/z", "a/x"]).sets] == ["a/x", "a/z"]


def test_only_refuses_unknown_sets() -> None:
    """A misspelt set does not silently select nothing."""
    with pytest.raises(InputError) as caught:
        read(f"acme/chat: {RAW}\n").only(["acme/chatt"])
    assert str(caught.value) == "--only acme/chatt: no working set 'acme/chatt'\n  Did you mean 'acme/chat'?"


@pytest.mark.parametrize(("text", "value"), [("60%", Fraction(3, 5)), ("rack", "rack"), ("none", "none")])
def test_stickiness_is_a_word_or_a_share(text: str, value: object) -> None:
    """Both ways to write it are kept exactly."""
    assert read(f"a/b: {RAW[:-1]}, sticky: {text}}}\n").sets[0].spec.sticky == value
