"""The layer groups of a model from the keys of its config, one function for each way of keeping the past.

Sources: the configuration classes of the Transformers library and the published configs; the states of
linear attention and Mamba-2 as their reference code keeps them (convolution windows hold kernel - 1 columns).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from cmxverify.workload.config_reader import ConfigReader
from cmxverify.workload.dtype import Dtype, parse_dtype
from cmxverify.workload.kv_shape import Kind, LayerGroup
from cmxverify.workload.layer_kinds import layer_kinds

_CLASS_HEAD_DIM: Mapping[str, int] = {
    **dict.fromkeys(("gemma", "gemma2", "gemma3_text", "gemma3", "gemma3n_text", "gemma4_text"), 256),
    "qwen3": 128,
    "gpt_oss": 64,
}
_SPARSE_BY_CLASS = frozenset({"deepseek_v32", "glm_moe_dsa"})


def layer_groups(config: ConfigReader, model_type: str) -> list[LayerGroup]:
    """Every layer that keeps something of the past, as groups.

    Raises:
        InputError: If a key that is needed is missing, or the keys contradict each other.
    """
    if config.has("compress_ratios"):
        return _compressed(config)
    if config.has("kv_lora_rank"):
        return _latent(config, model_type)
    groups: list[LayerGroup] = []
    for kind, number in Counter(layer_kinds(config, model_type)).items():
        groups += _of_kind(config, model_type, kind, number)
    if not groups:
        config.fail("no layer keeps a cache", "Check the list of layer types.")
    return groups


def _of_kind(config: ConfigReader, model_type: str, kind: str, layers: int) -> list[LayerGroup]:
    match kind:
        case "full":
            return [_full(config, model_type, layers)]
        case "sliding" | "chunked":
            return [_windowed(config, model_type, kind, layers)]
        case "linear" if model_type.startswith("minimax"):
            return [_lightning(config, layers)]
        case "linear":
            return _gated_delta(config, layers)
        case "mamba":
            return _mamba(config, layers)
        case _:
            return []


def _query_heads(config: ConfigReader) -> int:
    return config.count("num_attention_heads", "n_head", "n_heads")


def _kv_heads(config: ConfigReader, model_type: str) -> int:
    heads = _query_heads(config)
    if model_type == "falcon" and not config.flag("new_decoder_architecture"):
        return 1 if config.flag("multi_query", default=True) else heads
    if model_type == "gpt_bigcode":
        return 1 if config.flag("multi_query", default=True) else heads
    if model_type == "chatglm" and config.flag("multi_query_attention"):
        return config.count("multi_query_group_num")
    key = config.first_of("num_key_value_heads", *(("num_kv_heads",) if model_type == "falcon" else ()))
    if key is None:
        config.notes.append(f"no 'num_key_value_heads': one for each of {heads} attention heads")
        return heads
    kv_heads = config.count(key)
    if heads % kv_heads:
        fix = "Attention heads must be a multiple of the KV heads."
        config.fail(f"'{key}' is {kv_heads}, which does not divide {heads} attention heads", fix, key)
    return kv_heads


def _head_dim(config: ConfigReader, model_type: str) -> int:
    if key := config.first_of(
        "head_dim", "attention_head_dim", *(("kv_channels",) if model_type == "chatglm" else ())
    ):
        return config.count(key)
    if model_type in _CLASS_HEAD_DIM:
        config.notes.append(f"no 'head_dim': {_CLASS_HEAD_DIM[model_type]}, the default of {model_type}")
        return _CLASS_HEAD_DIM[model_type]
    hidden, heads = config.count("hidden_size", "n_embd", "d_model"), _query_heads(config)
    if hidden % heads:
        fix = 'Add "head_dim".'
        config.fail(f"'hidden_size' {hidden} is no multiple of {heads} attention heads", fix, "hidden_size")
    return hidden // heads


def _full(config: ConfigReader, model_type: str, layers: int) -> LayerGroup:
    head_dim = _head_dim(config, model_type)
    k_dim = config.count("global_head_dim", default=head_dim)
    heads = _kv_heads(config, model_type)
    return LayerGroup(
        kind=Kind.FULL,
        layers=layers,
        heads=config.count("num_global_key_value_heads", default=heads),
        k_dim=k_dim,
        v_dim=k_dim if config.has("global_head_dim") else config.count("v_head_dim", default=head_dim),
        stores_v=not config.flag("attention_k_eq_v"),
    )


def _windowed(config: ConfigReader, model_type: str, kind: str, layers: int) -> LayerGroup:
    """Sliding or chunked layers; ``swa_*`` keys override the shape of the sliding ones."""
    chunked = kind == "chunked"
    keys = ("attention_chunk_size",) if chunked else ("sliding_window", "sliding_window_size")
    config.ignore("sliding_window_size")
    k_dim = config.count("swa_head_dim", default=_head_dim(config, model_type))
    v_default = (
        k_dim if config.has("swa_head_dim") or not config.has("v_head_dim") else config.count("v_head_dim")
    )
    return LayerGroup(
        kind=Kind.CHUNKED if chunked else Kind.SLIDING,
        layers=layers,
        heads=config.count("swa_num_key_value_heads", default=_kv_heads(config, model_type)),
        k_dim=k_dim,
        v_dim=config.count("swa_v_head_dim", default=v_default),
        window=config.count(*keys),
    )


def _state(layers: int, heads: int, k: int, v: int, dtype: Dtype) -> LayerGroup:
    return LayerGroup(kind=Kind.STATE, layers=layers, heads=heads, k_dim=k, v_dim=v, dtype=dtype)


def _conv_window(layers: int, channels: int, kernel: int) -> list[LayerGroup]:
    return [_state(layers, channels, kernel - 1, 1, Dtype.BF16)] if kernel > 1 else []


def _state_dtype(config: ConfigReader) -> Dtype:
    key = config.first_of("mamba_ssm_cache_dtype", "mamba_ssm_dtype")
    if key:
        return parse_dtype(config.word(key), config.at(key))
    config.notes.append("recurrent state in fp32, as the reference code keeps it; an engine may take bf16")
    return Dtype.FP32


def _gated_delta(config: ConfigReader, layers: int) -> list[LayerGroup]:
    """Gated delta networks of Qwen3-Next and Qwen3.5."""
    heads, keys = config.count("linear_num_value_heads"), config.count("linear_num_key_heads")
    k_dim, v_dim = config.count("linear_key_head_dim"), config.count("linear_value_head_dim")
    channels = 2 * keys * k_dim + heads * v_dim
    state = _state(layers, heads, k_dim, v_dim, _state_dtype(config))
    return [state, *_conv_window(layers, channels, config.count("linear_conv_kernel_dim"))]


def _lightning(config: ConfigReader, layers: int) -> LayerGroup:
    """Lightning attention of MiniMax: a key-value outer product for every attention head."""
    head_dim = _head_dim(config, "minimax")
    return _state(layers, _query_heads(config), head_dim, head_dim, _state_dtype(config))


def _mamba(config: ConfigReader, layers: int) -> list[LayerGroup]:
    """Mamba-2 as in Nemotron-H and Granite 4."""
    heads = config.count("mamba_num_heads", "mamba_n_heads")
    head_dim = config.count("mamba_head_dim", "mamba_d_head")
    state = config.count("ssm_state_size", "mamba_d_state")
    groups = config.count("n_groups", "mamba_n_groups")
    channels = heads * head_dim + 2 * groups * state
    kernel = config.count("conv_kernel", "mamba_d_conv")
    return [
        _state(layers, heads, head_dim, state, _state_dtype(config)),
        *_conv_window(layers, channels, kernel),
    ]


def _latent(config: ConfigReader, model_type: str) -> list[LayerGroup]:
    """Multi-head latent attention: one latent and one rotary key a token and layer; maybe an index, maybe KDA."""
    layers = config.count("num_hidden_layers")
    width = config.count("kv_lora_rank") + config.count("qk_rope_head_dim", least=0)
    linear = config.section("linear_attn_config")
    recurrent = _delta_layers(config, linear, layers) if linear else []
    full = layers - sum(group.layers for group in recurrent[:1])
    index = _index(config, model_type, full)
    latent = LayerGroup(
        kind=Kind.LATENT, layers=full, k_dim=width, engine_fp8_bytes=656 if index and width == 576 else None
    )
    return [latent, *index, *recurrent]


def _index(config: ConfigReader, model_type: str, layers: int) -> list[LayerGroup]:
    """The 8-bit key by which sparse attention picks tokens (DeepSeek-V3.2, GLM-5)."""
    config.ignore("index_topk")
    if not config.has("index_head_dim"):
        if model_type not in _SPARSE_BY_CLASS:
            return []
        config.notes.append(f"no 'index_head_dim': 128, the default of {model_type}")
    dim = config.count("index_head_dim", default=128)
    own = config.items("indexer_types", str)
    layers = own.count("full") if own else layers
    scaled = dim + 4 if dim == 128 else None  # one fp32 scale for each 128 elements
    return [LayerGroup(kind=Kind.INDEX, layers=layers, k_dim=dim, dtype=Dtype.FP8, engine_fp8_bytes=scaled)]


def _delta_layers(config: ConfigReader, linear: ConfigReader, layers: int) -> list[LayerGroup]:
    """Kimi delta attention beside latent attention: state, and windows over queries, keys and values."""
    recurrent, full = set(linear.items("kda_layers", int)), set(linear.items("full_attn_layers", int))
    if recurrent & full or len(recurrent) + len(full) != layers:
        what = f"'kda_layers' and 'full_attn_layers' do not part the {layers} layers between them"
        config.fail(what, "Name each layer in exactly one of them.", "linear_attn_config")
    heads, head_dim = linear.count("num_heads"), linear.count("head_dim")
    channels = 3 * heads * head_dim
    state = _state(len(recurrent), heads, head_dim, head_dim, _state_dtype(config))
    return [state, *_conv_window(len(recurrent), channels, linear.count("short_conv_kernel_size"))]


def _compressed(config: ConfigReader) -> list[LayerGroup]:
    """DeepSeek-V4: a shared vector every 4 or 128 tokens, a short window beside it, running compressors."""
    layers = config.count("num_hidden_layers")
    listed = config.items("compress_ratios", int)
    if len(listed) < layers:
        config.fail(
            f"'compress_ratios' names {len(listed)} of {layers} layers", "Make them agree.", "compress_ratios"
        )
    ratios = Counter(listed[:layers])
    unknown = next((ratio for ratio in ratios if ratio not in (0, 4, 128)), None)
    if unknown is not None:
        config.fail(
            f"a compress ratio of {unknown} is not understood", "Known: 0, 4, 128.", "compress_ratios"
        )
    dim, heads = config.count("head_dim"), config.count("num_key_value_heads", default=1)
    window = config.count("sliding_window")
    sliding = LayerGroup(kind=Kind.SLIDING, layers=layers, heads=heads, k_dim=dim, window=window)
    config.ignore("index_topk", "index_head_dim")
    return [sliding, *_fine(config, ratios[4], dim, heads), *_coarse(ratios[128], dim, heads)]


def _fine(config: ConfigReader, layers: int, dim: int, heads: int) -> list[LayerGroup]:
    """Layers at one entry for 4 tokens: entry, index key, and compressors over two overlapping windows."""
    if not layers:
        return []
    index = config.count("index_head_dim")
    return [
        LayerGroup(kind=Kind.COMPRESSED, layers=layers, heads=heads, k_dim=dim, ratio=4),
        LayerGroup(kind=Kind.INDEX, layers=layers, k_dim=index, ratio=4),
        _state(layers, 1, 2 * 2 * 4, 2 * dim, Dtype.FP32),
        _state(layers, 1, 2 * 2 * 4, 2 * index, Dtype.FP32),
    ]


def _coarse(layers: int, dim: int, heads: int) -> list[LayerGroup]:
    if not layers:
        return []
    return [
        LayerGroup(kind=Kind.COMPRESSED, layers=layers, heads=heads, k_dim=dim, ratio=128),
        _state(layers, 1, 2 * 128, dim, Dtype.FP32),
    ]
