"""What the reader learns from: variations of questions keep their readings, batches keep to their size."""

from importlib.resources import as_file, files
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from graphtalk.reasoners.reader.grammar import Grammar, State
from graphtalk.reasoners.reader.shape import Held, Link, Shape
from graphtalk.training.reader.domains import made_up, vary
from graphtalk.training.reader.examples import Example, Mention
from graphtalk.training.reader.filled import filled
from graphtalk.training.reader.made import Questions
from graphtalk.training.reader.paraphrases import said, sheet
from graphtalk.training.reader.sources import read_groups, write_groups
from graphtalk.training.reader.variation import Group, missaid, renamed, thinned, turned, varied

STREAMS = Shape(
    ("Stream", "Game", "User"),
    (Link("HAS_MODERATOR", "Stream", "User"), Link("PLAYS", "Stream", "Game")),
    (
        Held("Stream", "name", "text", naming=True),
        Held("Stream", "followers", "number"),
        Held("Game", "name", "text", naming=True),
        Held("Game", "genre", "text"),
        Held("User", "name", "text", naming=True),
        Held("Stream-HAS_MODERATOR-User", "since", "date", edge=True),
    ),
)


def mention(text: str, kind: str, question: str, *owners: str) -> Mention:
    at = question.index(text)
    return Mention(text, kind, owners, at, at + len(text))


PLAYING = "Which streams with more than 100 followers are playing 'Rust'?"
MODERATORS = "Who are the moderators of streams since 2019?"
ASKED = Group(
    STREAMS,
    (
        Example(
            PLAYING,
            (mention("100", "number", PLAYING), mention("Rust", "quoted", PLAYING, "P:Game.name")),
            tuple(
                "T:Stream P:Stream.followers GT S:0 V:>Stream-PLAYS-Game P:Game.name EQ S:1 UP UP RETURN NODE END".split()
            ),
        ),
        Example(
            MODERATORS,
            (mention("2019", "number", MODERATORS),),
            tuple(
                "T:User V:<Stream-HAS_MODERATOR-User E:Stream-HAS_MODERATOR-User.since GE S:0 UP UP RETURN NODE END".split()
            ),
        ),
    ),
)


def holds(group: Group) -> None:
    """Every reading is one of the group's schema, every value where its question says."""
    for example in group.examples:
        for value in example.values:
            assert example.question[value.start : value.end] == value.text
            assert all(owner in group.shape.properties for owner in value.owners)
        grammar = Grammar(group.shape, {f"S:{i}": v.kind for i, v in enumerate(example.values)})
        state = State()
        for action in example.actions:
            state = grammar.advance(state, action)
        assert state.done


def test_variations_keep_readings_and_places_of_values() -> None:
    random = Random(5)
    for _ in range(60):
        holds(varied(ASKED, random, random.choice((8, 20))))


def test_words_shared_with_the_schema_are_exchanged_in_both() -> None:
    random = Random(2)
    seen = set()
    for _ in range(20):
        group = renamed(ASKED, random)
        assert len(group.shape.items) == len(STREAMS.items)
        first = group.examples[0]
        assert (
            first.question.startswith("Which ")
            and "'Rust'" in first.question
            and "more than 100" in first.question
        )
        assert first.actions[2] == "GT" and first.actions[0] == f"T:{group.shape.types[0]}"
        seen.add((group.shape.types[0], first.question.split()[1]))
    changed = {(name, word) for name, word in seen if name != "Stream"}
    assert len(changed) > 5
    assert ("Stream", "streams") not in changed and all(word != "streams" for _, word in changed)


def test_turned_relations_are_read_from_the_other_end() -> None:
    groups = [turned(ASKED, Random(seed)) for seed in range(50)]
    group = next(g for g in groups if {k.name for k in g.shape.links} == {"MODERATOR_OF", "PLAYED_BY"})
    holds(group)
    assert "V:<Game-PLAYED_BY-Stream" in group.examples[0].actions
    assert group.examples[1].actions[1:3] == (
        "V:>User-MODERATOR_OF-Stream",
        "E:User-MODERATOR_OF-Stream.since",
    )


def test_thinning_keeps_what_questions_use() -> None:
    for seed in range(10):
        group = thinned(ASKED, Random(seed), 3)
        assert "P:Game.genre" not in group.shape.items
        holds(group)


def test_what_the_schema_has_lost_has_no_reading() -> None:
    random = Random(1)
    found = [e for _ in range(300) for e in varied(ASKED, random, 20).examples if e.actions == ("NONE",)]
    assert len({e.question for e in found}) > 2


def test_other_deeds_and_words_that_narrow_have_no_reading() -> None:
    groups = [missaid(ASKED, Random(seed)) for seed in range(40)]
    more = [g.examples[-1] for g in groups if len(g.examples) > len(ASKED.examples)]
    assert len({e.question for e in more}) > 10
    for group in groups:
        holds(group)
    asked = {e.question for e in ASKED.examples}
    assert all(e.actions == ("NONE",) and e.question not in asked for e in more)


def test_questions_of_words_that_no_name_has_have_no_reading() -> None:
    random = Random(4)
    asked = []
    for domain in made_up()[::9]:
        world = vary(domain, random)
        maker = Questions(world, random)
        asked += [e for _ in range(60) if (e := maker.make()) is not None and e.actions == ("NONE",)]
    assert len({e.question for e in asked}) > 10


def test_batches_are_of_about_one_size() -> None:
    pytest.importorskip("torch")
    from graphtalk.language.wordpiece import wordpiece
    from graphtalk.training.reader.sources import LEAST_ROWS, batches, set_source

    tokenizer = wordpiece()
    for batch in islice(batches([(1.0, set_source([ASKED]))], 3, tokenizer, 2, 60_000), 6):
        rows, positions = batch.mask.shape
        assert rows >= LEAST_ROWS and rows * positions**2 <= 2 * 60_000
        assert (batch.right >= 0).any(-1).all()


SHEET = Group(
    STREAMS,
    (
        *ASKED.examples,
        Example("How many streams are there?", (), tuple("T:Stream UP RETURN COUNT END".split())),
    ),
)


def test_a_sheet_shows_schemas_and_what_their_questions_mean() -> None:
    lines = "\n".join(sheet([SHEET]))
    assert "stream: name (text), followers (number)" in lines
    assert f"1.1 {PLAYING}" in lines and "values: 100; Rust" in lines
    assert "1.3 How many streams are there?\n    means: number of streams" in lines


def test_what_is_said_in_other_words_keeps_its_reading() -> None:
    (found,), passed = said(
        [SHEET], ["1.1\twho plays Rust, with over 100 people following?", "1.3\tcount the streams"], "said_1"
    )
    playing, counted = found.examples
    rust, number = playing.values
    assert playing.question[rust.start : rust.end] == "Rust"
    assert playing.question[number.start : number.end] == "100"
    assert playing.actions.count("S:0") == 1 and rust.owners == ("P:Game.name",)
    filters = playing.actions
    assert filters[filters.index("P:Game.name") + 2] == "S:0", "values are numbered by their places"
    assert counted.actions == SHEET.examples[2].actions and passed == 0
    holds(found)


@pytest.mark.parametrize(
    ("line", "passed"),
    [
        ("1.1\twho plays Rust?", 1),  # without the number
        ("1.1\twho plays Rust, or Rust again, with over 100 people?", 1),
        ("1.9\tno such question", 1),
        ("2.1\tno such schema", 1),
        ("1.1\t-", 0),
        ("a line without its number", 0),
    ],
)
def test_lines_that_say_something_else_are_not_taken(line: str, passed: int) -> None:
    assert said([SHEET], [line], "said_1") == ([], passed)


def test_a_question_without_an_answer_keeps_its_names() -> None:
    (found,), _ = said([SHEET], ["1.none\tWho wrote rust?"], "said_1")
    (example,) = found.examples
    assert example.actions == ("NONE",) and [v.text for v in example.values] == ["rust"]


def test_groups_are_read_as_they_were_written(tmp_path: Path) -> None:
    for name in ("groups.jsonl", "groups.jsonl.xz"):
        write_groups(tmp_path / name, [ASKED])
        (found,) = read_groups(tmp_path / name)
        assert found == ASKED
        holds(varied(found, Random(1), 20))


def test_training_starts_from_the_weights_of_the_package() -> None:
    torch = pytest.importorskip("torch")
    from graphtalk.training.reader.learning import weights_of
    from graphtalk.training.reader.ranking import Ranker

    folder = files("graphtalk.reasoners.reader") / "weights"
    with as_file(folder / "ranker.npz") as path:
        weights = weights_of(path)
    ranker = Ranker()
    lacking = ranker.load_state_dict(weights, strict=False)
    assert not lacking.unexpected_keys
    assert {name.split(".")[0] for name in lacking.missing_keys} <= {"words", "places", "word_norm"}
    assert torch.equal(ranker.score.bias, weights["score.bias"])


def test_a_graph_made_for_a_schema_has_what_its_questions_name() -> None:
    graph = filled(ASKED, Random(3), 12)
    assert [t.name for t in graph.schema.node_types] == list(STREAMS.types)
    assert [r.name for r in graph.schema.relations] == [link.name for link in STREAMS.links]
    assert "Rust" in graph.columns["Game"].column("name").to_pylist()
    followers = [n for n in graph.columns["Stream"].column("followers").to_pylist() if n is not None]
    assert any(n > 100 for n in followers) and any(n < 100 for n in followers), "either side of what is asked"
    since = graph.edge_columns[0].column("since")
    assert 0 < len(since) - since.null_count <= graph.num_edges
    again = filled(ASKED, Random(3), 12)
    assert again.columns["Stream"].equals(graph.columns["Stream"]), "the same seed, the same graph"
