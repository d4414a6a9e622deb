"""What is wrong with a form, in the words of the form: its labels and the names of one's files."""

import re
from collections.abc import Mapping

#: The labels of the form's fields, by the keys of a plan.
LABELS = {
    "name": "Name",
    "source_language": "Source language",
    "target_language": "Target language",
    "k": "Outputs on a screen",
    "sitting": "Screens in a sitting",
    "context": "Context sentences on each side",
    "strategy": "How screens are chosen",
    "redundancy": "Judges per screen",
    "coverage_floor": "Every system on at least so many screens first",
    "cold_start": "Documents on which all systems are judged first",
    "repeat_share": "Share of repeated screens",
    "control_share": "Share of control screens",
    "control_kind": "What controls are",
    "max_judgments": "Stop after so many judgments",
    "boundary_support": "Stop when every boundary has this support",
    "seconds_per_screen": "Seconds per screen",
    "pay_per_hour": "Pay per hour",
    "currency": "Currency",
    "seed": "Seed",
    "judges": "Judges to invite",
    "sliders": "Sliders",
}
_KEY = re.compile(r"^the form(?:: |'s field )'(?:stop\.)?(\w+)'")


def in_words_of_the_form(message: str, files: Mapping[str, str]) -> str:
    """*message* with labels for keys, and for paths of ours the *files* that were sent.

    >>> in_words_of_the_form("the form: 'k' is 9; expected a whole number from 2 to 8", {})
    '“Outputs on a screen” is 9; expected a whole number from 2 to 8.'
    >>> in_words_of_the_form("/tmp/x/outputs-0 has 1 line", {"/tmp/x/outputs-0": "a.txt"})
    '“a.txt” has 1 line.'
    """
    for path, name in sorted(files.items(), key=lambda pair: -len(pair[0])):
        message = message.replace(path, f"“{name}”")
    found = _KEY.match(message)
    if found and found[1] in LABELS:
        message = f"“{LABELS[found[1]]}”{message[found.end() :]}"
    message = message.replace("choose another slug", "choose another name")
    return f"{message[:1].upper()}{message[1:].rstrip('.')}."
