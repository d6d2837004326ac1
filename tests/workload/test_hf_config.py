"""From config.json to a KV shape: every family we know, and one clear error for what we do not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from shared_files import needs, shared

from cmxverify.errors import InputError, Location
from cmxverify.workload.dtype import Dtype
from cmxverify.workload.hf_config import read_hf_config, shape_of
from cmxverify.workload.kv_shape import KvShape, model_shape

CONFIGS = shared("model_configs")

LLAMA: dict[str, Any] = {
    "model_type": "llama", "num_hidden_layers": 80, "hidden_size": 8192, "num_attention_heads": 64,
    "num_key_value_heads": 8, "intermediate_size": 28672, "vocab_size": 128256, "torch_dtype": "bfloat16",
}  # fmt: skip
DEEPSEEK: dict[str, Any] = {
    "model_type": "deepseek_v3", "num_hidden_layers": 61, "hidden_size": 7168, "num_attention_heads": 128,
    "num_key_value_heads": 128, "kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128,
    "q_lora_rank": 1536, "v_head_dim": 128, "num_nextn_predict_layers": 1,
}  # fmt: skip
QWEN_NEXT: dict[str, Any] = {
    "model_type": "qwen3_next", "num_hidden_layers": 48, "hidden_size": 2048, "num_attention_heads": 16,
    "num_key_value_heads": 2, "head_dim": 256, "full_attention_interval": 4, "linear_conv_kernel_dim": 4,
    "linear_key_head_dim": 128, "linear_num_key_heads": 16, "linear_num_value_heads": 32,
    "linear_value_head_dim": 128, "use_sliding_window": False,
}  # fmt: skip
GPT_OSS: dict[str, Any] = {
    "model_type": "gpt_oss", "num_hidden_layers": 24, "hidden_size": 2880, "num_attention_heads": 64,
    "num_key_value_heads": 8, "head_dim": 64, "sliding_window": 128,
    "layer_types": ["sliding_attention", "full_attention"] * 12,
}  # fmt: skip
GEMMA4: dict[str, Any] = {
    "model_type": "gemma4_text", "num_hidden_layers": 30, "hidden_size": 2816, "num_attention_heads": 16,
    "num_key_value_heads": 8, "num_global_key_value_heads": 2, "head_dim": 256, "global_head_dim": 512,
    "attention_k_eq_v": True, "sliding_window": 1024, "num_kv_shared_layers": 0,
    "layer_types": (["sliding_attention"] * 5 + ["full_attention"]) * 5,
}  # fmt: skip
MIMO: dict[str, Any] = {
    "model_type": "mimo_v2_flash", "num_hidden_layers": 48, "hidden_size": 4096, "num_attention_heads": 64,
    "num_key_value_heads": 4, "head_dim": 192, "v_head_dim": 128, "swa_num_key_value_heads": 8,
    "swa_head_dim": 192, "swa_v_head_dim": 128, "sliding_window_size": 128, "swa_rope_theta": 10000,
    "hybrid_layer_pattern": [0] + [1, 1, 1, 1, 0] * 7 + [1] * 11 + [0],
}  # fmt: skip
NEMOTRON: dict[str, Any] = {
    "model_type": "nemotron_h", "num_hidden_layers": 52, "hidden_size": 2688, "num_attention_heads": 32,
    "num_key_value_heads": 2, "head_dim": 128, "mamba_num_heads": 64, "mamba_head_dim": 64, "ssm_state_size": 128,
    "n_groups": 8, "conv_kernel": 4, "mamba_ssm_cache_dtype": "float32",
    "hybrid_override_pattern": "MEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEM*EMEMEMEM*EMEMEMEME",
}  # fmt: skip
KIMI_K3: dict[str, Any] = {
    "model_type": "kimi_linear", "num_hidden_layers": 93, "hidden_size": 7168, "num_attention_heads": 96,
    "kv_lora_rank": 512, "qk_rope_head_dim": 64,
    "linear_attn_config": {
        "num_heads": 96, "head_dim": 128, "short_conv_kernel_size": 4,
        "kda_layers": list(range(1, 70)), "full_attn_layers": list(range(70, 94)),
    },
}  # fmt: skip
DEEPSEEK_V4: dict[str, Any] = {
    "model_type": "deepseek_v4", "num_hidden_layers": 61, "hidden_size": 7168, "num_attention_heads": 128,
    "num_key_value_heads": 1, "head_dim": 512, "index_head_dim": 128, "index_topk": 1024, "sliding_window": 128,
    "compress_ratios": [128, 128, *[4, 128] * 29, 4, 0],
}  # fmt: skip
LLAMA4: dict[str, Any] = {
    "model_type": "llama4",
    "text_config": {
        "model_type": "llama4_text", "num_hidden_layers": 48, "hidden_size": 5120, "num_attention_heads": 40,
        "num_key_value_heads": 8, "head_dim": 128, "attention_chunk_size": 8192,
    },
}  # fmt: skip


@pytest.fixture
def read(tmp_path: Path) -> Any:
    """Write a table as config.json and read its shape."""

    def shape(table: Any) -> KvShape:
        path = tmp_path / "config.json"
        path.write_text(json.dumps(table, indent=2))
        return read_hf_config(path)

    return shape


def without(table: dict[str, Any], *keys: str) -> dict[str, Any]:
    return {key: value for key, value in table.items() if key not in keys}


@pytest.mark.parametrize(
    ("table", "name"),
    [
        (LLAMA, "llama-3.1-70b"),
        (DEEPSEEK, "deepseek-v3"),
        (
            {**DEEPSEEK, "model_type": "deepseek_v32", "index_head_dim": 128, "index_topk": 2048},
            "deepseek-v3.2",
        ),
        (QWEN_NEXT, "qwen3-next-80b-a3b"),
        (GPT_OSS, "gpt-oss-20b"),
        ({"model_type": "gemma4", "text_config": GEMMA4, "vision_config": {"x": 1}}, "gemma-4-26b-a4b"),
        (MIMO, "mimo-v2-flash"),
        (NEMOTRON, "nemotron-3-nano-30b"),
        (KIMI_K3, "kimi-k3"),
        (DEEPSEEK_V4, "deepseek-v4-pro"),
        (LLAMA4, "llama-4-scout"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_config_gives_the_groups_of_the_catalog(read: Any, table: dict[str, Any], name: str) -> None:
    """Two ways to one shape: the file's keys, and the catalog's own entry."""
    assert set(read(table).groups) == set(model_shape(name).groups)


@pytest.mark.parametrize(
    ("changes", "layers"),
    [
        ({"model_type": "mistral", "sliding_window": 4096}, {"sliding": 80}),
        ({"model_type": "mistral", "sliding_window": None}, {"full": 80}),
        ({"model_type": "qwen2", "sliding_window": 4096, "use_sliding_window": False}, {"full": 80}),
        (
            {"model_type": "qwen2", "sliding_window": 4096, "use_sliding_window": True, "max_window_layers": 70},
            {"full": 70, "sliding": 10},
        ),
        ({"model_type": "qwen3", "sliding_window": 4096, "layer_types": ["full_attention"] * 80}, {"full": 80}),
        ({"model_type": "gemma2", "sliding_window": 4096}, {"sliding": 40, "full": 40}),
        ({"model_type": "gemma3_text", "sliding_window": 1024}, {"sliding": 67, "full": 13}),
        ({"model_type": "cohere2", "sliding_window": 4096, "sliding_window_pattern": 4}, {"sliding": 60, "full": 20}),
        ({"model_type": "gemma3n_text", "num_kv_shared_layers": 20}, {"full": 60}),
        ({"model_type": "minimax", "attn_type_list": ([0] * 7 + [1]) * 10}, {"state": 70, "full": 10}),
        ({"model_type": "llama4_text", "attention_chunk_size": 8192, "no_rope_layer_interval": 5},
         {"chunked": 64, "full": 16}),
    ],
)  # fmt: skip
def test_which_layers_keep_what(read: Any, changes: dict[str, Any], layers: dict[str, int]) -> None:
    groups = read({**LLAMA, **changes}).groups
    assert {str(group.kind): group.layers for group in groups} == layers


def test_a_missing_head_dim_is_hidden_size_over_heads(read: Any) -> None:
    assert read({**LLAMA, "num_attention_heads": 128}).groups[0].k_dim == 64


def test_missing_kv_heads_mean_one_for_each_head_and_a_note(read: Any) -> None:
    shape = read(without(LLAMA, "num_key_value_heads"))
    assert shape.groups[0].heads == 64
    assert shape.notes == ("no 'num_key_value_heads': one for each of 64 attention heads",)


def test_a_model_folder_stands_for_its_config(tmp_path: Path) -> None:
    (tmp_path / "config.json").write_text(json.dumps(LLAMA))
    assert read_hf_config(tmp_path).name == tmp_path.name


def test_a_model_is_a_catalog_name_or_a_path(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "config.json").write_text(json.dumps(LLAMA))

    assert shape_of("llama-3.1-70b", tmp_path) == model_shape("llama-3.1-70b")
    assert shape_of("mine", tmp_path) == shape_of("mine/config.json", tmp_path)


def test_an_unknown_model_is_reported_where_it_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"rack\.yaml:7: unknown model 'lama'"):
        shape_of("lama", tmp_path, Location("rack.yaml", 7))


def test_gpt2_spellings(read: Any) -> None:
    shape = read({"model_type": "gpt2", "n_layer": 12, "n_head": 12, "n_embd": 768})
    assert shape.bytes_per_token(Dtype.FP16) == 2 * 12 * 768 * 2


def test_multi_query_models_have_one_kv_head(read: Any) -> None:
    table = {"model_type": "falcon", "num_hidden_layers": 32, "num_attention_heads": 71, "hidden_size": 4544}
    assert read({**table, "multi_query": True}).groups[0].heads == 1


def test_prediction_layers_are_not_counted_and_a_note_says_so(read: Any) -> None:
    shape = read(DEEPSEEK)
    assert shape.bytes_per_token(Dtype.BF16) == 70_272
    assert "1 multi-token-prediction layers (num_nextn_predict_layers) are not counted" in shape.notes


def test_sparse_attention_without_index_width_takes_the_class_default_and_says_so(read: Any) -> None:
    shape = read({**DEEPSEEK, "model_type": "glm_moe_dsa", "num_hidden_layers": 78})
    assert shape.bytes_per_token(Dtype.BF16) == model_shape("glm-5").bytes_per_token(Dtype.BF16)
    assert "no 'index_head_dim': 128, the default of glm_moe_dsa" in shape.notes


def test_shared_indexers_count_only_the_layers_that_own_one(read: Any) -> None:
    owners = ["full"] * 21 + ["shared"] * 57
    table = {**DEEPSEEK, "num_hidden_layers": 78, "index_head_dim": 128, "indexer_types": owners}
    assert read(table).bytes_per_token(Dtype.BF16) == model_shape("glm-5.2").bytes_per_token(Dtype.BF16)


@pytest.mark.parametrize(
    ("changes", "weights", "kv_dtype"),
    [
        ({}, Dtype.BF16, Dtype.BF16),
        ({"torch_dtype": "float16"}, Dtype.FP16, Dtype.FP16),
        ({"quantization_config": {"quant_method": "fp8"}}, Dtype.FP8, Dtype.BF16),
        ({"quantization_config": {"quant_method": "x", "kv_cache_scheme": {"num_bits": 8}}}, None, Dtype.FP8),
    ],
)
def test_formats(read: Any, changes: dict[str, Any], weights: Dtype | None, kv_dtype: Dtype) -> None:
    shape = read({**LLAMA, **changes})
    assert (shape.weights, shape.kv_dtype) == (weights, kv_dtype)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"num_hidden_layers": 0}, "config.json:3: 'num_hidden_layers' is 0"),
        ({"num_hidden_layers": -1}, "'num_hidden_layers' is -1"),
        ({"num_hidden_layers": "80"}, "'num_hidden_layers' is \"80\", not a whole number"),
        ({"num_hidden_layers": 80.5}, "'num_hidden_layers' is 80.5, not a whole number"),
        ({"num_hidden_layers": True}, "'num_hidden_layers' is true, not a whole number"),
        ({"num_hidden_layers": None}, "'num_hidden_layers' is missing"),
        ({"num_hidden_layers": 10**40}, "'num_hidden_layers' is 1000000"),
        ({"num_key_value_heads": 7}, "is 7, which does not divide 64 attention heads"),
        ({"hidden_size": 8191}, "'hidden_size' 8191 is no multiple of 64 attention heads"),
        ({"sliding_window": 4096}, "'sliding_window' is set, but nothing says which layers slide"),
        ({"layer_types": ["full_attention"] * 79}, "'layer_types' names 79 layers, but there are 80"),
        ({"layer_types": ["ring_attention"] * 80}, "'layer_types' holds 'ring_attention', whose cache"),
        ({"layer_types": "full_attention"}, "'layer_types' is \"full_attention\", not a list of strings"),
        ({"layer_types": ["linear_attention"] * 80}, "'linear_num_value_heads' is missing"),
        ({"kv_lora_rank": 512}, "'qk_rope_head_dim' is missing"),
        ({"is_encoder_decoder": True}, "an encoder-decoder model"),
        ({"cross_attention_layers": [3, 8]}, "'cross_attention_layers' changes the KV cache"),
        ({"attn_layer_period": 8}, "'attn_layer_period' changes the KV cache"),
        ({"mamba_d_state": 16}, "'mamba_d_state' changes the KV cache"),
        ({"block_configs": [{"n_heads_in_group": 8}]}, "'block_configs' changes the KV cache"),
        ({"num_kv_shared_layers": 80}, "all 80 layers share a cache"),
        ({"hybrid_override_pattern": "MEX"}, "'hybrid_override_pattern' holds 'X'"),
        ({"text_config": 3}, "'text_config' is 3, not an object"),
        ({"model_type": 3}, "'model_type' is 3, not a string"),
        ({"torch_dtype": "bfloat16", "compress_ratios": [4]}, "'compress_ratios' names 1 of 80 layers"),
    ],
)  # fmt: skip
def test_bad_values_are_one_clear_error(read: Any, changes: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError) as caught:
        read({**LLAMA, **changes})
    assert message in str(caught.value)
    assert "\n  " in str(caught.value), "no word on how to fix it"


def test_layers_of_kimi_delta_attention_must_part_the_model(read: Any) -> None:
    broken = {**KIMI_K3, "linear_attn_config": {**KIMI_K3["linear_attn_config"], "full_attn_layers": [1]}}
    with pytest.raises(InputError, match="do not part the 93 layers"):
        read(broken)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (b"", "not JSON"),
        (b"{", "config.json:1:2: not JSON"),
        (b'{\n "a": 1,\n "a": 2}', "config.json:2: key 'a' stands twice"),
        (b"[1]", "the file holds [1], not an object"),
        (b"null", "the file holds null, not an object"),
        (b'{"a": NaN}', "NaN is not a JSON number"),
        (b"\n\xff\xfe{}", "config.json:2: not UTF-8"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a": ' + b"9" * 5000 + b"}", "not usable JSON"),
        (b" " * (8 * 2**20 + 1), "larger than 8 MiB"),
    ],
    ids=range(10),
)
def test_unreadable_files_are_one_clear_error(tmp_path: Path, raw: bytes, message: str) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(raw)
    with pytest.raises(InputError) as caught:
        read_hf_config(path)
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["absent.json", ".", "absent/config.json"])
def test_a_file_that_cannot_be_opened_is_an_input_error(tmp_path: Path, name: str) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_hf_config(tmp_path / name)


ANYTHING = (
    st.none()
    | st.booleans()
    | st.integers(-3, 10**9)
    | st.text(max_size=4)
    | st.lists(st.integers(0, 9), max_size=3)
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    base=st.sampled_from([LLAMA, DEEPSEEK, QWEN_NEXT, GEMMA4, MIMO, NEMOTRON, KIMI_K3, DEEPSEEK_V4, GPT_OSS]),
    changes=st.data(),
)
def test_a_mutated_config_gives_a_shape_or_an_input_error(
    read: Any, base: dict[str, Any], changes: st.DataObject
) -> None:
    """No value under any key of a known config leads to a traceback or a shape without bytes."""
    keys = changes.draw(st.lists(st.sampled_from(sorted(base)), min_size=1, max_size=3))
    try:
        shape = read({**base, **{key: changes.draw(ANYTHING) for key in keys}})
    except InputError:
        return
    assert shape.bytes_of_sequence(1000, Dtype.BF16) > 0


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(raw=st.binary(max_size=60))
def test_any_bytes_give_an_input_error(tmp_path: Path, raw: bytes) -> None:
    path = tmp_path / "config.json"
    path.write_bytes(raw)
    with pytest.raises(InputError):
        read_hf_config(path)


@needs(CONFIGS)
@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("MiniMaxAI--MiniMax-M2.5", "minimax-m2.5"),
        ("Qwen--Qwen3-30B-A3B", "qwen3-30b-a3b"),
        ("Qwen--Qwen3-32B", "qwen3-32b"),
        ("Qwen--Qwen3-8B", "qwen3-8b"),
        ("deepseek-ai--DeepSeek-V3", "deepseek-v3"),
        ("google--gemma-4-26B-A4B", "gemma-4-26b-a4b"),
        ("meta-llama--Meta-Llama-3.1-70B", "llama-3.1-70b"),
        ("meta-llama--Meta-Llama-3.1-8B", "llama-3.1-8b"),
        ("mistralai--Mixtral-8x7B-v0.1", "mixtral-8x7b"),
        ("openai--gpt-oss-20b", "gpt-oss-20b"),
    ],
)
def test_published_configs_give_the_catalog_shapes(file: str, name: str) -> None:
    """Shape and, where we can count them, parameters of the published file are those of the catalog."""
    shape, expected = read_hf_config(CONFIGS / f"{file}_config.json"), model_shape(name)

    assert set(shape.groups) == set(expected.groups)
    assert shape.parameters in (expected.parameters, None)
    assert shape.weights is expected.weights
