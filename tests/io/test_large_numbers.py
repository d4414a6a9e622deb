"""A number that no float can hold is a sentence, wherever it stands in whatever format."""

import re
from pathlib import Path

import pytest

from rankwise.cli import main

EXAMPLES = Path(__file__).parent / "examples"
FILES = sorted(path for path in EXAMPLES.rglob("*") if path.is_file())
NUMBER = re.compile(r"(?<![\w.])\d+(\.\d+)?(?![\w.])")
LARGE = "9" * 400
#: A file of many numbers has few kinds of them.
MOST = 20


def damaged(text):
    """The text with one of its numbers too large, again and again."""
    found = list(NUMBER.finditer(text))
    for number in found[:: -(-len(found) // MOST) or 1]:
        for sign in ("", "-"):
            yield text[: number.start()] + sign + LARGE + text[number.end() :]


CONTENTS = {path.name: path.read_text(encoding="utf-8") for path in FILES}


@pytest.mark.parametrize(("name", "text"), CONTENTS.items(), ids=CONTENTS)
def test_too_large_a_number_is_read_or_refused(tmp_path, capsys, name, text):
    file = tmp_path / name
    for content in damaged(text):
        file.write_text(content, encoding="utf-8")
        for arguments in (["convert", file, tmp_path / "out.csv"], ["agree", file, file]):
            with pytest.raises(SystemExit) as ended:  # anything else is a trace
                main([str(word) for word in arguments])
            said = capsys.readouterr().err
            assert ended.value.code in (None, 0) or said.count("\n") == ended.value.code == 1
