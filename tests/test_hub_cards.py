"""The cards: each has every field, says what the paper's table says, and pins what can be pinned."""

import re
from pathlib import Path

import pytest

from graphtalk.core import UsageError
from graphtalk.graphs.formats.registry import formats
from graphtalk.hub.card import CARDS, card_names, parse_card, read_card
from graphtalk.hub.readers import READERS

TABLE_3 = {  # nodes, edges, graphs, features, classes, prompts
    "gpr": (14.70, 28.27, 37, None, None, 2_587),
    "cora": (2_708, 5_429, 1, 1_433, 7, 18_956),
    "citeseer": (3_327, 4_732, 1, 3_703, 6, 23_184),
    "pubmed": (19_717, 44_338, 1, 500, 3, 138_019),
    "proteins": (39.05, 72.82, 1_113, None, 2, 6_678),
    "ptc": (25.56, 25.96, 344, None, 2, 2_064),
    "nci1": (29.86, 32.30, 4_110, None, 2, 24_660),
    "mutag": (17.93, 19.79, 188, None, 2, 1_128),
    "movielens": (2_625, 100_000, 1, None, 5, 500_000),
    "last-fm": (19_524, 118_268, 1, None, 2, 355_320),
    "amazon": (396_810, 450_578, 1, None, 5, 2_252_890),
    "foursquare": (5_392, 76_972, 1, None, None, 64_710),
    "twitter": (5_223, 164_920, 1, None, None, 52_240),
    "freebase": (14_951, 592_213, 1, None, None, 1_695_651),
    "wordnet": (41_105, 151_442, 1, None, None, 454_326),
}
NOT_AT_HAND = {"amazon", "foursquare", "twitter"}


def text_of(name: str) -> str:
    return (CARDS / f"{name}.toml").read_text(encoding="utf-8")


def test_all_fifteen_of_the_paper_have_a_card_that_states_its_table() -> None:
    assert len(TABLE_3) == 15
    for name, stated in TABLE_3.items():
        p = read_card(name).paper
        assert p and (p.nodes, p.edges, p.graphs, p.features, p.classes, p.prompts) == stated


def test_a_card_needs_no_paper() -> None:
    text = re.sub(r"(?s)\[paper\].*?(?=\n\[)", "", text_of("mutag"))
    card = parse_card(text, "mutag")
    assert card.paper is None and card.counted == read_card("mutag").counted


@pytest.mark.parametrize("name", card_names())
def test_a_card_is_whole(name: str) -> None:
    card = read_card(name)
    assert (card.counted is None) == (name in NOT_AT_HAND)
    assert card.format in READERS or card.format in formats()
    assert len({file.name for file in card.files}) == len(card.files)
    for file in card.files:
        if "githubusercontent" in file.url:
            assert re.search("/[0-9a-f]{40}/", file.url), "an address must name the version"
        known = file.sha256 or file.folder_sha256 or file.optional or name in NOT_AT_HAND
        assert known, f"{file.name}: neither checksum nor excuse"


@pytest.mark.parametrize(
    "field",
    [
        "title",
        "description",
        "task",
        "homepage",
        "licence",
        "citation",
        "missing",
        "[read]",
        "nodes",
    ],
)
def test_a_card_without_a_field_is_refused(field: str) -> None:
    text = text_of("mutag")
    if field.startswith("["):
        cut = re.sub(rf"(?ms)^\{field}\n.*?(?=^\[)", "", text)
    else:
        cut = re.sub(rf"(?m)^{field} = .*\n", "", text, count=1)
    assert cut != text
    with pytest.raises(UsageError, match=rf"card mutag.*: the field '{field.strip('[]')}' is missing"):
        parse_card(cut, "mutag")


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("title", "titel", r"unknown field 'titel'\. Did you mean title\?"),
        ('title = "MUTAG"', "title = 3", "the field 'title' cannot be 3"),
        ('title = "MUTAG"', 'title = " "', "'title' is empty"),
        ("graphs = 188", "graphs = 1.5", "the field 'graphs' cannot be 1.5"),
        ('format = "graphs"', "", "'format' is missing"),
        ("sha256 = ", "bytes_ = ", r"file 1: unknown field 'bytes_'"),
        ('sha256 = "5', 'sha256 = "x', "is not a SHA-256"),
        ('name = "MUTAG.txt"', 'name = "../MUTAG.txt"', "must not hold a folder"),
        ("https://raw", "ftp://raw", "is not a web address"),
        ("[paper]", "[paper", "is not TOML"),
        ("[[files]]", "[files]", "files: must be a list of tables"),
    ],
)
def test_what_is_wrong_with_a_card_is_named(old: str, new: str, message: str) -> None:
    text = text_of("mutag")
    assert old in text
    with pytest.raises(UsageError, match=message):
        parse_card(text.replace(old, new, 1), "mutag")


def test_the_docs_name_every_data_set_of_the_paper() -> None:
    page = (Path(__file__).resolve().parents[1] / "docs" / "hub.md").read_text(encoding="utf-8")
    assert [name for name in TABLE_3 if f"`{name}`" not in page] == []
