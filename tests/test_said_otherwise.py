"""What people say for the names of a schema (`language/synonyms.txt`), and what only looks as if it were said of them."""

from collections.abc import Callable, Iterator

import pytest

import graphtalk as gt
from graphtalk.language.synonyms import Reworded, Rewording, said_for
from graphtalk.reasoners import omitted
from phrase_graphs import imported

TABLES = {
    "kennels": "kennel_id,name,village,capacity_m3_day,pressure_bar,built_year\n1,Hill Kennel,Ayton,20,2.5,1705\n2,Brook Kennel,Ketton,35,1.5,1790\n",
    "staff": "staff_id,name,hourly_rate_eur,cost_per_day_eur,manager_id\n1,Ann Bell,22,150,\n2,Bob Dale,18,120,1\n3,Cleo Fox,16,110,1\n",
    "dogs": "dog_id,name,kennel_id,keeper_id,weight_kg,rescued_on,rehomed_on\n1,Rex,1,2,30,2023-01-02,2023-03-01\n2,Nala,1,3,12,2023-02-01,2023-02-11\n"
    "3,Tarn,2,2,25,2023-05-05,\n",
    "washes": "dog_id,staff_id,washed_on,hours\n1,2,2024-01-01,2\n1,3,2024-02-01,3\n3,2,2024-03-01,1\n",
}


@pytest.fixture(scope="module")
def kennels(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Dogs in kennels, those who keep them, and whom these report to."""
    return imported(TABLES, tmp_path_factory.mktemp("kennels"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Who looks after Nala?", ["Cleo Fox"]),
        ("Which dogs does Bob Dale take care of?", ["Rex", "Tarn"]),
        ("Who is in charge of Bob Dale?", ["Ann Bell"]),
        ("What is the capacity of Hill Kennel?", [20]),  # of `capacity_m3_day`
        ("What's the pressure at Brook Kennel?", [1.5]),
        ("What does Ann Bell earn per hour?", [22]),
        ("How many dogs have we had?", [3]),
        ("Which dog took the longest to rehome?", ["Rex"]),
        ("How many hours did Bob Dale spend on Rex?", [2]),
        ("How many kennels were built in the 1700s?", [2]),  # a century
        ("How many kennels were built in the 1790s?", [1]),
        ("How many more dogs are there in Hill Kennel than in Brook Kennel?", [1]),
    ],
)
def test_it_is_read_as_the_schema_says_it(kennels: gt.Session, question: str, value: list[object]) -> None:
    found = kennels.ask(question)
    assert found.answered, found.text
    given = found.value if isinstance(found.value, list) else [found.value]
    assert sorted(map(str, given)) == sorted(map(str, value)), found.reading


@pytest.mark.parametrize(
    "question",
    [
        "Which cats does Bob Dale take care of?",  # what is asked for is nothing here
        "Which dogs has Bob Dale given up?",
        "When did Bob Dale start looking after Rex?",
        "Which dogs is Bob Dale going to take care of?",
        "What did Ann Bell earn before?",
        "How long did Rex take to train?",
        "How many hours did Bob Dale spend?",  # on what is left open
        "Which kennel is Bob Dale's boss in charge of?",
        "Which dogs did I look after?",
        "Which dog took the longest?",  # to do what is left open
        "How many people does Rex hold?",  # who keeps him is nobody he holds
    ],
)
def test_what_only_looks_like_it_is_asked_back(kennels: gt.Session, question: str) -> None:
    found = kennels.ask(question)
    assert not found.answered, found.text


def test_the_answer_says_which_words_were_read_as_others(kennels: gt.Session) -> None:
    assert "is read as" in kennels.ask("How many dogs does Bob Dale look after?").text


def rewording(relations: str, types: str) -> Callable[..., list[str]]:
    """What questions are put as over a schema: relations as "name: source, target"."""
    links = [(n, *ends.split(", ")) for n, ends in (r.split(": ") for r in relations.split("; "))]
    own = frozenset(w for n in (*types.split(), *(r[0] for r in links)) for w in n.split())
    found = Rewording([(n, a, b) for n, a, b in links], [], types.split(), own)

    def put(question: str, named: frozenset[str] = frozenset()) -> list[str]:
        words: Iterator[Reworded] = found.of(question, [], named)
        return [each.question for each in words]

    return put


def test_verbs_keep_their_form() -> None:
    put = rewording(
        "manages: clerk, clerk; taught by: course, clerk; lives in: clerk, flat", "clerk course flat"
    )
    assert put("Who is in charge of Ann?") == ["Who manages Ann?"]
    assert put("Who has been running the office?") == ["Who has been managing the office?"]
    assert put("Which courses are instructed by Bob?") == ["Which courses are taught by Bob?"]
    assert put("Where does Ann reside in?") == ["Where does Ann live in?"]


def test_what_is_said_from_the_other_side_is_a_passive() -> None:
    put = rewording("manages: clerk, clerk", "clerk flat")
    assert put("Who reports to Ann?", frozenset({"clerk"})) == ["Who is managed by Ann?"]
    assert put("Who does Ann report to?", frozenset({"clerk"})) == ["Who is Ann managed by?"]
    assert put("Who reports to the Flat?", frozenset({"flat"})) == []  # which is nobody's


def test_the_words_of_the_schema_mean_what_they_say() -> None:
    put = rewording("runs: clerk, shop; manages: clerk, clerk", "clerk shop")
    assert put("Who runs the shop?") == []
    put = rewording("advisory: clerk, shop; mentors: clerk, clerk", "clerk shop")
    assert put("Who advises the shop?") == []


def test_nobody_does_what_another_type_does() -> None:
    own = frozenset(("donors", "shelters", "donations"))
    found = Rewording([("donations", "donors", "shelters")], [], ["donors", "shelters"], own)
    assert "donation" in found.stands_for("Which donors gave the most?")["gave"]
    assert "donation" not in found.stands_for("Which shelters gave the most?").get("gave", set())


def test_a_verb_that_supports_a_noun_says_no_more_than_it() -> None:
    assert "inspection" in said_for("How many inspections did Ann carry out?")["carry"]
    assert "booking" not in said_for("How many bookings did Ann cancel?").get("cancel", set())


@pytest.mark.parametrize(
    ("check", "question", "words", "lost"),
    [
        (omitted.by_how_much, "How much longer is the Ister than the Oder?", "length of rivers", ["'How much longer'"]),
        (omitted.by_how_much, "How much longer is X than Y?", "length of X minus length of Y", []),
        (omitted.begins_doing, "When did Ann start keeping Rex?", "born on of dogs", ["'start'"]),
        (omitted.begins_doing, "When did Ann start keeping Rex?", "started on of keepings", []),
        (omitted.in_periods, "number of films by year", "number of films by released on", ["'by year'"]),
        (omitted.in_periods, "What is the cost per month?", "monthly cost of services", []),
        (omitted.took_to, "How long did the play take to make?", "minutes of plays", ["'make'"]),
        (omitted.took_to, "Which fault took longest to resolve?", "faults with the largest minutes to resolve", []),
        (omitted.belongs, "Who did H-19 belong to?", "clerks that households were counted by", ["'belong'"]),
        (omitted.belongs, "Who does the boat belong to?", "people that the boat was owned by", []),
        (omitted.rated_by, "critics rated above 80", "critics that review the films whose rating is above 80", ["'rated'"]),
        (omitted.rated_by, "films rated above 80", "films whose rating is above 80", []),
    ],
)  # fmt: skip
def test_what_a_reading_leaves_out_is_told(
    check: Callable[[str, str], Iterator[str]], question: str, words: str, lost: list[str]
) -> None:
    assert list(check(question, words)) == lost


def test_of_what_lasted_the_longest_no_date_tells() -> None:
    words, dates = "jobs with the smallest started on", frozenset({"started on"})
    assert list(omitted.lasted("Which job waited the longest?", words, dates)) == ["'longest'"]
    assert list(omitted.lasted("Who has worked here the longest?", words, dates)) == []


def test_what_is_done_with_a_particle_is_another_deed() -> None:
    assert list(omitted.phrasal("Which hobbies has Ann given up?", "hobbies that Ann likes", {})) == [
        "'given up'"
    ]
    assert list(omitted.phrasal("Break down the sales by shop", "number of sales by shop", {})) == []
    assert list(omitted.phrasal("Who has had words with Max?", "people who thanked Max", {})) == [
        "'had words with'"
    ]
    assert list(omitted.phrasal("Which coats have a hat to go with them?", "coats with hats", {})) == []


def test_a_share_is_one_of_what_is_named() -> None:
    nouns, words = (
        frozenset({"approvals", "changes"}),
        "which part of all changes are changes that Ann approved",
    )
    assert list(omitted.share_of_others("What share of approvals are Ann's?", words, nouns)) == [
        "'approvals'"
    ]
    assert list(omitted.share_of_others("What share of changes did Ann approve?", words, nouns)) == []


def test_the_most_of_something_is_a_number() -> None:
    assert list(omitted.number_asked("What's the most runs Ann made?", {"innings"})) == ["'most runs'"]
    assert list(omitted.number_asked("What is the most runs?", ())) == []
