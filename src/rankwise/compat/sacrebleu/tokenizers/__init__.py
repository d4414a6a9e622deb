"""Tokenizers as objects: a line in, its tokens with spaces between them out."""

from rankwise.compat.sacrebleu.tokenizers.tokenizer_base import BaseTokenizer

__all__ = ["BaseTokenizer"]
