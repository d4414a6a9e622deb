#!/usr/bin/env python3
"""Writes small random COMET models as official checkpoints.

    python scripts/make_neural_models.py FOLDER TEXT...

The architectures are the real ones (BERT, XLM-RoBERTa, XLM-RoBERTa-XL; regression with and without
a reference, UniTE, xCOMET) and so are the classes that save them; only the sizes are small and the
weights random. Needs unbabel-comet. ``tests/neural/models`` holds what ``rankwise neural export``
makes of them, with the numbers that the official package gives.
"""

import random
import sys
from pathlib import Path
from typing import Any

import torch
import yaml
from comet.models import (
    ReferencelessRegression,
    RegressionMetric,
    UnifiedMetric,
    XCOMETMetric,
)
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors, trainers
from transformers import (
    BertConfig,
    BertTokenizerFast,
    XLMRobertaConfig,
    XLMRobertaTokenizerFast,
    XLMRobertaXLConfig,
)

VOCABULARY = 400
SIZES = {
    "hidden_size": 16,
    "num_hidden_layers": 3,
    "num_attention_heads": 2,
    "intermediate_size": 24,
    "vocab_size": VOCABULARY,
}


def main(folder: Path, lines: list[str]) -> None:
    """Writes every model below *folder*; *lines* train the tokenizers."""
    torch.manual_seed(1)
    roberta = folder / "roberta"
    roberta_xl = folder / "roberta-xl"
    bert = folder / "bert"
    for place, config in (
        (roberta, XLMRobertaConfig(**SIZES, max_position_embeddings=66, type_vocab_size=1)),
        (roberta_xl, XLMRobertaXLConfig(**SIZES, max_position_embeddings=66)),
    ):
        place.mkdir(parents=True)
        unigram(lines).save_pretrained(place)
        config.save_pretrained(place)
    bert.mkdir()
    wordpiece(lines).save_pretrained(bert)
    BertConfig(**SIZES, max_position_embeddings=64).save_pretrained(bert)

    common = {"load_pretrained_weights": False, "local_files_only": True, "hidden_sizes": [12, 6]}
    save(
        folder / "regression",
        RegressionMetric(pretrained_model=str(roberta), layer_transformation="softmax", **common),
    )
    save(
        folder / "referenceless",
        ReferencelessRegression(
            encoder_model="BERT",
            pretrained_model=str(bert),
            layer_norm=False,
            final_activation="Sigmoid",
            **common,
        ),
    )
    save(
        folder / "kiwi",
        UnifiedMetric(
            pretrained_model=str(roberta),
            layer_transformation="sparsemax",
            input_segments=["mt", "src"],
            **common,
        ),
    )
    save(
        folder / "unite",
        UnifiedMetric(
            pretrained_model=str(roberta),
            layer_transformation="softmax",
            word_level_training=True,
            word_layer=2,
            **common,
        ),
    )
    save(
        folder / "xcomet",
        XCOMETMetric(
            pretrained_model=str(roberta_xl),
            layer_transformation="softmax",
            word_layer=3,
            **common,
        ),
    )


def save(folder: Path, model: Any, spread: float = 0.35) -> None:
    """The model with random weights, as the official package keeps it."""
    for name, weight in model.named_parameters():
        centre = 1.0 if "LayerNorm.weight" in name or "layer_norm.weight" in name else 0.0
        torch.nn.init.normal_(weight, centre, 0.1 if weight.dim() == 1 else spread)
        if "scalar_parameters" in name:  # one layer is far from the others: sparsemax drops some
            torch.nn.init.normal_(weight, 0.0, 0.6)
    (folder / "checkpoints").mkdir(parents=True)
    state = {"state_dict": model.state_dict(), "hyper_parameters": dict(model.hparams)}
    torch.save(
        {**state, "pytorch-lightning_version": "2.0.0"}, folder / "checkpoints" / "model.ckpt"
    )
    plain = {k: v for k, v in dict(model.hparams).items() if not isinstance(v, torch.Tensor)}
    (folder / "hparams.yaml").write_text(yaml.safe_dump(plain))


def unigram(lines: list[str], size: int = VOCABULARY - 1) -> XLMRobertaTokenizerFast:
    """A tokenizer of XLM-RoBERTa's kind."""
    marks = ["<s>", "<pad>", "</s>", "<unk>"]
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.NFKC()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=size, special_tokens=marks, unk_token="<unk>")
    tokenizer.train_from_iterator(lines, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>",
        pair="<s> $A </s> </s> $B </s>",
        special_tokens=[("<s>", 0), ("</s>", 2)],
    )
    return XLMRobertaTokenizerFast(tokenizer_object=tokenizer)


def wordpiece(lines: list[str]) -> BertTokenizerFast:
    """A tokenizer of BERT's kind."""
    tokenizer = Tokenizer(models.WordPiece(unk_token="[UNK]"))
    tokenizer.normalizer = normalizers.BertNormalizer(lowercase=False)
    tokenizer.pre_tokenizer = pre_tokenizers.BertPreTokenizer()
    marks = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    tokenizer.train_from_iterator(
        lines, trainers.WordPieceTrainer(vocab_size=VOCABULARY, special_tokens=marks)
    )
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[("[CLS]", 2), ("[SEP]", 3)],
    )
    return BertTokenizerFast(tokenizer_object=tokenizer)


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit("usage: make_neural_models.py FOLDER TEXT...")
    random.seed(1)
    texts = [
        line
        for file in sys.argv[2:]
        for line in Path(file).read_text(encoding="utf-8").splitlines()
    ]
    main(Path(sys.argv[1]), texts)
