"""GRBench's templates: complete, well made, and in the call language of each domain's graphs."""

from pathlib import Path

import pytest

from graphtalk.benchmarks.grbench.drawing import fit
from graphtalk.benchmarks.grbench.templates import (
    domains,
    fill_call,
    fill_wording,
    parse_templates,
    read,
    slots_of,
    wording_slots,
)
from graphtalk.calls import parse
from graphtalk.calls.ast import Items, Text
from graphtalk.core import CheckError, UsageError
from graphtalk.tools.executor import Executor
from grbench_graphs import healthcare, small

# The paper's tables 1 and 5 and appendix B: how many templates a domain has, and which are easy and hard.
PAPER = {
    "academic-dblp": (15, {0, 1, 2, 8, 9, 10, 11}, set()),
    "academic-mag": (14, {0, 1, 7, 8, 9, 10}, {13}),
    "ecommerce": (20, {0, 1, 2}, {16, 17, 18, 19}),
    "literature": (24, {*range(9), 13, 14, 15, 16}, {23}),
    "healthcare": (27, {*range(7), 14, 15, 16}, set()),
    "legal": (18, set(range(7)), {16, 17}),
}
EXTERNAL = {"ecommerce": {17}, "legal": {16, 17}}
ALL = [(domain, template.number) for domain in PAPER for template in read(domain)]
GOOD = """
node_types = ["paper"]
[[template]]
number = 0
level = "easy"
slots = [{ name = "paper", type = "paper" }]
answer = 'NeighbourCheck["{paper}", "author"]'
ask = ["a {paper}", "b {paper}", "c {paper}", "d {paper}", "e {paper}"]
"""


def test_there_are_the_papers_templates():
    assert set(domains()) == set(PAPER)
    for domain, (count, easy, hard) in PAPER.items():
        templates = read(domain)
        assert [t.number for t in templates] == list(range(count)), domain
        assert {t.number for t in templates if t.level == "easy"} == easy, domain
        assert {t.number for t in templates if t.level == "hard"} == hard, domain
        assert {t.number for t in templates if t.external} == EXTERNAL.get(domain, set()), domain


@pytest.mark.parametrize(("domain", "number"), ALL)
def test_wordings_show_what_the_answer_needs(domain, number):
    template = read(domain).by_number[number]
    if template.external:
        assert not template.ask
        return
    shown = set(wording_slots(template.ask[0]))
    assert shown and len(set(template.ask)) == 5
    assert all(set(wording_slots(wording)) == shown for wording in template.ask)
    # What a question does not show must follow from what it shows: it has one value, or only leads to a shown slot.
    slots = {slot.name: slot for slot in template.slots}
    for name in slots_of(template.answers[0]) - shown:
        assert slots[name].only and slots[name].needs <= shown, name


@pytest.mark.parametrize("domain", PAPER)
def test_templates_run_on_the_schema_of_their_domain(domain, tmp_path: Path):
    graph = healthcare(tmp_path)[1] if domain == "healthcare" else small(domain.split("-")[0])[1]
    executor = Executor(graph)
    for template in read(domain):
        if not template.external:
            assert fit(executor, graph, template).answer in template.answers


def test_a_graph_of_another_schema_is_told_what_lacks():
    _, graph = small("literature")
    with pytest.raises(CheckError, match=r"No node type 'paper'.*author"):
        fit(Executor(graph), graph, read("academic-dblp").by_number[0])


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('"easy"', '"simple"', "no level 'simple'"),
        ("answer", "anser", "unknown key 'anser'"),
        (', "e {paper}"', "", "4 wordings, not 5"),
        ('"e {paper}"', '"e {author}"', "wordings differ"),
        ('NeighbourCheck["{paper}"', 'NeighbourCheck["{author}"', "no slot 'author'"),
        ('[{ name = "paper"', '[{ name = "other", type = "paper" }, { name = "paper"', "'other' is not used"),
        ('type = "paper"', 'from = \'NodeFeature["{late}", "year"]\'', "needs 'late' before it"),
        ('type = "paper"', "only = true", "needs one of type"),
        ("'NeighbourCheck[", "'NeighbourCheck[[", "template 0"),
        ("number = 0", "number = 0\nexternal = 'no'", "has an answer and says"),
        ("[[template]]", "[[template", "academic.toml"),
    ],
)
def test_a_template_with_a_mistake_is_refused(old, new, message):
    assert len(parse_templates("academic", GOOD)) == 1
    assert old in GOOD
    with pytest.raises(UsageError, match=message):
        parse_templates("academic", GOOD.replace(old, new))


def test_two_templates_of_one_number_are_refused():
    with pytest.raises(UsageError, match="number is taken"):
        parse_templates("academic", GOOD + GOOD.partition('["paper"]\n')[2])


def test_an_unknown_domain_names_the_valid_ones():
    with pytest.raises(UsageError, match=r"Did you mean healthcare\?"):
        read("healthcar")


def test_filling_goes_everywhere_and_only_once():
    call = parse('Intersect[["{a}", "{b}"], NeighbourCheck["{a}", "{ not one }"], graph=GL["{b}"]]')
    filled = fill_call(call, {"a": Text("{b}"), "b": Items((Text("x"),))})
    assert slots_of(call) == {"a", "b"}
    assert filled.arguments[0] == Items((Text("{b}"), Items((Text("x"),))))
    assert filled.arguments[1].arguments[1] == Text("{ not one }")
    assert filled.graph.arguments == (Items((Text("x"),)),)
    assert fill_wording("{a} and {b}", {"a": "{b}", "b": "c"}) == "{b} and c"
