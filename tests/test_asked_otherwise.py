"""Properties that a question asks for otherwise than by their names (`language/asked_for.py`), and what only looks as if it did."""

import pytest

import graphtalk as gt
from graphtalk.language.asked_for import AskedFor, Named, Property
from graphtalk.language.synonyms import Rewording
from phrase_graphs import imported

TABLES = {
    "huts": "hut_id,name,village,altitude_m,condition,opened\n1,Top Hut,Ayton,2100,poor,1925\n2,Low Hut,Ketton,900,good,1990\n",
    "routes": "route_id,name,hut_id,difficulty,length_m\n1,Needle Ridge,1,hard,400\n2,Long Gully,1,easy,900\n3,Green Wall,2,hard,120\n",
    "guides": "guide_id,name,trade,country,daily_rate_eur,joined_on\n1,Ann Bell,baker,Norway,220,2015-03-01\n2,Bob Dale,nurse,Spain,180,2018-06-01\n"
    "3,Cleo Fox,baker,Norway,250,2020-01-10\n",
    "climbs": "guide_id,route_id,completed_on\n1,1,2021-05-01\n1,2,2022-07-03\n2,3,2022-08-09\n3,1,2023-09-01\n",
    "ropes": "rope_id,name,make,price_eur,weight_kg\n1,Blue Rope,Alpin,90,4\n2,Red Rope,Beal,140,3\n3,Old Rope,Alpin,60,5\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def huts(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Guides who climb routes from huts, and their ropes."""
    return imported(TABLES, tmp_path_factory.mktemp("huts"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How tough is Needle Ridge?", "hard"),
        ("What shape is the Top Hut in?", "poor"),
        ("What does Ann Bell do for a living?", "baker"),
        ("What line of work is Bob Dale in?", "nurse"),
        ("Where does Bob Dale hail from?", "Spain"),
        ("How high above sea level is Top Hut?", 2100),
        ("What's the elevation of Low Hut?", 900),
        ("When did Cleo Fox sign up?", "2020-01-10"),
        ("When did Top Hut open for business?", 1925),
        ("What would the Blue Rope set me back?", 90),
        ("What do they charge for the Red Rope?", 140),
        ("Who makes the Red Rope?", "Beal"),
        ("Which is the priciest rope?", "Red Rope"),
        ("Who's our dearest guide?", "Cleo Fox"),
        ("What does the Old Rope tip the scales at?", 5),
    ],
)
def test_it_is_the_property_that_is_meant(huts: gt.Session, question: str, value: object) -> None:
    found = huts.ask(question)
    assert found.answered, found.text
    given = found.value[0] if isinstance(found.value, list) and len(found.value) == 1 else found.value
    assert str(given).removesuffix(".0") == str(value), found.reading


@pytest.mark.parametrize(
    "question",
    [
        "How tough is Top Hut?",  # no hut has a difficulty
        "How tough was Needle Ridge for Ann Bell?",
        "How tough is Needle Ridge in winter?",
        "What shape is Needle Ridge in?",
        "What shape was Top Hut in before the storm?",
        "What does Top Hut do for a living?",
        "What did Ann Bell do for a living before she came here?",
        "Where does Top Hut hail from?",
        "How high above sea level is Bob Dale?",
        "When did Cleo Fox sign off?",
        "When did Ann Bell open for business?",
        "What would the Blue Rope set me back if I hired it?",
        "Who makes the Top Hut?",
        "Which is the priciest hut?",
        "What does Ann Bell tip the scales at?",
    ],
)
def test_what_only_looks_like_it_is_asked_back(huts: gt.Session, question: str) -> None:
    found = huts.ask(question)
    assert not found.answered, found.text


def put(question: str, name: str, *properties: Property) -> list[str]:
    """What a question is put as that names one thing of the first property's type."""
    own = frozenset(w for p in properties for w in (*p.owner.split(), *p.name.split()))
    start = question.find(name) if name else -1
    named = [Named(start, start + len(name), properties[0].owner)] if name else []
    asked = AskedFor(properties, [p.owner for p in properties if p.owner], own)
    return [each.question for each in asked.of(question, named, [(n.start, n.end) for n in named])]


COST, RATE = Property("boat", "cost eur", "number"), Property("boat", "daily rate", "number")


def test_what_may_ask_for_two_properties_asks_for_none() -> None:
    assert put("What did we fork out for the Kite?", "Kite", COST) == ["What is the cost of Kite?"]
    assert put("How pricey is the Kite?", "Kite", COST) == ["What is the cost of Kite?"]
    assert put("How pricey is the Kite?", "Kite", COST, RATE) == []
    assert put("the dearest boats", "", COST) == ["the boats with the highest cost"]
    assert put("the dearest boats", "", COST, RATE) == []
    assert put("the dearest boats to paint", "", COST) == []


def test_the_words_of_the_schema_mean_what_they_say() -> None:
    weight, hold = Property("tank", "capacity", "number"), Property("tank", "holds", "text")
    assert put("How much does Tank 3 hold?", "Tank 3", weight) == ["What is the capacity of Tank 3?"]
    assert put("How much does Tank 3 hold?", "Tank 3", weight, hold) == []
    assert put("What does Tank 3 hold?", "Tank 3", weight) == []  # water, and no number


def test_no_verb_asks_for_what_is_neither_a_number_nor_a_date_nor_a_text() -> None:
    for kind in ("list", "boolean"):
        assert put("What does Max speak?", "Max", Property("clerk", "languages", kind)) == []
    assert put("What does Max speak?", "Max", Property("clerk", "language", "text")) == [
        "What is the language of Max?"
    ]


def test_a_noun_is_no_part_of_a_longer_one_nor_of_an_idiom() -> None:
    elevation, boss = Property("hill", "elevation", "number"), Property("hill", "charge", "number")
    assert put("the average altitude of the hills", "", elevation) == ["the average elevation of the hills"]
    assert put("the average altitude sickness of hills", "", elevation) == []
    assert put("who is in fee of the hills", "", boss) == []


def test_all_words_of_a_question_have_a_place_in_its_form() -> None:
    difficulty = Property("route", "difficulty", "text")
    assert put("How tough is the Ayton route?", "Ayton", difficulty) == ["What is the difficulty of Ayton?"]
    assert put("How tough is Ayton in winter?", "Ayton", difficulty) == []
    assert put("And 2, how tough is Ayton?", "Ayton", difficulty) == []


def test_a_date_of_a_relation_tells_when_its_deed_was_done() -> None:
    links = [("knitted", "knitter", "pattern")]
    own = frozenset({"knitted", "knitter", "pattern"})
    dated = Rewording(links, [], ["knitter", "pattern"], own, [("finished", "knitted")])

    def asked(question: str) -> list[str]:
        return [each.question for each in dated.of(question, [], frozenset())]

    assert asked("When did Ann finish the Cowl?") == ["When did Ann knit the Cowl?"]
    assert asked("What did Ann finish in 2024?") == ["What did Ann knit in 2024?"]
    assert asked("Who has finished the Cowl?") == []  # who has no date may have knitted it, and not finished


def test_what_was_done_to_a_thing_is_what_its_date_tells() -> None:
    put_so = Rewording([], ["obtained on"], ["certificate", "clerk"], frozenset({"certificate", "clerk"}))

    def asked(question: str) -> list[str]:
        return [each.question for each in put_so.of(question, [], frozenset())]

    assert asked("How many certificates were earned before 2020?") == [
        "How many certificates were obtained before 2020?"
    ]
    assert asked("Which clerks earned more than 2020?") == []
    assert asked("How many certificates were lost before 2020?") == []


def test_a_verb_with_another_particle_is_another_verb() -> None:
    links = [("released by", "record", "label"), ("put on", "promoter", "gig")]
    types = ["record", "label", "promoter", "gig"]
    own = frozenset({*types, "released by", "put on"})
    found = Rewording(links, [], types, own).of("Which records did Kelp put out?", [], frozenset())
    assert [each.question for each in found] == ["Which records did Kelp release?"]
    own = frozenset({*types, "released by", "put out"})
    assert list(Rewording(links, [], types, own).of("Which records did Kelp put out?", [], frozenset())) == []
