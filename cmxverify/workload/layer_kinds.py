"""Which layers of a model keep what: one word a layer, from a list in its config, an interval, or its class."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from cmxverify.workload.config_reader import ConfigReader

_Word = TypeVar("_Word", str, int)

_CLASS_PATTERN: Mapping[str, int] = {
    **dict.fromkeys(("gemma2", "gpt_oss"), 2),
    **dict.fromkeys(("gemma3_text", "gemma3"), 6),
    **dict.fromkeys(("cohere2", "olmo3", "exaone4"), 4),
}
"""Every n-th layer is full attention, the others slide, when the config does not say which."""

_ALL_LAYERS_SLIDE = frozenset({"mistral", "mixtral", "phi3", "phimoe", "starcoder2", "ministral"})
_SLIDING_IS_SWITCHED = frozenset(
    {"qwen2", "qwen3", "qwen2_moe", "qwen3_moe", "qwen3_next", "qwen2_5_vl_text"}
)
_WORDS = {
    "full_attention": "full",
    "attention": "full",
    "sliding_attention": "sliding",
    "chunked_attention": "chunked",
    "linear_attention": "linear",
    "mamba": "mamba",
    "mamba2": "mamba",
    "moe": "none",
    "mlp": "none",
}

_WINDOWS = ("sliding_window", "sliding_window_size", "use_sliding_window", "attention_chunk_size")
"""Where a list names the layers, a window counts only for those that it names."""


def layer_kinds(config: ConfigReader, model_type: str) -> list[str]:
    """One word a layer that keeps a cache of its own: full, sliding, chunked, linear, mamba or none.

    Raises:
        InputError: If the config does not say, contradicts itself, or names a kind that is not understood.
    """
    layers = config.count("num_hidden_layers", "n_layer", "n_layers", "num_layers")
    return _all_kinds(config, model_type, layers)[: layers - _shared_layers(config, layers)]


def _all_kinds(config: ConfigReader, model_type: str, layers: int) -> list[str]:
    if config.has("hybrid_override_pattern"):
        pattern = list(config.word("hybrid_override_pattern").replace("|", ""))
        letters = {"M": "mamba", "*": "full", "E": "none", "-": "none"}
        return _translated(config, "hybrid_override_pattern", pattern, letters, layers)
    listed = config.first_of("layer_types", "layers_block_type", "layer_block_type")
    if listed:
        config.ignore("full_attention_interval", "sliding_window_pattern", "attn_layer_indices", *_WINDOWS)
        return _translated(config, listed, config.items(listed, str), _WORDS, layers)
    for key, meaning in (
        ("attn_type_list", {0: "linear", 1: "full"}),
        ("hybrid_layer_pattern", {0: "full", 1: "sliding"}),
    ):
        if config.has(key):
            config.ignore(*_WINDOWS)
            return _translated(config, key, config.items(key, int), meaning, layers)
    return _implied_kinds(config, model_type, layers)


def _translated(
    config: ConfigReader, key: str, found: Sequence[_Word], meaning: Mapping[_Word, str], layers: int
) -> list[str]:
    unknown = next((item for item in found if item not in meaning), None)
    if unknown is not None:
        known = ", ".join(str(item) for item in meaning)
        config.fail(f"'{key}' holds {unknown!r}, whose cache is not understood", f"Known: {known}.", key)
    if len(found) != layers:
        config.fail(f"'{key}' names {len(found)} layers, but there are {layers}", "Make them agree.", key)
    return [meaning[item] for item in found]


def _implied_kinds(config: ConfigReader, model_type: str, layers: int) -> list[str]:
    """The kinds where no list names them: from an interval, a pattern, or the class."""
    if config.has("full_attention_interval"):
        every = config.count("full_attention_interval")
        return ["linear" if (layer + 1) % every else "full" for layer in range(layers)]
    if config.has("attention_chunk_size"):
        return _chunked_kinds(config, layers)
    if not config.has("sliding_window") or (
        config.has("use_sliding_window") and not config.flag("use_sliding_window")
    ):
        return ["full"] * layers
    if model_type in _SLIDING_IS_SWITCHED:
        return _switched_kinds(config, layers)
    return _patterned_kinds(config, model_type, layers)


def _switched_kinds(config: ConfigReader, layers: int) -> list[str]:
    """Qwen: the window is off unless ``use_sliding_window``; then layers from ``max_window_layers`` on slide."""
    if not config.flag("use_sliding_window"):
        return ["full"] * layers
    first = config.count("max_window_layers", least=0)
    return ["full" if layer < first else "sliding" for layer in range(layers)]


def _patterned_kinds(config: ConfigReader, model_type: str, layers: int) -> list[str]:
    if config.has("sliding_window_pattern"):
        every = config.count("sliding_window_pattern")
    elif model_type in _CLASS_PATTERN:
        every = _CLASS_PATTERN[model_type]
        config.notes.append(f"every {every} layers one is full attention, by the default of {model_type}")
    elif model_type in _ALL_LAYERS_SLIDE:
        return ["sliding"] * layers
    else:
        fix = 'Add "layer_types", one word a layer: full_attention or sliding_attention.'
        config.fail("'sliding_window' is set, but nothing says which layers slide", fix, "sliding_window")
    return ["sliding" if (layer + 1) % every else "full" for layer in range(layers)]


def _chunked_kinds(config: ConfigReader, layers: int) -> list[str]:
    """Llama 4: layers with rotary positions attend within a chunk, those without to everything."""
    listed = config.items("no_rope_layers", int)
    if listed:
        return _translated(config, "no_rope_layers", listed, {1: "chunked", 0: "full"}, layers)
    if not config.has("no_rope_layer_interval"):
        config.notes.append("every 4 layers one is full attention, by the default of llama4")
    every = config.count("no_rope_layer_interval", default=4)
    return ["chunked" if (layer + 1) % every else "full" for layer in range(layers)]


def _shared_layers(config: ConfigReader, layers: int) -> int:
    """Last layers that read the cache of an earlier one and keep none."""
    shared = config.count("num_kv_shared_layers", default=0, least=0)
    if shared >= layers:
        config.fail(
            f"all {layers} layers share a cache", "At least one must keep it.", "num_kv_shared_layers"
        )
    if shared:
        config.notes.append(f"the last {shared} layers share the cache of earlier ones")
    return shared
