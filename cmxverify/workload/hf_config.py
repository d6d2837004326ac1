"""From a Hugging Face ``config.json`` to a ``KvShape``.

What decides the size is taken from the keys that describe it, whatever the model is called. A key that is
known to change the cache, but is not understood in the company it keeps, is an error: never a silent guess.
A key that is absent takes the default of the model's configuration class, and a note says so.
"""

from __future__ import annotations

import os
import re
from collections import Counter
from dataclasses import replace
from pathlib import Path

from cmxverify.errors import InputError, Location
from cmxverify.workload import layer_groups
from cmxverify.workload.config_reader import ConfigReader, load_config
from cmxverify.workload.dtype import Dtype, parse_dtype
from cmxverify.workload.kv_shape import KvShape, LayerGroup, model_shape
from cmxverify.workload.parameters import count_parameters

_LANGUAGE_SECTIONS = ("text_config", "llm_config", "language_config")
_PREDICTION_LAYERS = ("num_nextn_predict_layers", "mtp_num_hidden_layers", "num_mtp_modules")

_CHANGES_THE_CACHE = re.compile(
    r"""
    # which layers keep what
      layer_types | layers?_block_type | block_types | block_configs | attention_types | attention_layers
    | attn_type_list | hybrid_\w+_pattern | attn_layer_\w+ | full_att\w+ | dense_attention_\w+
    | sliding_window\w* | window_size | local_layer_ids | local_attention\w* | attention_window\w*
    | attention_chunk_size | swa_\w+
    # how much an entry holds
    | kv_lora_rank | kv_channels | global_head_dim | attention_k_eq_v | n_kv_heads | kv_n_heads | num_kv_heads
    | num_global_key_value_heads | num_key_value_heads_\w+ | num_query_groups | multi_query\w* | attn_config
    # what is shared, compressed, indexed or crossed
    | num_kv_shared_layers | use_cla | cla_share_factor | compress_ratios | index_\w+ | indexer_\w+
    | cross_attention_layers | add_cross_attention
    # states of fixed size
    | linear_attn_config | linear_num_\w+ | mamba_\w+ | ssm_\w+ | rwkv_\w+ | state_size | lru_width
    """,
    re.VERBOSE,
)
_HARMLESS = re.compile(
    r"mamba_(proj_bias|hidden_act|chunk_size|expand)|\w+(_theta|_bias|_attention_heads|_scaling|_dtype|_interleave)"
    r"|index_(n_heads|share_for_mtp_iteration)|indexer_n_heads"
)


def shape_of(model: str, folder: Path, at: Location | None = None) -> KvShape:
    """The shape of a catalog model, or of a ``config.json`` (or a folder with one) named relative to ``folder``.

    Raises:
        InputError: If it is neither, at ``at``; or the file cannot be understood, with its own line.
    """
    name = config_name(model, folder)
    if name is None:
        return model_shape(model, at)
    if at is not None and not os.path.exists(folder / name):  # noqa: PTH110
        fix = "Name a config.json relative to the file that names it, or a model of the catalog."
        what = "no such file" if name == model else "this folder holds no config.json"
        raise InputError(f"model '{model}': {what}", at=at, fix=fix)
    return read_hf_config(folder / name)


def config_name(model: str, folder: Path) -> str | None:
    """The ``config.json`` that a set's model is, relative to ``folder``; None for a model of the catalog."""
    # os.path answers False where Path raises, for a name that is too long or holds a NUL character
    if os.path.isdir(folder / model):  # noqa: PTH112
        return str(Path(model) / "config.json")
    return model if model.endswith(".json") or "/" in model else None


def read_hf_config(path: Path) -> KvShape:
    """The KV shape that a ``config.json``, or the one in a model's folder, describes.

    Raises:
        InputError: If the file is unreadable, a needed key is missing or wrong, or a key changes the cache in
            a way that is not understood here.
    """
    path = path / "config.json" if path.is_dir() else path
    whole = load_config(path)
    text = next((part for key in _LANGUAGE_SECTIONS if (part := whole.section(key))), whole)
    for config in {id(whole): whole, id(text): text}.values():
        if config.flag("is_encoder_decoder"):
            fix = "Only decoder models are understood: cross-attention keeps a second cache."
            config.fail("an encoder-decoder model", fix, "is_encoder_decoder")
    groups = layer_groups.layer_groups(text, text.word("model_type") or whole.word("model_type"))
    _refuse_unread(text)
    _note_prediction_layers(text)
    name = path.parent.name if path.name == "config.json" else path.stem
    shape = KvShape(
        name or str(path), _merged(groups), count_parameters(text, whole), notes=tuple(text.notes)
    )
    return replace(shape, weights=_weights(text, whole), kv_dtype=_kv_dtype(text, whole))


def _merged(groups: list[LayerGroup]) -> tuple[LayerGroup, ...]:
    """Equal layers as one group, in order of first appearance; groups without layers dropped."""
    counts: Counter[LayerGroup] = Counter()
    for group in groups:
        counts[replace(group, layers=1)] += group.layers
    return tuple(replace(group, layers=layers) for group, layers in counts.items() if layers)


def _refuse_unread(config: ConfigReader) -> None:
    for key in config.unread():
        if _CHANGES_THE_CACHE.fullmatch(key) and not _HARMLESS.fullmatch(key):
            fix = "Describe the model in the workload by bytes, or remove the key if it has no effect."
            config.fail(
                f"'{key}' changes the KV cache in a way that is not understood for this model", fix, key
            )


def _note_prediction_layers(config: ConfigReader) -> None:
    for key in _PREDICTION_LAYERS:
        if config.has(key) and (layers := config.count(key, least=0)):
            config.notes.append(f"{layers} multi-token-prediction layers ({key}) are not counted")


def _weights(text: ConfigReader, whole: ConfigReader) -> Dtype | None:
    """The published weight format, where the file tells it in a way we know; nothing depends on it."""
    for config in (text, whole):
        quantised = config.section("quantization_config")
        if quantised is not None:
            return {"fp8": Dtype.FP8, "mxfp4": Dtype.FP4, "gptq": Dtype.INT4, "awq": Dtype.INT4}.get(
                quantised.word("quant_method")
            )
    return _element_dtype(text) or _element_dtype(whole)


def _kv_dtype(text: ConfigReader, whole: ConfigReader) -> Dtype:
    for config in (text, whole):
        quantised = config.section("quantization_config")
        scheme = quantised.section("kv_cache_scheme") if quantised else None
        if scheme is not None and scheme.count("num_bits") == 8:
            return Dtype.FP8
    return _element_dtype(text) or _element_dtype(whole) or Dtype.BF16


def _element_dtype(config: ConfigReader) -> Dtype | None:
    key = config.first_of("torch_dtype", "dtype")
    try:
        return parse_dtype(config.word(key)) if key else None
    except InputError:
        return None
