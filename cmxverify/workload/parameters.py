"""The number of weights of a model, counted from its config, for architectures whose layers we know exactly.

For any other the count is unknown: capacity of the cache does not need it, and a guess would be silent.
"""

from __future__ import annotations

from cmxverify.workload.config_reader import ConfigReader

_GATED = frozenset(
    {"llama", "mistral", "mixtral", "qwen2", "qwen3", "qwen3_moe", "minimax_m2", "deepseek_v3", "kimi_k2"}
)
_LATENT = frozenset({"deepseek_v3", "kimi_k2"})


def count_parameters(config: ConfigReader, whole: ConfigReader) -> int | None:
    """All weights without multi-token-prediction layers; ``None`` for an architecture not known here.

    Raises:
        InputError: If a key that a known architecture needs is wrong.
    """
    model_type = config.word("model_type") or whole.word("model_type")
    if model_type == "gpt_oss" and _has_all(config, "vocab_size", "num_local_experts", "intermediate_size"):
        return _gpt_oss(config)
    if model_type not in _GATED or not _has_all(config, "vocab_size", "hidden_size", "intermediate_size"):
        return None
    hidden, layers = config.count("hidden_size"), config.count("num_hidden_layers")
    tied = config.flag("tie_word_embeddings") or whole.flag("tie_word_embeddings")
    vocabulary = config.count("vocab_size") * hidden * (1 if tied else 2)
    attention = _latent_attention(config) if model_type in _LATENT else _attention(config, model_type)
    return vocabulary + hidden + layers * (attention + 2 * hidden) + _feed_forward(config, model_type, layers)


def _has_all(config: ConfigReader, *keys: str) -> bool:
    return all(config.has(key) for key in keys)


def _head_sizes(config: ConfigReader) -> tuple[int, int, int]:
    heads = config.count("num_attention_heads")
    head_dim = config.count("head_dim", default=max(config.count("hidden_size") // heads, 1))
    return heads, config.count("num_key_value_heads", default=heads), head_dim


def _attention(config: ConfigReader, model_type: str) -> int:
    hidden = config.count("hidden_size")
    heads, kv_heads, head_dim = _head_sizes(config)
    projected = (heads + 2 * kv_heads) * head_dim
    weights = hidden * projected + heads * head_dim * hidden
    if model_type == "qwen2" or config.flag("attention_bias"):
        weights += projected + (hidden if config.flag("attention_bias") else 0)
    if model_type in ("qwen3", "qwen3_moe"):
        weights += 2 * head_dim
    if model_type == "minimax_m2":
        weights += (heads + kv_heads) * head_dim
    return weights


def _latent_attention(config: ConfigReader) -> int:
    hidden, heads = config.count("hidden_size"), config.count("num_attention_heads")
    nope, rope = config.count("qk_nope_head_dim"), config.count("qk_rope_head_dim", least=0)
    latent, value = config.count("kv_lora_rank"), config.count("v_head_dim")
    queries = hidden * heads * (nope + rope)
    if config.has("q_lora_rank"):
        rank = config.count("q_lora_rank")
        queries = hidden * rank + rank + rank * heads * (nope + rope)
    return (
        queries + hidden * (latent + rope) + latent + latent * heads * (nope + value) + heads * value * hidden
    )


def _feed_forward(config: ConfigReader, model_type: str, layers: int) -> int:
    hidden, inner = config.count("hidden_size"), config.count("intermediate_size")
    experts = config.count("num_local_experts", "num_experts", "n_routed_experts", default=0, least=0)
    if not experts:
        return layers * 3 * hidden * inner
    expert_inner = config.count("moe_intermediate_size", default=inner)
    shared = config.count("n_shared_experts", default=0, least=0)
    corrected = model_type in ("deepseek_v3", "kimi_k2", "minimax_m2")  # a routing bias for each expert
    sparse = (experts + shared) * 3 * hidden * expert_inner + hidden * experts + (experts if corrected else 0)
    dense = min(config.count("first_k_dense_replace", default=0, least=0), layers)
    return dense * 3 * hidden * inner + (layers - dense) * sparse


def _gpt_oss(config: ConfigReader) -> int:
    """gpt-oss: biases everywhere, one attention sink a head, gate and up in one matrix."""
    hidden, inner, layers = (
        config.count(k) for k in ("hidden_size", "intermediate_size", "num_hidden_layers")
    )
    heads, kv_heads, head_dim = _head_sizes(config)
    projected = (heads + 2 * kv_heads) * head_dim
    attention = (hidden + 1) * projected + (heads * head_dim + 1) * hidden + heads
    experts = config.count("num_local_experts")
    sparse = experts * ((hidden + 1) * 2 * inner + (inner + 1) * hidden) + (hidden + 1) * experts
    return 2 * config.count("vocab_size") * hidden + hidden + layers * (attention + sparse + 2 * hidden)
