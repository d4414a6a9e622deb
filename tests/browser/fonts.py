"""Fonts that every page must bear, narrow and wide, and what makes a browser use one of them."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

#: What Chromium asks fontconfig for when a page says ``system-ui`` or ``sans-serif``. It may also
#: name no family at all; a rule with ``qual="all"`` holds for that as well. Fonts of fixed width
#: stay the system's.
ASKED = ("system-ui", "sans-serif", "Arial")
RULE = """
  <match>
    <test name="family" qual="all"><string>{asked}</string></test>
    <edit name="family" mode="prepend" binding="strong"><string>{family}</string></edit>
  </match>"""
SETTINGS = """<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>{rules}
  <include>/etc/fonts/fonts.conf</include>
</fontconfig>
"""


@dataclass(frozen=True)
class Font:
    """A family, the file of its upright face, and the Debian package that brings it."""

    family: str
    file: str
    package: str


#: The widths of most fonts lie between the first and the last: Roboto, Noto Sans, Open Sans, Inter.
#: The second is as wide as Arial and Helvetica, which most people have.
FONTS = {
    "narrow": Font("Roboto Condensed", "RobotoCondensed-Regular.ttf", "fonts-roboto-unhinted"),
    "default": Font("Liberation Sans", "LiberationSans-Regular.ttf", "fonts-liberation"),
    "wide": Font("DejaVu Sans", "DejaVuSans.ttf", "fonts-dejavu-core"),
}


def environment(font: Font, folder: Path) -> dict[str, Any]:
    """The environment of a browser that shows text in *font*; *folder* takes its settings."""
    rules = "".join(RULE.format(asked=name, family=font.family) for name in ASKED)
    settings = folder / f"{font.file}.conf"
    settings.write_text(SETTINGS.format(rules=rules), encoding="utf-8")
    return {**os.environ, "FONTCONFIG_FILE": str(settings)}
