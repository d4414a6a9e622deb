"""The logger: sacreBLEU's own, so that a program's settings for it keep their effect."""

import logging

sacrelogger = logging.getLogger("sacrebleu")
