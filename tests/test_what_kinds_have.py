"""Totals, orders and places as people who keep machines ask for them: what things have by their kind, ranks, units, "outside"."""

from pathlib import Path

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "yards": "yard_id,yard_name,county\ny1,Tolworth,Surrey\ny2,Merton,London\ny3,Epsom,Surrey\n",
    "boat_models": "model_id,model_name,maker,rated_kw,hull_m,max_weight_t\nm1,Skiff 4,Arun,20,4,1\nm2,Tug 9,Solent,200,9,30\nm3,Barge 12,Arun,80,12,50\n",
    "boats": """boat_id,boat_name,yard_id,model_id,launched,op_status,berth_no
b1,Heron,y1,m1,2011-04-01,running,17
b2,Coot,y1,m1,2012-05-02,stopped,18
b3,Teal,y1,m2,2013-06-03,scrapped,19
b4,Smew,y2,m2,2014-07-04,running,20
""",
    "hands": "hand_id,hand_name,yard_id\nh1,Ada Poole,y1\nh2,Ben Cross,y2\nh3,Cy Vale,y1\n",
    "jobs": """job_no,job_title,boat_id,downtime_h
j1,Refit,b1,10
j2,Paint,b1,4
j3,Repair,b2,30
j4,Rewire,b4,12
""",
    "job_crew": "job_no,hand_id,hrs\nj1,h1,7\nj2,h1,3\nj3,h2,9\nj4,h3,2\nj3,h1,1\n",
    "parts": "part_no,part_name,unit_cost_gbp\np1,Rudder,1500\np2,Cleat,12\np3,Winch,1100\n",
}


@pytest.fixture(scope="module")
def boats(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Boats of three models, the yards where they are, and the jobs done on them."""
    return imported(TABLES, tmp_path_factory.mktemp("boats"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("total rated power of the boats at Tolworth, in kW", 240),  # two boats of one model count twice
        ("What is the average hull of the boats at Tolworth?", pytest.approx(17 / 3)),
        ("average rated power of boat models", 100),
        ("What is the rated power of the Heron?", [20]),
        ("Which yard has the highest total rated power?", ["Tolworth"]),
        ("How much rated power does the Teal have?", [200]),
        ("Which boat has the longest hull?", ["Teal", "Smew"]),
        ("boats with a rated power above 100 kW", ["Teal", "Smew"]),
        ("Top 2 boats by total downtime, highest first", ["Coot", "Heron"]),
        ("the two hands with the most hours, most hours first", ["Ada Poole", "Ben Cross"]),
        ("top 1 hands by hours", ["Ada Poole"]),
        ("3 newest boats, newest first", ["Smew", "Teal", "Coot"]),
        ("Which boats are stopped or scrapped?", ["Coot", "Teal"]),
        ("yards outside Surrey", ["Merton"]),
        ("How many boats are outside of Surrey?", 1),
        ("yards not in London", ["Tolworth", "Epsom"]),
        ("What parts cost over a thousand pounds each?", ["Rudder", "Winch"]),
        ("berth number of the Heron", 17),
        ("3 newest boats, oldest first", ["Coot", "Teal", "Smew"]),
    ],
)
def test_what_is_asked(boats: gt.Session, question: str, value: object) -> None:
    answer = boats.ask(question)
    assert answer.answered, answer.text
    assert answer.value == value


@pytest.mark.parametrize(
    "question",
    [
        "average rated power of the jobs",  # over boats and their models: each once, or each time?
        "total unit cost of the boats",
        "Which boats stopped running?",
        "How heavy is the Heron?",  # its model has a maximum
    ],
)
def test_what_is_declined(boats: gt.Session, question: str) -> None:
    assert not boats.ask(question).answered


def test_a_rank_is_told_with_its_number_first(boats: gt.Session) -> None:
    assert "the 3 boats with the largest launched" in boats.ask("3 newest boats").text


def test_categories_are_those_of_the_schema_before_types_of_nodes(tmp_path: Path) -> None:
    """'List all categories' gave the node types, 99 % sure, of a graph whose goods have a category."""
    tables = {
        "goods": "good_id,name,category\ng1,Nail,metal\ng2,Plank,wood\ng3,Screw,metal\n",
        "shops": "shop_id,name,label\ns1,Arun,A\ns2,Corley,B\n",
        "stock": "shop_id,good_id,amount\ns1,g1,4\ns2,g2,5\n",
    }
    session = imported(tables, tmp_path)
    assert sorted(session.ask("List all categories.").value) == ["metal", "wood"]
    assert session.ask("How many categories are there?").value == 2
    assert sorted(session.ask("What node types are there?").value) == ["goods", "shops"]
