"""The example files and the formats they have."""

from pathlib import Path

EXAMPLES = Path(__file__).parent / "io" / "examples"

#: format name -> its example files
JUDGMENTS = {
    "jsonl": ("jsonl.jsonl",),
    "wmt-pairwise": ("wmt-pairwise.csv",),
    "wmt-csv": ("wmt-csv.csv",),
    "pwcmp": ("pwcmp.csv",),
    "appraise-xml": ("appraise-xml.xml", "appraise-xml-older.xml"),
    "jcml": ("jcml.jcml",),
    "fastchat": ("fastchat.json", "fastchat-log.jsonl"),
    "campaign-rankings": ("campaign-rankings.csv",),
    "campaign-records": ("campaign-records.jsonl",),
    "rankings-table": ("rankings.tsv",),
}

JUDGMENT_FILES = [(name, EXAMPLES / file) for name, files in JUDGMENTS.items() for file in files]
