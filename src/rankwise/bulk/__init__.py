"""Bulk work: shards of files in, sums and shards of results out, on any engine.

Statistics add up, so scoring is map and reduce: a worker reads a shard, writes the scores of its
segments and gives back the sums of their statistics; the corpus score is that of the sum of sums.
Sums are exact, so the result does not depend on how the data are cut.
"""

from rankwise.bulk.score import BulkScores as BulkScores
from rankwise.bulk.score import score_table as score_table
from rankwise.bulk.score import shards_language as shards_language
from rankwise.bulk.shard_sums import ShardSums as ShardSums
from rankwise.bulk.shards import Shard as Shard
from rankwise.bulk.shards import shards_of as shards_of
from rankwise.bulk.shards import text_shards as text_shards
from rankwise.bulk.shards import whole_shards as whole_shards
