"""Parameter counts from a config: exact for the architectures we know, unknown for others."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from cmxverify.catalog.models import model_entry
from cmxverify.workload.hf_config import read_hf_config

CONFIGS: dict[str, dict[str, Any]] = {
    "llama-3.1-405b": {
        "model_type": "llama", "num_hidden_layers": 126, "hidden_size": 16384, "num_attention_heads": 128,
        "num_key_value_heads": 8, "intermediate_size": 53248, "vocab_size": 128256,
    },
    "qwen3-235b-a22b": {
        "model_type": "qwen3_moe", "num_hidden_layers": 94, "hidden_size": 4096, "num_attention_heads": 64,
        "num_key_value_heads": 4, "head_dim": 128, "intermediate_size": 12288, "moe_intermediate_size": 1536,
        "num_experts": 128, "vocab_size": 151936,
    },
    "mixtral-8x7b": {
        "model_type": "mixtral", "num_hidden_layers": 32, "hidden_size": 4096, "num_attention_heads": 32,
        "num_key_value_heads": 8, "intermediate_size": 14336, "num_local_experts": 8, "vocab_size": 32000,
    },
    "deepseek-v3": {
        "model_type": "deepseek_v3", "num_hidden_layers": 61, "hidden_size": 7168, "num_attention_heads": 128,
        "kv_lora_rank": 512, "qk_rope_head_dim": 64, "qk_nope_head_dim": 128, "q_lora_rank": 1536,
        "v_head_dim": 128, "intermediate_size": 18432, "moe_intermediate_size": 2048, "n_routed_experts": 256,
        "n_shared_experts": 1, "first_k_dense_replace": 3, "vocab_size": 129280,
    },
    "gpt-oss-20b": {
        "model_type": "gpt_oss", "num_hidden_layers": 24, "hidden_size": 2880, "num_attention_heads": 64,
        "num_key_value_heads": 8, "head_dim": 64, "intermediate_size": 2880, "num_local_experts": 32,
        "vocab_size": 201088, "sliding_window": 128,
    },
}  # fmt: skip


def parameters(folder: Path, table: dict[str, Any]) -> int | None:
    path = folder / "config.json"
    path.write_text(json.dumps(table))
    return read_hf_config(path).parameters


@pytest.mark.parametrize("name", CONFIGS)
def test_the_count_from_the_config_is_the_one_of_the_catalog(tmp_path: Path, name: str) -> None:
    assert parameters(tmp_path, CONFIGS[name]) == model_entry(name).parameters


def test_tied_embeddings_count_once(tmp_path: Path) -> None:
    table = CONFIGS["llama-3.1-405b"]
    once, twice = parameters(tmp_path, {**table, "tie_word_embeddings": True}), parameters(tmp_path, table)

    assert once is not None
    assert twice is not None
    assert twice - once == 128256 * 16384


def test_an_unknown_architecture_has_an_unknown_count(tmp_path: Path) -> None:
    assert parameters(tmp_path, {**CONFIGS["llama-3.1-405b"], "model_type": "brand_new"}) is None
