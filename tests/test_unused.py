"""What a question says and a reading would pass over: it is not answered, and what was passed over is named."""

import sys
import time
from pathlib import Path

import pytest

import graphtalk as gt
from graphtalk.language.operators import denied_whole, denied_words, operator_words, unmeant, unsayable
from graphtalk.reasoners.omitted import counts_the_doer, every_one, unmeasured, unordered
from graphtalk.reasoners.overlooked import capitalised, does, narrows
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.words import stem


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Which countries do not border France?", ["not"]),
        ("Who doesn't like it?", ["n't"]),
        ("More than 3 of at least two", ["at least", "more than"]),
        ("Films under 30 minutes, listed under drama", ["under"]),
        ("A note on knots", []),
        ("employees per department, on average", ["on average", "per"]),
        ("Never mind The Second Sex", ["never", "second"]),
        ("Does no one other than Ada row?", ["no one other than"]),
        ("Somebody apart from Bob", ["somebody apart from"]),
    ],
)
def test_words_that_change_the_meaning(text: str, words: list[str]) -> None:
    assert sorted(found.word for found in operator_words(text)) == sorted(words)


@pytest.mark.parametrize(
    "text", ["Who is not never late?", "Which boats aren't not red?", "Who never doesn't row?"]
)
def test_a_negation_of_a_negation_is_told(text: str) -> None:
    assert denied_whole(text) and not denied_whole("Who has neither boats nor a crew, and is not here?")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Which crews sail all the boats?", ["all the boats"]),
        ("Crews that sail every boat of Ada", ["every boat"]),
        ("Which crews moored in all ports?", ["all ports"]),
        ("Who works with all of Ada's crews?", ["all of Ada's"]),
        ("Which is the oldest of all boats?", []),
        ("Which is the largest boat in all ports?", []),
        ("List all of Ada's crews and every boat", []),
        ("Retrieve all boats", []),
    ],
)
def test_what_is_done_to_each_is_said_by_no_reading(text: str, words: list[str]) -> None:
    assert unsayable(text) == words


def test_a_word_inside_a_name_is_none() -> None:
    assert not list(operator_words("Who wrote War or Peace?", [(10, 22)]))


FRENCH = {
    "Andorra",
    "Belgium",
    "Brazil",
    "Germany",
    "Italy",
    "Luxembourg",
    "Monaco",
    "Spain",
    "Suriname",
    "Switzerland",
}


@pytest.mark.parametrize(
    "question",
    [
        "Which countries do not border France?",
        "Which countries border neither France nor Spain?",
    ],
)
def test_what_would_be_passed_over_is_never_passed_over(question: str) -> None:
    """Right, or declined and offered: none of the neighbours of France is in an answer by itself."""
    answer = gt.ask("atlas", question)
    assert not answer.answered or not FRENCH & set(answer.value)
    assert answer.answered or (not answer.calls and answer.value is None)


def test_a_denied_neighbour_after_a_condition() -> None:
    """Those neighbours of France that no river of the atlas flows through."""
    answer = gt.ask("atlas", "Which countries that border France have no river?")
    assert not answer.answered or set(answer.value) == {"Andorra", "Monaco", "Suriname"}


def test_a_place_in_an_order() -> None:
    """Brazil, by French Guiana, is the largest."""
    answer = gt.ask("atlas", "Which is the second largest country that borders France?")
    assert not answer.answered or answer.value == ["Spain"]


@pytest.mark.parametrize("question", ["Which countries can be reached indirectly from France?"])
def test_what_no_reading_uses_is_named(question: str) -> None:
    answer = gt.ask("atlas", question)
    assert not answer.answered, answer.text


@pytest.mark.parametrize(
    "question",
    [
        "Which African country has not the largest population?",
        "What is not Africa's largest country?",
        "Countries that are not in both NATO and the G7",
        "Which countries are not in NATO and the G7?",
        "Which countries fail to border France?",
        "Which countries dont border France?",
        "Which countries border nobody but France?",
        "All but the neighbours of France",
    ],
)
def test_what_is_denied_is_not_what_is_answered(question: str) -> None:
    """These deny what no call denies: all of a condition, what is the most, or by words that no reading takes."""
    answer = gt.ask("atlas", question)
    assert not answer.answered, answer.text


def test_what_is_outside_is_not_inside() -> None:
    outside = gt.ask("atlas", "Countries outside NATO")
    assert "Peru" in outside.value and "France" not in outside.value, outside.text


def test_no_answer_is_the_opposite_of_what_was_asked() -> None:
    """Questions of a set that have an answer, each negated in every way that fits it."""
    pytest.importorskip("lemminflect", reason="the negations need it")
    sys.path.append(str(Path(__file__).parents[1] / "scripts"))
    from measure_negation import measure
    from measure_offline import open_own, own

    found = list(measure(open_own("museum"), [a.question for a in own("museum")][::16]))
    assert len(found) > 10
    assert not [negated for _, negated, verdict, _ in found if verdict == "same"]


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which films did Ann Lee make for 500 USD?", []),
        ("Which films did Zorro make in Rome?", ["Zorro", "Rome"]),
        ("Tell me this. “Which Films did Zorro make?”", ["Zorro"]),
        ("WHICH FILMS DID ZORRO MAKE", []),
    ],
)
def test_words_written_as_names(question: str, names: list[str]) -> None:
    at = question.find("Ann Lee")
    used = [(at, at + 7)] if at >= 0 else []
    assert capitalised(question, used, "", frozenset({stem("film")})) == names


@pytest.mark.parametrize(
    ("question", "word", "done"),
    [
        ("Which boats sank at the Oslo pier?", "sank", True),
        ("Which boats hated The Oslo?", "hated", True),
        ("Which boats were repaired in Oslo?", "repaired", True),
        ("Which boats complained about both Oslo and Bergen?", "complained", True),
        ("Who retired as Oslo?", "retired", True),
        ("Which boats cover more than 5 miles, in Oslo?", "cover", False),
        ("I am reading about Oslo. Which boats moor there?", "reading", False),
        ("Which boats, I wonder, moor in Oslo?", "wonder", False),
    ],
)
def test_a_deed_that_nothing_in_the_graph_says_is_what_was_done(question: str, word: str, done: bool) -> None:
    """Boats that moor in Oslo are not those that sank there; what is said before the question asks nothing."""
    name = "The Oslo" if "The Oslo" in question else "Oslo"
    start = question.index(name)
    value = Linked(name, "name", start, start + len(name), found=(("P:port.name", (name,)),))
    assert does(word, question, (value,), frozenset()) == done


@pytest.mark.parametrize(
    ("question", "words", "lost"),
    [
        ("Which crew sailed first?", "crews that sail boats", ["'first'"]),
        ("Which boat was built last?", "boats with the largest built", []),
        ("Who wrote Safety Last?", "people who wrote Safety Last", []),
        ("Which are the first boats?", "boats", ["'first'"]),
        ("Which are the first 3 boats?", "boats", []),
        ("When did Ann last call?", "date of calls whose caller is Ann", ["'last'"]),
        ("Which calls last longer than 5 minutes?", "calls whose minutes is above 5", []),
        ("How long did the last?", "minutes of calls", []),
    ],
)
def test_an_order_that_a_question_asks_for_is_used(question: str, words: str, lost: list[str]) -> None:
    assert list(unordered(question, words, ())) == lost


@pytest.mark.parametrize(
    ("question", "words", "lost"),
    [
        ("top five films", "the five films with the largest rating", ["'top'"]),
        ("top five films by rating", "the five films with the largest rating", []),
        ("the top 2 longest films", "the 2 films with the largest minutes", []),
        ("What are the best rated films?", "films with the largest rating", []),
        (
            "List the bottom 3 of the clubs",
            "the 3 clubs with the smallest number of members of them",
            ["'bottom'"],
        ),
        ("top three", "films", []),
    ],
)
def test_what_the_best_are_best_in_has_to_be_said(question: str, words: str, lost: list[str]) -> None:
    assert list(unmeasured(question, words)) == lost


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("inaccessible parts", ["accessible"]),
        ("unpaid bills", ["paid"]),
        ("non-smoking rooms", ["smoking"]),
        ("illegal or irregular moves", ["legal", "regular"]),
        ("imports of an inland port, indoors", []),
    ],
)
def test_prefixes_deny(text: str, rest: list[str]) -> None:
    assert [word for _, word in denied_words(text)] == rest


@pytest.mark.parametrize(
    ("question", "word", "fewer"),
    [
        ("Which sparkling boats moor in Oslo?", "sparkling", True),
        ("Which boats moor in quaint Oslo?", "quaint", False),
        ("Which boats that are idle moor there?", "idle", False),
        ("Which boats are idle?", "idle", True),
        ("What is the average draught by boat?", "draught", True),
        ("Which women moor in Oslo?", "women", True),
        ("Which boats flooded more than 100 berths?", "flooded", True),
        ("Which boats contain more than 100 berths?", "contain", False),
    ],
)
def test_a_word_by_where_it_stands_narrows(question: str, word: str, fewer: bool) -> None:
    assert narrows(word, question, (), frozenset(["boats"])) == fewer


@pytest.mark.parametrize(
    ("question", "words"),
    [
        ("Who used to report to Emil?", ["used to"]),
        ("Which clubs no longer sponsor X?", ["no longer"]),
        ("Who wants to mentor Ann?", ["wants to"]),
        ("Who is going to mentor Ann?", ["is going to"]),
        ("I would like to know who leads X", []),
        ("Our club wants to celebrate: who leads X?", []),
        ("Which clubs sponsor no other pier?", ["no other"]),
        ("Who should validate X?", ["should"]),
        ("Which samples could have failed?", ["could"]),
        ("Could you tell me who leads X?", []),
        ("What would be the five oldest boats?", []),
        ("Which licences will expire in 2025?", []),
        ("Is it true that no crew sailed?", ["no crew"]),
        ("Did no one sail to Oslo?", ["no one"]),
        ("Are there no boats in Oslo?", []),
        ("Which boats need a part that nobody has?", ["nobody"]),
        ("Which club sponsors no pier other than X?", ["no pier"]),
        ("Which boats have somebody without any licence?", ["without"]),
        ("Which boats does nobody own?", []),
    ],
)
def test_what_nothing_means_of_a_question(question: str, words: list[str]) -> None:
    assert unmeant(question) == words


def test_only_phrases_read_a_time_of_day() -> None:
    question = "How many boats sail after 10 pm?"
    assert (unmeant(question), unsayable(question)) == ([], ["10 pm"])


@pytest.mark.parametrize(
    ("question", "words", "lost"),
    [
        ("How many boats does Ann's mentor look after?", "number of the mentor of Ann", ["'look'"]),
        ("How many boats does Ann's mentor own?", "number of boats of the mentor of Ann", []),
    ],
)
def test_who_does_something_is_not_counted_for_what_it_is_done_to(
    question: str, words: str, lost: list[str]
) -> None:
    assert list(counts_the_doer(question, words)) == lost


def test_a_word_of_any_length_is_looked_at_once() -> None:
    """Begun anew at each letter of it, this would take a minute."""
    started = time.process_time()
    assert not list(every_one("a" * 200_000, "papers"))
    assert list(every_one("Who works with all cooks?", "persons who work with a cook")) == ["'all'"]
    assert time.process_time() - started < 5
