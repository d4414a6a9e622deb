"""What is installed: pinned, with hashes and licences, and listed in a bill of materials."""

import json
import re
import runpy
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

ROOT = Path(__file__).parents[2]
SBOM = runpy.run_path(str(ROOT / "scripts/sbom"))
LOCK = (ROOT / "requirements.lock").read_text(encoding="utf-8")
LOCKED = SBOM["locked"](LOCK)
LICENCES = SBOM["licences"]((ROOT / "docs/reference/licences.md").read_text(encoding="utf-8"))
#: Licences that packages beside ours may have; another one needs a decision.
ACCEPTED = {"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "LGPL-3.0-only", "MIT"}
ACCEPTED |= {"MIT-0", "MIT-CMU", "PSF-2.0", "Zlib"}


def test_every_entry_is_pinned_as_constraints_say_and_has_a_hash():
    pins = set(
        re.findall(r"^([\w.-]+==[^ \n]+)", (ROOT / "constraints.txt").read_text(), re.MULTILINE)
    )
    assert len(LOCKED) > 50
    assert [
        f"{name}=={version}" for name, version, _ in LOCKED if f"{name}=={version}" not in pins
    ] == []
    assert [name for name, _, hashes in LOCKED if not hashes] == []


def test_what_a_server_needs_is_locked():
    command = [sys.executable, str(ROOT / "scripts/requirements"), "serve"]
    wanted = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    here = [line for line in wanted if ">= '3.14'" not in line]
    names = {re.match(r"[\w.-]+", line)[0].lower() for line in here}
    assert names - {name for name, _, _ in LOCKED} == set()


def test_no_file_names_where_packages_come_from():
    for path in ("requirements.lock", "constraints.txt"):
        assert "://" not in (ROOT / path).read_text(encoding="utf-8")


def test_every_package_has_a_licence_that_is_accepted():
    assert set(LICENCES) == {name for name, _, _ in LOCKED}
    parts = {part for words in LICENCES.values() for part in re.split(" AND | OR ", words)}
    assert parts <= ACCEPTED


def test_licences_are_those_that_packages_state():
    """As far as they state one in the words of SPDX, and are installed here in that version."""
    looked = []
    for name, version, _ in LOCKED:
        try:
            about = metadata(name)
        except PackageNotFoundError:
            continue
        stated = about.get("License-Expression")
        if stated and about["Version"] == version:
            looked.append(name)
            assert LICENCES[name] == stated, name
    assert len(looked) > 5


def test_the_bill_of_materials_has_all_and_is_the_same_each_time(tmp_path):
    for name in ("one.json", "two.json"):
        subprocess.run(
            [sys.executable, str(ROOT / "scripts/sbom"), str(tmp_path / name)], check=True
        )
    assert (tmp_path / "one.json").read_bytes() == (tmp_path / "two.json").read_bytes()
    bill = json.loads((tmp_path / "one.json").read_text(encoding="utf-8"))
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    assert [part["name"] for part in bill["components"]] == [name for name, _, _ in LOCKED]
    assert all(part["hashes"] and part["licenses"] for part in bill["components"])
    known = {part["bom-ref"] for part in bill["components"]}
    assert set(bill["dependencies"][0]["dependsOn"]) == known
