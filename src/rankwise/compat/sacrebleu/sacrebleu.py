"""The command line, under the name that it has in sacreBLEU: ``sacrebleu.sacrebleu.main``."""

from rankwise.compat.sacrebleu.command.running import main

__all__ = ["main"]
