"""Questions read by the grammar of their phrases, over a schema of wine and its tasters."""

import pytest

import graphtalk as gt
from graphtalk.reasoners.phrases.lexicon import Lexicon
from graphtalk.reasoners.reader.graph_shape import shape_of
from phrase_graphs import imported, plain

TABLES = {
    "regions": "id,name,country\nr1,Mosel,Germany\nr2,Alentejo,Portugal\nr3,Jura,France\n",
    "wineries": "id,name,founded,staff,region_id\n"
    "w1,Kellerhof,1887,14,r1\nw2,Quinta Velha,1952,40,r2\nw3,Domaine Roux,1921,9,r3\nw4,Steinberg,1999,5,r1\n",
    "wines": "id,name,price,year,colour,winery_id\n"
    "b1,Schiefer,18,2018,white,w1\nb2,Alte Reben,32,2015,white,w1\nb3,Tinto Grande,12,2019,red,w2\n"
    "b4,Velha Reserva,45,2011,red,w2\nb5,Vin Jaune,60,2012,white,w3\nb6,Granit,22,2020,white,w4\n",
    "tasters": "id,name,title,age,birth_date,salary,city\n"
    "t1,Ilse Brandt,Sommelier,61,1962-02-01,4100,Trier\nt2,Rui Moreira,Waiter,38,1985-05-09,3600,Evora\n"
    "t3,Odile Sauvage,Sommelier,47,1976-11-30,5200,Dole\n",
    "tastings": "taster_id,wine_id,score,date\n"
    "t1,b1,88,2022-03-01\nt1,b3,79,2022-04-11\nt2,b3,90,2023-01-15\nt2,b4,95,2023-02-20\nt3,b5,97,2023-06-02\n"
    "t3,b4,91,2021-09-09\nt1,b5,93,2023-06-03\n",
}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    return imported(TABLES, tmp_path_factory.mktemp("tables"))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # groups
        ("How many wines does each winery have?", {("Kellerhof", 2), ("Quinta Velha", 2), ("Domaine Roux", 1), ("Steinberg", 1)}),
        ("Number of wineries per region", {("Mosel", 2), ("Alentejo", 1), ("Jura", 1)}),
        ("What is the average price of wines by colour?", {("white", 33), ("red", 28.5)}),
        ("the total staff for each region", {("Mosel", 19), ("Alentejo", 40), ("Jura", 9)}),
        ("Which region has the most wineries?", "Mosel"),
        ("Which colour has the fewest wines?", "red"),
        ("What is the most expensive wine of each winery?",
         {("Kellerhof", "Alte Reben"), ("Quinta Velha", "Velha Reserva"), ("Domaine Roux", "Vin Jaune"), ("Steinberg", "Granit")}),
        ("Which winery has the highest average price?", "Domaine Roux"),
        ("What percentage of wines are red?", 100 / 3),
        # two numbers
        ("Who is older, Rui Moreira or Odile Sauvage?", "Odile Sauvage"),
        ("Who earns less, Ilse Brandt or Odile Sauvage?", "Ilse Brandt"),
        ("Is Granit cheaper than Schiefer?", False),
        ("Does Quinta Velha have more wines than Steinberg?", True),
        ("Are there more wineries than regions?", True),
        ("Are there fewer wines than tasters?", False),
        ("How much older is Ilse Brandt than Rui Moreira?", 23),
        ("What is the difference between the prices of Vin Jaune and Granit?", 38),
        ("How many more staff does Quinta Velha have than Kellerhof?", 26),
        # edges
        ("What score did Ilse Brandt give Schiefer?", 88),
        ("When did Rui Moreira taste Velha Reserva?", "2023-02-20"),
        ("What is the average score of tastings of Velha Reserva?", 93),
        ("How many tastings are there?", 7),
        ("Who tasted the most wines?", "Ilse Brandt"),
        ("Which wines were tasted in 2021?", "Velha Reserva"),
        ("Which wines have never been tasted?", {"Alte Reben", "Granit"}),
        ("Which tasters have tasted no red wines?", set()),
        ("Which tasters tasted more than 2 wines?", "Ilse Brandt"),
        ("Is there a tasting of Granit?", False),
        ("Which wine has the most tastings?", {"Tinto Grande", "Velha Reserva", "Vin Jaune"}),
        ("Was Steinberg founded before Kellerhof?", False),
        ("What is the highest score at Velha Reserva?", 95),
        ("Which wine did Odile Sauvage taste in 2023?", "Vin Jaune"),
        ("Which tasters are sommeliers?", {"Ilse Brandt", "Odile Sauvage"}),
        # words for properties and places
        ("Who earns more than 4000?", {"Ilse Brandt", "Odile Sauvage"}),
        ("How much does Tinto Grande cost?", 12),
        ("Could you be so kind and let me know where Rui Moreira lives?", "Evora"),
        ("Which wineries are in Germany?", {"Kellerhof", "Steinberg"}),
        ("Which white wines cost less than 30?", {"Schiefer", "Granit"}),
        ("Which wineries were founded before 1930?", {"Kellerhof", "Domaine Roux"}),
        ("List the wineries in Mosel that have more than 10 staff", "Kellerhof"),
        ("How many wines from Kellerhof cost more than 20?", 1),
        ("I would like to know how old Odile Sauvage is.", 47),
        ("Who has the second highest salary?", "Ilse Brandt"),
        ("Which winery was founded last?", "Steinberg"),
        ("What are the names and prices of the red wines?", {("Tinto Grande", 12), ("Velha Reserva", 45)}),
        ("Which wineries are in Mosel but not older than Kellerhof?", {"Kellerhof", "Steinberg"}),
    ],
)  # fmt: skip
def test_every_word_has_its_place(session: gt.Session, question: str, answer: object) -> None:
    found = session.ask(question)
    assert found.answered, found.text
    value = plain(found.value)
    assert value == pytest.approx(answer) if isinstance(answer, float) else value == answer


@pytest.mark.parametrize(
    "question",
    [
        "Who is older, Rui Moreira or Karl Nobody?",
        "Are there more beers than wines?",
        "How many bottles does each winery have?",
        "What is the average alcohol by colour?",
        "Which sparkling white wines cost less than 30?",
        "Who tastes the loudest?",
        "Does Granit have more sugar than Schiefer?",
        "What is the difference between Vin Jaune and Granit?",
        "Which wines were exported before 2015?",
        "Who lives in Mosel?",
        "How much younger is Ilse Brandt than Rui Moreira?",
        "What colour did Ilse Brandt give Schiefer?",
        "What is the weight of Granit?",
        "Who lives in Germany?",
        "Which tasters work in Trier?",
        "Which tasters gladly and quickly travel to Trier?",
        "Who sold the most wines?",
        "Which wines were bottled in 2021?",
        "Who tasted the most cheese?",
        "Which wines have never been sold?",
    ],
)
def test_what_has_no_place_is_not_answered(session: gt.Session, question: str) -> None:
    found = session.ask(question)
    assert not found.answered, (found.reading, found.value)


def test_the_property_of_words_is_the_same_wherever_they_stand(session: gt.Session) -> None:
    lexicon = Lexicon(session.union, shape_of(session.union))
    alone = lexicon.noun(["price"], 0, "wines")
    assert [(end, held.name) for end, held in alone] == [(1, "price")]
    alone.clear()  # what is given is the caller's own
    later = lexicon.noun(["the", "high", "price"], 2, "wines")
    assert [(end, held.name) for end, held in later] == [(3, "price")]
    assert lexicon.noun(["price"], 0, "regions") == lexicon.noun(["price"], 1, "wines") == []
