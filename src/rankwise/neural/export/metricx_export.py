"""MetricX checkpoints as folders: an MT5 whose decoder says a score instead of a word."""

import re
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

from rankwise.errors import DataError, MissingExtra
from rankwise.neural.export.checkpoint import published_name
from rankwise.neural.export.eight_bits import quantize
from rankwise.neural.export.graph import Graph
from rankwise.neural.export.new_folder import new_folder
from rankwise.neural.export.t5_graph import T5Shape, first_logit
from rankwise.neural.export.torch_weights import weights_of
from rankwise.neural.model_folder import TOKENIZER, ModelSettings, folder_digest

#: The token whose logit is the score, ``<extra_id_10>``, in the vocabulary of mT5.
SCORE_TOKEN = 250089
#: Scores are on the scale of MQM errors.
LEAST, MOST = 0.0, 25.0


class MetricxVersion(NamedTuple):
    """How a version reads texts: the words before each, in order, and the most tokens."""

    parts: tuple[tuple[str, str], ...]
    max_tokens: int


#: The versions that are published. The 24th does without the reference where there is none.
VERSIONS = {
    "23": MetricxVersion((("output", "candidate: "), ("reference", " reference: ")), 1024),
    "23-qe": MetricxVersion((("output", "candidate: "), ("source", " source: ")), 1024),
    "24": MetricxVersion(
        (("source", "source: "), ("output", " candidate: "), ("reference", " reference: ")), 1536
    ),
}


def metricx_version(name: str, version: str | None = None) -> str:
    """The version of the model that is called *name*, unless *version* says it.

    >>> metricx_version("google/metricx-23-qe-large-v2p0"), metricx_version("mine", "24")
    ('23-qe', '24')
    """
    if version is None:
        found = re.search(r"metricx-(23-qe|23|24)", name.lower())
        version = found[1] if found else None
    if version not in VERSIONS:
        raise DataError(
            f"{name}: its name does not say how it reads texts; say which version of MetricX it "
            f"is, one of {', '.join(VERSIONS)}"
        )
    return version


def export_metricx(
    model: str | Path,
    folder: str | Path,
    *,
    tokenizer: str | Path | None = None,
    version: str | None = None,
    int8: bool = False,
) -> ModelSettings:
    """Writes the MetricX model in the folder *model* into the new folder *folder*.

    *tokenizer* is the folder of mT5's tokenizer, which published models do not hold; without it,
    *model* must. *version* is ``23``, ``23-qe`` or ``24``; names of published models say it.
    """
    return new_folder(
        folder, lambda place: _written(Path(model), Path(tokenizer or model), version, place, int8)
    )


def _written(
    model: Path, tokenizer_folder: Path, version: str | None, place: Path, int8: bool
) -> ModelSettings:
    from importlib.metadata import version as version_of

    name = published_name(model)
    reads = VERSIONS[metricx_version(name, version)]
    network, tokenizer = metricx_parts(model, tokenizer_folder)
    graph = Graph("network")
    logit = first_logit(
        graph, weights_of(network), _shape(network.config), score_token(network, tokenizer)
    )
    score = graph.node("Clip", logit, graph.scalar(LEAST), graph.scalar(MOST))
    graph.output("score", score, ["batch", 1])
    graph.write(place / "network.onnx")
    if int8:
        quantize(place / "network.onnx")
    (place / TOKENIZER).write_text(tokenizer.backend_tokenizer.to_str(), "utf-8")
    return ModelSettings(
        name=name,
        kind="metricx",
        inputs=tuple(text for text, _ in reads.parts),
        prefixes=tuple(words for _, words in reads.parts),
        max_tokens=reads.max_tokens,
        max_joined=reads.max_tokens,
        separators=0,
        pad=network.config.pad_token_id,
        precision="int8" if int8 else "float32",
        made_with=f"transformers {version_of('transformers')}",
        digest=folder_digest(place),
    )


def metricx_parts(folder: Path, tokenizer_folder: Path) -> tuple[Any, Any]:
    """The network in *folder* and the tokenizer in the other; nothing is downloaded."""
    try:
        import_module("torch")  # without it transformers can be imported and fails later
        from transformers import AutoTokenizer, MT5ForConditionalGeneration
    except ImportError:
        raise MissingExtra(
            "reading a MetricX model needs the packages transformers and torch: "
            "pip install 'rankwise[comet]'"
        ) from None
    if not (folder / "config.json").is_file():
        raise DataError(f"{folder}: no model is there (config.json is missing)")
    try:
        network = MT5ForConditionalGeneration.from_pretrained(folder, local_files_only=True)
        tokenizer = AutoTokenizer.from_pretrained(
            tokenizer_folder, local_files_only=True, use_fast=True
        )
    except (OSError, ValueError, TypeError) as error:
        raise DataError(f"{folder}: cannot be read: {str(error).splitlines()[0]}") from None
    return network.float().eval(), tokenizer


def score_token(network: Any, tokenizer: Any) -> int:
    """The token whose logit is the score: its number in mT5's vocabulary, or found by its name."""
    if network.config.vocab_size > SCORE_TOKEN:
        return SCORE_TOKEN
    words = tokenizer.get_vocab()
    for name in ("<extra_id_10>", "▁<extra_id_10>"):
        if name in words:
            return int(words[name])
    raise DataError(
        "the tokenizer has no token <extra_id_10>, whose logit is the score; expected that of mT5"
    )


def _shape(config: Any) -> T5Shape:
    return T5Shape(
        layers=config.num_layers,
        decoder_layers=config.num_decoder_layers,
        heads=config.num_heads,
        head_size=config.d_kv,
        epsilon=config.layer_norm_epsilon,
        buckets=config.relative_attention_num_buckets,
        farthest=config.relative_attention_max_distance,
        start=0,  # MetricX begins with token 0, whatever the settings say
        is_tied=config.tie_word_embeddings,
        feed_forward=config.feed_forward_proj,
    )
