"""What ships says under which licence, and the image is made of files that there are."""

import re
from pathlib import Path

from hatchling.builders.wheel import WheelBuilder

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "src" / "graphtalk"
LARGE = 100_000  # bytes: what is larger and no code is a model or data


def test_every_model_and_table_that_ships_has_its_licence_told() -> None:
    told = re.findall(r"^\| `([^`]+)` \|", (ROOT / "docs" / "licences.md").read_text(encoding="utf-8"), re.M)
    assert told and all((PACKAGE / place).exists() for place in told)
    large = [f for f in PACKAGE.rglob("*") if f.is_file() and f.stat().st_size > LARGE and f.suffix != ".py"]
    shipped = [str(f.relative_to(PACKAGE)) for f in large if "__pycache__" not in f.parts]
    assert shipped
    assert [f for f in shipped if not any(f == place or f.startswith(f"{place}/") for place in told)] == []


def test_the_page_has_the_licences_of_all_that_is_built_in() -> None:
    told = (PACKAGE / "app" / "web" / "licences.txt").read_text(encoding="utf-8")
    for name in ("sigma", "graphology", "d3-force", "d3-quadtree", "events"):
        assert re.search(rf"^{name} [\d.]+ \((?:MIT|ISC)\)$", told, re.M)
    assert told.count("Permission") >= 7


def test_a_wheel_has_all_of_the_package_but_what_only_scripts_learn_from() -> None:
    shipped = {Path(file.path) for file in WheelBuilder(str(ROOT)).recurse_included_files()}
    there = {f for f in PACKAGE.rglob("*") if f.is_file() and "__pycache__" not in f.parts}
    left_out = there - shipped
    assert left_out and {f.suffix for f in left_out} == {".xz"} and shipped <= there


def test_the_image_is_made_of_files_that_there_are() -> None:
    written = (ROOT / "Containerfile").read_text(encoding="utf-8")
    let_in = (ROOT / ".containerignore").read_text(encoding="utf-8")
    assert (ROOT / ".dockerignore").read_text(encoding="utf-8") == let_in
    copied = [w for line in re.findall(r"^COPY (?!--)(.*) \S+$", written, re.M) for w in line.split()]
    assert copied and all((ROOT / name).exists() and f"!{name}\n" in let_in for name in copied)
    assert "USER graphtalk" in written
