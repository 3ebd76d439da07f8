"""The master and the node agents of GraphAgent-Reasoner, on the worked examples of the paper's appendix C."""

import itertools
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from agent_model import AgentModel
from graphtalk.core import JSON, Answer, CheckError, UsageError
from graphtalk.lms.protocol import LanguageModel, Reply, Request, Usage, in_one_piece
from graphtalk.lms.scripted import Line, ScriptedLM
from graphtalk.reasoners.graph_agents.agents import LmEngine
from graphtalk.reasoners.graph_agents.master import Master
from graphtalk.reasoners.graph_agents.summary import agrees
from graphtalk.reasoners.graph_agents.tasks import understand
from graphtalk.reasoners.graph_agents.verifying import verify_solved
from graphtalk.vertex import bind, library, read_card, run, small_graph

SHORTEST = (
    "Find the shortest distance from a source node to other nodes in an undirected graph. In an undirected graph, "
    "(i,j,k) means that node i and node j are connected with an undirected edge with weight k. The graph has 8 nodes, "
    "and the edges are: (0,7,9) (0,1,7) (0,4,9) (1,7,1) (2,7,7) (2,6,5) (2,5,8) (3,5,9) (3,4,8) (3,6,1) (4,7,7) "
    "(4,5,6) (5,7,6). Give the weight of the shortest distance from node 1 to other node."
)
DISTANCES = {"0": 7, "1": 0, "2": 8, "3": 14, "4": 8, "5": 7, "6": 13, "7": 1}
HAMILTON = (
    "Determine whether or not there is a Hamiltonian path in an undirected graph. In an undirected graph, (i,j) means "
    "that node i and node j are connected with an undirected edge. Given a graph, you need to output Yes or No, "
    "indicating whether there is a Hamiltonian path in the graph. Q: The nodes are numbered from 0 to 5, and the edges "
    "are: (0, 3) (0, 1) (0, 2) (0, 4) (1, 5) (1, 4) (1, 2) (1, 3) (2, 4) (2, 5) (3, 5) (3, 4). Is there a Hamiltonian "
    "path in this graph?"
)
EDGES = [
    [0, 7, 9], [0, 1, 7], [0, 4, 9], [1, 7, 1], [2, 7, 7], [2, 6, 5], [2, 5, 8],
    [3, 5, 9], [3, 4, 8], [3, 6, 1], [4, 7, 7], [4, 5, 6], [5, 7, 6],
]  # fmt: skip


def turn(speak: str, *calls: dict[str, object], quoted: bool = False) -> Line:
    """A turn of the master in the form of appendix C; there the calls sometimes stand in a text."""
    function: object = json.dumps(list(calls)) if quoted else list(calls)
    return Line(json.dumps({"thought": "…", "speak": speak, "function": function}), when="You are the Master")


def call(name: str, **arguments: object) -> dict[str, object]:
    return {"name": name, "arguments": arguments}


def script(design: dict[str, object], said: str, edges: list[list[int]] = EDGES) -> ScriptedLM:
    """The four turns of the appendix, and the designer's reply."""
    build = call("Build_Graph", Edges=edges, Nodes_Num=8, Directed=False)
    return ScriptedLM(
        [
            Line(json.dumps(design), when="You design distributed algorithms"),
            turn("Building the graph.", build, quoted=True),
            turn(
                "Designing.",
                call("Design_Distributed_Algorithm", Problem_Str="shortest distance from node 1"),
            ),
            turn("Executing.", call("Distributed_Execution")),
            turn(said),
        ]
    )


@dataclass
class Both:
    """One model for the master's requests, another for the agents'."""

    master: LanguageModel
    agents: LanguageModel
    name: str = "both"

    def complete(self, request: Request) -> Reply:
        inner = self.agents if request.messages[0].content.startswith("You are node") else self.master
        return inner.complete(request)

    def stream(self, request: Request) -> Iterator[str | Reply]:
        yield from in_one_piece(self.complete(request))


SAID = "The shortest distances from node 1 are as follows: Node 0: 7, Node 1: 0, Node 2: 8, Node 3: 14."


def shortest(**errs: list[str]) -> tuple[AgentModel, dict[str, int]]:
    problem = understand(SHORTEST)
    bound = bind(library()["shortest_path"].program, problem.described.graph, {"source": 1})
    return AgentModel(bound, {int(node[1:]): texts for node, texts in errs.items()}), DISTANCES


def test_master_solves_the_papers_shortest_path_with_compiled_steps() -> None:
    heard: list[str] = []
    lm = script({"card": "shortest_path", "parameters": {"source": 1}}, SAID)
    found = Master(lm, hear=heard.append).solve(SHORTEST)
    assert found.answered and found.value == DISTANCES and found.text == SAID
    assert found.algorithm == "shortest_path" and found.rounds and found.messages
    assert found.usage["calls"] == 5 and found.usage["input_tokens"] < 6_000
    assert "[STATUS]: SUCCESS" in "\n".join(heard) and "Node: 3 State: 1. distance: 14" in "\n".join(heard)


def test_agents_solve_the_papers_shortest_path_and_tell_every_message() -> None:
    agents, wanted = shortest()
    heard: list[str] = []
    lm = Both(script({"card": "shortest_path", "parameters": {"source": 1}}, SAID), agents)
    engine = LmEngine(lm, hear=heard.append)
    found = Master(lm, engine, hear=heard.append).solve(SHORTEST)
    assert found.value == wanted
    told = "\n".join(heard)
    assert "Node 1 → Node 0: distance 7" in told and "Node 1 → Node 7: distance 1" in told
    assert "All agents' state unchanged, terminating early." in told
    assert engine.tally.requests == agents.asked and engine.tally.stood_in == 0


def test_agents_solve_the_papers_hamiltonian_path_rightly() -> None:
    """The paper's own run answers no; 5-1-0-3-4-2 and others are Hamiltonian paths."""
    problem = understand(HAMILTON)
    card = library()["hamiltonian_path"]
    agents = AgentModel(bind(card.program, problem.described.graph, {}))
    heard: list[str] = []
    done = run(card.program, problem.described.graph, {}, LmEngine(agents, card=card, hear=heard.append))
    path = done.answer
    pairs = {
        frozenset(pair)
        for pair in zip(problem.described.source.tolist(), problem.described.target.tolist(), strict=True)
    }
    assert sorted(path) == list(range(6))
    assert all(frozenset(step) in pairs for step in itertools.pairwise(path))


def test_a_wrong_build_graph_is_told_to_the_master_and_not_used() -> None:
    heard: list[str] = []
    lm = script({"card": "shortest_path", "parameters": {"source": 1}}, SAID, EDGES[:-1])
    assert Master(lm, hear=heard.append).solve(SHORTEST).value == DISTANCES
    assert "1 of its edges are missing" in "\n".join(heard)


def test_what_the_master_says_wrongly_is_not_the_answer() -> None:
    text = "The nodes are numbered from 0 to 2, and the edges are: (0,1,2) (1,2,3). Give the weight of the shortest path from node 0 to node 2."
    lm = ScriptedLM(
        [
            Line(
                '{"card": "shortest_path_route", "parameters": {"source": 0, "target": 2}}', when="You design"
            ),
            turn("", call("Build_Graph")),
            turn("", call("Design_Distributed_Algorithm"), call("Distributed_Execution")),
            turn("The weight is 6."),
        ]
    )
    found = Master(lm).solve(text)
    assert found.value == 5 and "weight of 5" in found.text


NEW = {
    "program": {
        "state": {"best": "number"},
        "message": {"best": "number"},
        "initialization": {"best": "degree"},
        "send": {"along": "both", "when": "changed", "best": "best"},
        "update": {"when": "received", "best": "max(best, max(m.best for m in messages))"},
        "termination": {"until": "changes == 0", "most": "n + 1"},
        "answer": [{"value": "max(v.best for v in nodes)", "text": "The highest number is {answer}."}],
    },
    "words": {"state": "1. best: the highest number known."},
}


def test_a_new_algorithm_is_checked_tried_and_run() -> None:
    bad = json.loads(json.dumps(NEW))
    bad["program"]["update"]["best"] = "max(best, true)"
    lm = ScriptedLM(
        [
            Line(json.dumps(bad), when="You design"),
            Line(json.dumps(NEW), when="You design"),
            turn(
                "", call("Build_Graph"), call("Design_Distributed_Algorithm"), call("Distributed_Execution")
            ),
            turn("The highest number is 2."),
        ]
    )
    text = "The edges are: (0,1) (1,2). What is the highest number that floods the graph?"
    found = Master(lm).solve(text)
    assert found.value == 2 and found.algorithm == "designed"
    answer = Answer(True, found.text, found.value, found.evidence, found.calls, lm="scripted")
    assert verify_solved(text, answer).verdict == "same", "though the grammar does not know what is asked"
    assert verify_solved(text, replace(answer, value=3)).verdict == "differs"


PAGES = "".join(f"({a},{b}) " for a in range(1, 21) for b in {1 + a * 7 % 20, 1 + a * a % 20, 4} - {a})
RANKS = {
    "program": {
        "state": {"rank": "number"},
        "message": {"share": "number"},
        "initialization": {"rank": "1 / n"},
        "send": {"along": "out", "share": "rank / out_degree"},
        "update": {"rank": "0.85 * sum(m.share for m in messages) + 0.15 / n"},
        "termination": {"until": "round >= 60", "most": "60"},
        "answer": [
            {"value": "argmax(v.rank, v for v in nodes)", "text": "The most important page is {answer}."}
        ],
    },
    "words": {"state": "1. rank: how important the page is."},
}


def test_web_pages_are_ranked_by_an_algorithm_of_the_masters_own() -> None:
    """Figure 5: pages 1 to 20, and no PageRank in the library."""
    cards = {name: card for name, card in library().items() if not name.startswith("pagerank")}
    steps = (call("Build_Graph"), call("Design_Distributed_Algorithm"), call("Distributed_Execution"))
    lm = ScriptedLM(
        [Line(json.dumps(RANKS), when="You design"), turn("", *steps), turn("Page 4 is the most important.")]
    )
    text = f"Web pages are numbered from 1 to 20. The links lead one way, and are: {PAGES}. Which page is the most important?"
    found = Master(lm, cards=cards).solve(text)
    assert (found.value, found.algorithm) == (4, "designed"), found.text


def test_an_algorithm_that_never_ends_is_not_trusted() -> None:
    endless = json.loads(json.dumps(NEW))
    endless["program"]["send"].pop("when")
    endless["program"]["update"] = {"best": "best + 1"}
    endless["program"]["termination"] = {"until": "changes == 0"}
    heard: list[str] = []
    lm = ScriptedLM(
        [
            Line(json.dumps(endless), when="You design", repeat=True),
            turn("", call("Build_Graph"), call("Design_Distributed_Algorithm")),
        ]
    )
    found = Master(lm, hear=heard.append).solve("The edges are: (0,1) (1,2) (2,0). Is there a cycle?")
    assert found.value is True and found.algorithm == "cycle_detection"
    assert "did not end" in "\n".join(heard)


def test_a_reply_without_use_is_asked_for_again_and_then_replaced() -> None:
    agents, wanted = shortest(n3=["no JSON here"], n4=["?", '{"state": {"far": 1}}'])
    engine = LmEngine(agents, card=library()["shortest_path"])
    done = run(agents.bound.program, agents.bound.graph, {"source": 1}, engine)
    assert {str(node): value for node, value in done.answer.items()} == wanted
    assert (engine.tally.repaired, engine.tally.stood_in) == (2, 1)


def test_an_agent_that_errs_is_caught_by_the_sample_check() -> None:
    wrong = '{"state": {"distance": 2}, "messages": {"2": {"distance": 3}}}'
    agents, wanted = shortest(n6=[wrong])
    heard: list[str] = []
    engine = LmEngine(agents, check=1.0, card=library()["shortest_path"], hear=heard.append)
    done = run(agents.bound.program, agents.bound.graph, {"source": 1}, engine)
    assert {str(node): value for node, value in done.answer.items()} == wanted
    assert engine.tally.wrong == 1 and any("Node 6 erred" in line for line in heard)

    unchecked = LmEngine(shortest(n6=[wrong])[0], check=0.0, card=library()["shortest_path"])
    assert run(agents.bound.program, agents.bound.graph, {"source": 1}, unchecked).answer != done.answer


def test_a_message_to_a_stranger_is_refused() -> None:
    agents, wanted = shortest(n1=['{"state": {"distance": 0}, "messages": {"6": {"distance": 1}}}'])
    engine = LmEngine(agents, card=library()["shortest_path"])
    done = run(agents.bound.program, agents.bound.graph, {"source": 1}, engine)
    assert {str(node): value for node, value in done.answer.items()} == wanted
    assert engine.tally.repaired == 1


def test_a_killed_run_goes_on_at_its_round(tmp_path: Path) -> None:
    keep = tmp_path / "run.jsonl"
    agents, wanted = shortest()
    card = library()["shortest_path"]

    def die(one: object) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(
            card.program,
            agents.bound.graph,
            {"source": 1},
            LmEngine(agents, card=card, keep=keep),
            on_round=die,
        )
    asked = agents.asked
    assert asked > 8
    with keep.open("a") as file:
        file.write('{"id": 3, "ru')  # a line torn by the kill
    done = run(card.program, agents.bound.graph, {"source": 1}, LmEngine(agents, card=card, keep=keep))
    whole, _ = shortest()
    run(card.program, agents.bound.graph, {"source": 1}, LmEngine(whole, card=card))
    assert {str(node): value for node, value in done.answer.items()} == wanted
    assert agents.asked == whole.asked
    with pytest.raises(UsageError, match="another run"):
        run(card.program, agents.bound.graph, {"source": 2}, LmEngine(agents, card=card, keep=keep))


def test_a_graph_that_the_grammar_cannot_read_is_read_by_the_model() -> None:
    text = "In our village alpha waves at beta across the lane, and beta waves at gamma. Can news get from alpha to gamma?"
    told = {
        "nodes": ["alpha", "beta", "gamma"],
        "edges": [{"from": "alpha", "to": "beta"}, {"from": "beta", "to": "gamma"}],
        "directed": False,
    }
    lines = [
        Line(json.dumps(told), when="Read the graph"),
        Line('{"card": "connectivity", "parameters": {"source": 0, "target": 2}}', when="You design"),
        turn("", call("Build_Graph"), call("Design_Distributed_Algorithm"), call("Distributed_Execution")),
        turn("Yes, over beta."),
    ]
    found = Master(ScriptedLM(lines)).solve(text)
    assert found.value is True and found.text == "Yes, over beta."
    invented = json.dumps(told).replace("gamma", "delta")
    refused = Master(ScriptedLM([Line(invented, when="Read the graph")])).solve(text)
    assert not refused.answered and "delta" in refused.text


def test_the_trial_of_a_new_algorithm_needs_its_parameters() -> None:
    with pytest.raises(CheckError):
        bind(library()["shortest_path"].program, understand(SHORTEST).described.graph, {})


CARD = {"card": "shortest_path", "parameters": {"source": 1}}


def test_a_graph_that_the_master_tells_twice_is_taken() -> None:
    """The grammar may be what errs: who is told of the difference and insists knows the text better."""
    ours = json.loads(json.dumps(EDGES))
    ours[0][2] = 1  # another weight from 0 to 7, so other distances
    edges = [[a, b, w] for a, b, w in ours]
    build = call("Build_Graph", Edges=edges[:-1], Nodes_Num=8, Directed=False)
    heard: list[str] = []
    lm = ScriptedLM([
        Line(json.dumps(CARD), when="You design distributed algorithms"),
        turn("Building.", build),
        turn("It is right.", build),
        turn("Designing.", call("Design_Distributed_Algorithm", Problem_Str="shortest distance from node 1")),
        turn("Executing.", call("Distributed_Execution")),
        turn("Node 0: 2"),
    ])  # fmt: skip
    found = Master(lm, hear=heard.append).solve(SHORTEST)
    assert isinstance(found.value, dict) and found.value["0"] == 2, "by 1-7-0, of 1 and 1"
    assert "call Build_Graph with it again" in "\n".join(heard) and "your graph is taken" in "\n".join(heard)


def test_a_graph_with_nodes_that_the_text_does_not_name_is_refused_twice() -> None:
    build = call("Build_Graph", Edges=[[1, 99]], Nodes_Num=100, Directed=False)
    heard: list[str] = []
    lm = ScriptedLM([
        Line(json.dumps(CARD), when="You design distributed algorithms"),
        turn("Building.", build), turn("Again.", build),
        turn("Designing.", call("Design_Distributed_Algorithm", Problem_Str="distances")),
        turn("Executing.", call("Distributed_Execution")), turn(SAID),
    ])  # fmt: skip
    assert Master(lm, hear=heard.append).solve(SHORTEST).value == DISTANCES
    assert "does not name a node '99'" in "\n".join(heard)


@pytest.mark.parametrize(
    "said", ["Node 0: 7, Node 2: 9.", "The distances from {source} are {answer}.", "", "Node 0 at 8"]
)
def test_words_that_contradict_the_value_are_not_the_answer(said: str) -> None:
    found = Master(script(CARD, said)).solve(SHORTEST)
    assert found.value == DISTANCES and found.text != said and "{" not in found.text


def test_designs_that_fail_five_times_are_told_and_not_hidden() -> None:
    lm = script({"program": {"state": {}}}, SAID)
    lm.lines[0] = Line(lm.lines[0].text, when=lm.lines[0].when, repeat=True)
    lm.lines += [turn("Again.", call("Design_Distributed_Algorithm", Problem_Str="x"))]
    asked: list[str] = []

    class Counting(ScriptedLM):
        def complete(self, request: Request) -> Reply:
            asked.append("\n".join(message.content for message in request.messages))
            return super().complete(request)

    found = Master(Counting(lm.lines)).solve(SHORTEST)
    assert found.value == DISTANCES, "the exact way answers"
    assert any("solved without it" in remark for remark in found.remarks)
    designs = [text for text in asked if "You design distributed algorithms" in text]
    assert (
        len(designs) == 5 and "pagerank:" in designs[0] and "The least of nothing is infinity" in designs[0]
    )
    assert found.usage["calls"] == len(asked) and found.usage["input_tokens"] > 0


def test_all_errors_of_a_design_are_told_at_once() -> None:
    program = {
        "state": {"distance": "number"},
        "message": {"distance": "number"},
        "initialization": {"distance": "if id == begin then 0 else infinity"},
        "send": {"along": "out", "when": "changed", "distance": "distanc + 1"},
        "update": {"when": "received", "distance": "min(m.dist for m in messages)"},
        "termination": {"until": "changes == 0", "most": "n + 1"},
        "answer": [{"value": "map(v, v.distance for v in nodes)"}],
    }
    asked: list[str] = []

    class Counting(ScriptedLM):
        def complete(self, request: Request) -> Reply:
            asked.append(request.messages[-1].content)
            return super().complete(request)

    lm = script({"program": program}, SAID)
    again = Line(json.dumps(CARD), when="That cannot be used")
    assert Master(Counting([again, *lm.lines])).solve(SHORTEST).value == DISTANCES
    told = next(text for text in asked if text.startswith("That cannot be used"))
    assert all(word in told for word in ("'begin'", "'distanc'", "'dist'")), told


WORDS = {
    "state": "1. best (number): the highest number known.",
    "message": "1. best (number): the sender's best.",
    "initialization": "Set best to your own number.",
    "send": "Send best to every neighbour.",
    "update": "Set best to the largest of best and the numbers received.",
    "termination": "When no node learns of a higher number.",
}
FLOOD = "The nodes are numbered from 0 to 3. The edges are: (0,1) (1,2) (2,3). What is the highest number that floods the graph?"


@dataclass
class Follower:
    """Follows the words above: it knows what its prompt says, and nothing else. `odd` makes it change its mind forever."""

    odd: bool = False
    name: str = "follower"
    asked: int = 0
    _counting: threading.Lock = field(default_factory=threading.Lock)

    def complete(self, request: Request) -> Reply:
        system, said = request.messages[0].content, request.messages[1].content
        assert "the largest of best and the numbers received" in system, system
        with self._counting:
            self.asked += 1
        known = [int(re.search(r"^You are node (\d+)", system)[1])] if "begins" in said else []  # type: ignore[index]
        known += [int(number) for number in re.findall(r"best: (\d+)", said)]
        best = 1 - min(known) % 2 if self.odd else max(known)
        to = re.findall(r"^- Node (\d+)", said, re.M)
        reply = {"state": {"best": best}, "messages": {node: {"best": best} for node in to}}
        return Reply(json.dumps(reply), usage=Usage(1, 10, 10))

    def stream(self, request: Request) -> Iterator[str | Reply]:
        yield from in_one_piece(self.complete(request))


def in_words(design: str, *more: Line, follower: Follower | None = None) -> tuple[Both, list[str]]:
    steps = (call("Build_Graph"), call("Design_Distributed_Algorithm"), call("Distributed_Execution"))
    lines = [Line(design, when="You design"), turn("", *steps), turn("The highest number is 3."), *more]
    return Both(ScriptedLM(lines), follower or Follower()), []


READ = {
    "state": {"best": "number"},
    "message": {"best": "number"},
    "answer": [{"value": "max(v.best for v in nodes)"}],
}


@pytest.mark.parametrize(
    "design",
    [
        json.dumps({"program": READ, "words": WORDS}),
        json.dumps({"words": WORDS}),
        json.dumps({"words": WORDS, "answer": [{"value": "max(v.best for v in nodes)"}]}),
        json.dumps({name.capitalize(): part for name, part in WORDS.items()}),
        json.dumps({name: [part] for name, part in WORDS.items()}),
        "\n\n".join(f"### {name.capitalize()}\n{part}" for name, part in WORDS.items()),
    ],
)
def test_a_design_in_words_is_acted_on_by_agents_of_the_model(design: str) -> None:
    lm, heard = in_words(design)
    found = Master(lm, hear=heard.append).solve(FLOOD)
    assert found.answered and found.algorithm == "designed", heard
    assert found.value == (3 if "max(v.best" in design else dict.fromkeys("0123", 3))
    assert found.text == "The highest number is 3." or isinstance(found.value, dict)
    assert "Node 3 → Node 2: best 3" in heard and found.rounds == 4
    assert any("nothing else checked" in remark for remark in found.remarks)
    assert isinstance(lm.agents, Follower) and found.usage["calls"] == lm.agents.asked + 3


def test_a_design_in_words_that_goes_round_in_circles_is_stopped() -> None:
    lm, heard = in_words(json.dumps({"words": WORDS}), follower=Follower(odd=True))
    found = Master(lm, hear=heard.append).solve(FLOOD + " Or: is there a cycle?")
    assert isinstance(lm.agents, Follower) and 0 < lm.agents.asked < 4 * 6
    assert "did not end" in "\n".join(heard) and found.algorithm != "designed"


def chain(nodes: int) -> str:
    edges = " ".join(f"({a},{a + 1})" for a in range(nodes - 1))
    return f"The nodes are numbered from 0 to {nodes - 1}. The edges are: {edges}. What is the highest number that floods the graph?"


def test_a_design_in_words_is_tried_on_a_small_graph_first() -> None:
    lm, _ = in_words(json.dumps({"words": WORDS}))
    found = Master(lm).solve(chain(12))
    assert found.value == {str(node): 11 for node in range(12)}
    assert isinstance(lm.agents, Follower) and lm.agents.asked > 12 * (1 + (found.rounds or 0))


def test_what_is_wrong_with_a_design_in_words_is_told_to_the_designer() -> None:
    nameless = json.dumps({"words": {**WORDS, "state": "the highest number known"}})
    asked: list[str] = []

    class Telling(ScriptedLM):
        def complete(self, request: Request) -> Reply:
            asked.append(request.messages[-1].content)
            return super().complete(request)

    lm, _ = in_words(nameless)
    assert isinstance(lm.master, ScriptedLM)
    lines = [*lm.master.lines, Line(json.dumps({"words": WORDS}), when="You design")]
    found = Master(Both(Telling(lines), lm.agents)).solve(FLOOD)
    assert found.value == dict.fromkeys("0123", 3)
    assert any("it lists no field" in text for text in asked)


def test_agents_of_a_design_in_words_ask_only_so_much() -> None:
    lm, heard = in_words(json.dumps({"words": WORDS}))
    few = LmEngine(lm, most_requests=5, hear=heard.append)
    assert Master(lm, few, hear=heard.append).solve(FLOOD).algorithm != "designed"
    assert "did not end within 5 requests" in "\n".join(heard) and isinstance(lm.agents, Follower)
    assert lm.agents.asked == 5
    large, told = in_words(json.dumps({"words": WORDS}))
    Master(large, hear=told.append).solve(chain(201))
    assert isinstance(large.agents, Follower) and large.agents.asked == 0
    with pytest.raises(CheckError, match="only agents of a language model"):
        run(read_card({"name": "told", **READ, "words": WORDS}).program, small_graph(2, [(0, 1)], False))


@pytest.mark.parametrize(
    ("said", "value", "agreed"),
    [
        ("The distance from 0 to 2 is 7.", 7, True),
        ("Node 7 is at distance 8.", 7, False),
        ("It is 7, not 8.", 7, False),
        ("There are 1,234 of them.", 1234, True),
        ("The path from 0 to 2 is 0 -> 1 -> 2.", [0, 1, 2], True),
        ("The path is 0 -> 2 -> 1.", [0, 1, 2], False),
        ("The path is 0 -> 1 -> 2 -> 3.", [0, 1, 2], False),
        ("Alice and Bob", ["Bob"], False),
        ("Alice, then Bob.", ["Alice", "Bob"], True),
        ("Node 0: 7, Node 1: 3", {"0": 7, "1": 3}, True),
        ("Node 0: 7, Node 1: 4", {"0": 7, "1": 3}, False),
        ("distance to 0: 8", {"0": 7}, False),
        ("| 0 | 8 |", {"0": 7}, False),
        ("No, they are not.", True, False),
        ("{{answer}}", 4, False),
    ],
)
def test_words_stand_for_a_value_only_where_nothing_contradicts_it(
    said: str, value: JSON, agreed: bool
) -> None:
    names = {*map(str, range(10)), "Alice", "Bob"}
    assert agrees(said, value, "How far is it from node 0 to node 2?", names) is agreed
