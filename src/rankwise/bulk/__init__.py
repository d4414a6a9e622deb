"""Bulk work: shards of files in, sums and shards of results out, on any engine.

Statistics add up, so scoring is map and reduce: a worker reads a shard, writes the scores of its
segments and gives back the sums of their statistics; the corpus score is that of the sum of sums.
Sums are exact, so the result does not depend on how the data are cut.
"""

from rankwise.bulk.score import BulkScores, score_table
from rankwise.bulk.shard_sums import ShardSums
from rankwise.bulk.shards import Shard, shards_of, text_shards, whole_shards

__all__ = [
    "BulkScores",
    "Shard",
    "ShardSums",
    "score_table",
    "shards_of",
    "text_shards",
    "whole_shards",
]
