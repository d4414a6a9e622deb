"""Write docs/reference/*.md from the code, so that they cannot fall behind it.

python scripts/make_reference.py          # writes the pages that are not up to date
python scripts/make_reference.py --check  # exit 1 if there are any
"""

import argparse
import sys
from pathlib import Path

from reference_pages import commands, formats, learning, measures, metrics, models, python_names

FOLDER = Path(__file__).parents[1] / "docs" / "reference"

PAGES = {
    "commands.md": commands.page,
    "python.md": python_names.page,
    "metrics.md": metrics.page,
    "measures.md": measures.page,
    "models.md": models.page,
    "learning.md": learning.page,
    "formats.md": formats.page,
}


def main() -> int:
    """Write or check the pages."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    stale = []
    for name, page in PAGES.items():
        path, text = FOLDER / name, page()
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            stale.append(name)
            if not check:
                path.write_text(text, encoding="utf-8")
    if check and stale:
        print(f"not up to date: {', '.join(stale)}; run scripts/make_reference.py")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
