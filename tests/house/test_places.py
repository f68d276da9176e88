"""No file knows the machine on which it was written, or where packages come from."""

from __future__ import annotations

from tests.house.sources import listed, text_files

FORBIDDEN = (
    "/".join(("", "work", "")),
    ".".join(("pypi", "org")),
    "python" + "hosted",
    "npm" + "js",
    "." + "library",
)


def test_no_file_names_a_place_of_this_machine_or_a_package_host() -> None:
    found = [
        f"{name}:{number} {place}"
        for name, text in text_files()
        for number, line in enumerate(text.splitlines(), start=1)
        for place in FORBIDDEN
        if place in line.lower()
    ]
    assert not found, listed(found)


def test_the_test_looks_at_the_files_that_matter() -> None:
    names = {name for name, _ in text_files()}
    assert {"pyproject.toml", "README.md", "tests/house/test_places.py", "core/clawmem_core/engine.py"} <= names
