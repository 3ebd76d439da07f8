"""`graphtalk solve`: one problem, files of them, what is refused, and the reasoner over a stored graph."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from command_line import CommandLine
from graphtalk.app.ask import session
from graphtalk.app.asking import opened
from graphtalk.app.settings import Settings
from graphtalk.core import Answer, CallRecord, Evidence
from graphtalk.reasoners.graph_agents.offline import OfflineMaster
from graphtalk.reasoners.graph_agents.tasks import task_names, understand
from graphtalk.reasoners.graph_agents.verifying import verify_solved
from graphtalk.vertex import library

SHORT = "The nodes are numbered from 0 to 3, and the edges are: (0,1,2) (1,2,2) (2,3,1) (0,3,9). "
ASK = SHORT + "Give the weight of the shortest path from node 0 to node 3."


@pytest.fixture
def graphtalk(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> CommandLine:
    return CommandLine(monkeypatch, capsys)


def write(path: Path, rows: list[object]) -> Path:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def lines(path: Path) -> list[dict[str, object]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_one_problem_is_answered_with_its_algorithm_rounds_and_messages(graphtalk: CommandLine) -> None:
    done = graphtalk("solve", ASK)
    assert done.code == 0
    assert "0,1,2,3 with a total weight of 5" in done.out
    assert "shortest path route, in 4 rounds with 10 messages" in done.out
    told = graphtalk("solve", ASK, "--json").json
    assert told["value"] == 5 and told["algorithm"] == "shortest_path_route" and told["rounds"] == 4


def test_the_trace_tells_every_round(graphtalk: CommandLine) -> None:
    assert "Round 1: 2 messages, 2 states changed." in graphtalk("solve", ASK, "--trace").out


def test_a_problem_may_come_from_standard_input(graphtalk: CommandLine) -> None:
    assert graphtalk("solve", "-", "--json", stdin=ASK).json["value"] == 5


def test_what_is_no_problem_is_refused_with_exit_code_1(graphtalk: CommandLine) -> None:
    done = graphtalk("solve", "What a lovely day.")
    assert done.code == 1 and "No graph was found" in done.out


@pytest.mark.parametrize("workers", [1, 2])
def test_a_file_keeps_order_and_is_resumed(graphtalk: CommandLine, tmp_path: Path, workers: int) -> None:
    asked = [
        {"id": "b", "question": ASK},
        {"id": 7, "question": "What a lovely day."},
        {"id": "a", "question": SHORT + "Is there a cycle?"},
    ]
    questions, out = write(tmp_path / "q.jsonl", asked), tmp_path / "a.jsonl"
    assert graphtalk("solve", "--file", questions, "--out", out, "--workers", workers).code == 0
    found = lines(out)
    assert [line["id"] for line in found] == ["b", 7, "a"]
    assert [line["value"] for line in found] == [5, None, True]
    assert [line["answered"] for line in found] == [True, False, True]
    assert all(list(line) == ["id", "answered", "answer", "value", "algorithm", "seconds"] for line in found)

    kept = out.read_bytes().splitlines(keepends=True)
    out.write_bytes(kept[2] + kept[0] + b'{"id": 7, "answ')  # out of order, and torn by a kill
    assert graphtalk("solve", "--file", questions, "--out", out).code == 0
    again = lines(out)
    assert [line["id"] for line in again] == ["b", 7, "a"]
    assert again[0] == found[0] and again[2] == found[2]


def test_a_broken_line_is_named_and_the_rest_is_solved(graphtalk: CommandLine, tmp_path: Path) -> None:
    questions, out = tmp_path / "q.jsonl", tmp_path / "a.jsonl"
    questions.write_text('{"id": 1, "question": 5}\n' + json.dumps({"id": 2, "question": ASK}) + "\n")
    done = graphtalk("solve", "--file", questions, "--out", out)
    assert done.code == 1 and "q.jsonl:1:" in done.err and [line["value"] for line in lines(out)] == [5]


@pytest.mark.parametrize(
    "words",
    [
        ("--file", "q.jsonl"),
        (ASK, "--out", "a.jsonl"),
        (),
        (ASK, "--agents", "lm"),
        (ASK, "--spread", "2"),
        (ASK, "--keep", "rounds.jsonl"),
        (ASK, "--check", "0.5"),
        ("--file", "q.jsonl", "--out", "a.jsonl", "--trace"),
    ],
    ids=[
        "no out",
        "out without file",
        "nothing",
        "agents without a model",
        "spread",
        "keep",
        "check",
        "trace of a file",
    ],
)
def test_wrong_usage_ends_in_2(graphtalk: CommandLine, words: tuple[str, ...]) -> None:
    assert graphtalk("solve", *words).code == 2


def test_a_scripted_model_solves_on_the_command_line(graphtalk: CommandLine, tmp_path: Path) -> None:
    call = [
        {"name": name, "arguments": {}}
        for name in ("Build_Graph", "Design_Distributed_Algorithm", "Distributed_Execution")
    ]
    card = {"card": "shortest_path_route", "parameters": {"source": 0, "target": 3}}
    script = write(
        tmp_path / "script.jsonl",
        [
            {"text": json.dumps(card), "when": "You design"},
            {"text": json.dumps({"thought": "", "speak": "", "function": call})},
            {"text": json.dumps({"thought": "", "speak": "It weighs 5.", "function": []})},
        ],
    )
    done = graphtalk("solve", ASK, "--lm", f"scripted:{script}", "--trace")
    assert done.code == 0 and "It weighs 5." in done.out and "[STATUS]: SUCCESS" in done.out


def test_the_reasoner_answers_about_a_stored_graph(graphtalk: CommandLine) -> None:
    done = graphtalk(
        "ask", "atlas", "Is there a path from France to Germany?", "--reasoner", "graph-agents", "--json"
    )
    assert done.code == 0 and done.json["value"] is True
    missing = graphtalk(
        "ask", "atlas", "Is there a path from France to Narnia?", "--reasoner", "graph-agents"
    )
    assert missing.code == 1 and "Narnia" in missing.out


PLAIN = "The nodes are numbered from 0 to 6, and the edges are: (0,1) (1,2) (2,0) (2,3) (3,4) (5,6). "
WEIGHED = "The edges are: (0,1,2) (1,2,3) (0,2,4) (2,3,1). "
ONE_WAY = "Directed edges: (0->1) (1->2) (2->0) (2->3). "
FREE = "Directed edges: (0->1) (1->2) (1->3). "
VALUED = PLAIN + "Values: 0: 5, 1: 7, 2: 2, 3: 9, 4: 1, 5: 3, 6: 4. "
EVERY_TASK = {
    "shortest_path": WEIGHED + "What is the shortest path from node 0 to node 3?",
    "distances": PLAIN + "What are the shortest distances from node 0 to all other nodes?",
    "connectivity": PLAIN + "Is there a path from node 0 to node 4?",
    "cycle": ONE_WAY + "Is the graph acyclic?",
    "bipartite": FREE + "Is the graph bipartite?",
    "topological_order": FREE + "Give a topological order.",
    "maximum_flow": "Directed edges: (0->1,3) (1->2,2). What is the maximum flow from node 0 to node 2?",
    "triangle_count": PLAIN + "How many triangles are there?",
    "hamilton": WEIGHED + "Is there a Hamiltonian path?",
    "hamilton_cycle": WEIGHED + "Is there a Hamiltonian cycle?",
    "subgraph": (
        "The nodes of graph G are numbered from 0 to 3, and the edges are: (1->2) (2->3). The nodes of subgraph G' are "
        "numbered from a to c, and the edges are: (a->b) (b->c). Is subgraph G' present within graph G?"
    ),
    "matching": (
        "There are 2 applicants numbered from 0 to 1, and 2 jobs numbered from 0 to 1. Applicant 0 is interested in "
        "job 1. Applicant 1 is interested in job 0. Find an assignment of jobs to applicants."
    ),
    "graph_convolution": (
        "The nodes are numbered from 0 to 2, and the edges are: (0,1) (1,2). Embeddings: node 0: [1,0] node 1: [0,1] "
        "node 2: [1,1]. In a simple graph convolution layer, each node's embedding is updated by the sum of its "
        "neighbors' embeddings. What is the embedding of each node after one layer of simple graph convolution?"
    ),
    "spanning_tree": WEIGHED + "What is the total weight of a minimum spanning tree?",
    "degree": PLAIN + "What is the degree of node 2?",
    "in_degree": ONE_WAY + "What is the in-degree of node 2?",
    "out_degree": ONE_WAY + "What is the out-degree of node 2?",
    "neighbours": PLAIN + "Which nodes are neighbours of node 2?",
    "reachable": ONE_WAY + "Which nodes can be reached from node 0?",
    "common_neighbours": PLAIN + "Which neighbours do node 0 and node 1 have in common?",
    "in_neighbours": ONE_WAY + "Which nodes point to node 2?",
    "unreachable": ONE_WAY + "Which nodes cannot be reached from node 3?",
    "farthest": WEIGHED + "Which nodes are farthest from node 0?",
    "edge_exists": PLAIN + "Is there an edge between node 0 and node 3?",
    "node_exists": PLAIN + "Is node 33 in the graph?",
    "edge_count": PLAIN + "How many edges are there?",
    "node_count": PLAIN + "How many nodes are there?",
    "connected": PLAIN + "Is the graph connected?",
    "strongly_connected": ONE_WAY + "Is the graph strongly connected?",
    "components": PLAIN + "How many components are there?",
    "largest_strong_component": ONE_WAY + "How large is the largest strongly connected component?",
    "strong_components": ONE_WAY + "How many strongly connected components are there?",
    "largest_component": PLAIN + "Which nodes are in the largest component?",
    "diameter": WEIGHED + "What is the diameter?",
    "radius": WEIGHED + "What is the radius?",
    "eccentricity": WEIGHED + "What is the eccentricity of node 0?",
    "pagerank": ONE_WAY + "Which node has the highest PageRank?",
    "betweenness": WEIGHED + "Which node has the highest betweenness?",
    "most_connected": PLAIN + "Which node has the most edges?",
    "density": PLAIN + "What is the density?",
    "clustering": PLAIN + "What is the clustering coefficient of node 0?",
    "core": PLAIN + "Which nodes are in the 2-core?",
    "communities": PLAIN + "List the communities.",
    "euler_circuit": WEIGHED + "Does the graph have an Eulerian circuit?",
    "euler_path": WEIGHED + "Is there an Euler path?",
    "k_colourable": PLAIN + "Is the graph 3-colourable?",
    "chromatic_number": PLAIN + "What is the chromatic number?",
    "fewest_colours": PLAIN + "Colour the nodes with as few colours as possible.",
    "colouring": PLAIN + "Colour the nodes so that no two neighbours have the same colour.",
    "vertex_cover": PLAIN + "How many nodes does a minimum vertex cover have?",
    "maximal_independent_set": PLAIN + "Find a maximal independent set.",
    "independent_set": PLAIN + "What is the largest independent set?",
    "clique": PLAIN + "What is the size of the largest clique?",
    "maximum_matching": PLAIN + "How many edges does a maximum matching have?",
    "bridges": PLAIN + "Which edges are bridges?",
    "articulation": PLAIN + "Which nodes are articulation points?",
    "path_count": FREE + "How many different paths lead from node 0 to node 3?",
    "longest_path": FREE + "How many edges does the longest path have?",
    "is_tree": FREE + "Is the graph a tree?",
    "breadth_first_tree": PLAIN + "Give a breadth-first tree from node 0.",
    "any_spanning_tree": PLAIN + "Which edges form a spanning tree?",
    "no_neighbours": PLAIN + "Which nodes have no neighbours?",
    "sinks": FREE + "Which nodes have no outgoing edges?",
    "sources": FREE + "Which nodes have no incoming edges?",
    "sum_of_degrees": PLAIN + "What is the sum of all degrees?",
    "average_degree": PLAIN + "What is the average degree?",
    "nodes_of_degree": PLAIN + "Which nodes have at least 2 neighbours?",
    "least_connected": PLAIN + "Which nodes have the lowest degree?",
    "most_entered": ONE_WAY + "Which node has the highest in-degree?",
    "most_left": ONE_WAY + "Which node has the highest out-degree?",
    "degrees": PLAIN + "What is the degree of every node?",
    "sum_over_neighbours": VALUED + "What is the sum of the values of the neighbours of node 0?",
    "mean_over_neighbours": VALUED + "What is the average value of the neighbours of node 0?",
    "most_over_neighbours": VALUED + "What is the largest value among the neighbours of node 0?",
    "least_over_neighbours": VALUED + "What is the smallest value among the neighbours of node 0?",
    "best_neighbour": VALUED + "Which neighbour of node 0 has the highest value?",
    "total_weight": WEIGHED + "What is the sum of all edge weights?",
    "heaviest_edge": WEIGHED + "Which edge has the largest weight?",
    "lightest_edge": WEIGHED + "Which edge has the smallest weight?",
    "within_weight": WEIGHED + "Which nodes are within a distance of 3 of node 0?",
    "edge_weight": WEIGHED + "What is the weight of the edge between node 0 and node 2?",
    "average_path": WEIGHED + "What is the average shortest path length?",
    "triangles_of_node": PLAIN + "How many triangles is node 2 part of?",
    "hops_exactly": PLAIN + "Which nodes are exactly 2 hops away from node 0?",
    "hops_within": PLAIN + "Which nodes are within 2 hops of node 0, not counting node 0 itself?",
    "center": WEIGHED + "Which nodes are in the center?",
    "periphery": WEIGHED + "What is the periphery?",
    "hops": WEIGHED + "What is the fewest edges needed to go from node 0 to node 3?",
    "not_neighbours": PLAIN + "Which nodes are not neighbours of node 2?",
    "pagerank_from": PLAIN + "Give the personalised PageRank from node 0.",
    "pagerank_of_node": ONE_WAY + "What is the PageRank of node 2?",
    "betweenness_of_node": PLAIN + "What is the betweenness of node 2?",
    "closeness_of_node": WEIGHED + "What is the closeness of node 2?",
    "degree_centrality_of_node": PLAIN + "What is the degree centrality of node 2?",
    "closeness": WEIGHED + "Which node has the highest closeness centrality?",
    "transitivity": PLAIN + "What is the transitivity?",
    "highest_clustering": PLAIN + "Which node has the highest clustering coefficient?",
    "degeneracy": PLAIN + "What is the degeneracy?",
    "component_of_each": PLAIN + "Which component does each node belong to?",
    "label_propagation": PLAIN + "Which groups does label propagation find?",
    "reaching": ONE_WAY + "From which nodes can node 2 be reached?",
    "component_of": PLAIN + "Which nodes are in the component that contains node 2?",
    "shortest_path_count": PLAIN + "How many shortest paths are there from node 0 to node 3?",
    "disjoint_paths": PLAIN + "How many edge-disjoint paths are there at most from node 0 to node 3?",
    "edge_connectivity": PLAIN + "How many edges must be removed at least to disconnect the graph?",
    "girth": PLAIN + "What is the girth?",
    "dominating_set": PLAIN + "How many nodes does a smallest dominating set have?",
    "most_in_common": PLAIN + "Which two nodes have the most common neighbours?",
    "isomorphic": (
        "The nodes of graph G are numbered from 0 to 2, and the edges are: (0,1) (1,2). The nodes of subgraph H are "
        "numbered from a to c, and the edges are: (a,c) (c,b). Are the two graphs isomorphic?"
    ),
    "heaviest_spanning_tree": WEIGHED + "What is the total weight of a maximum spanning tree?",
    "worst_neighbour": VALUED + "Which neighbour of node 0 has the lowest value?",
    "neighbours_of_value": VALUED + "How many neighbours of node 0 have a value of more than 3?",
    "triangle_sum": VALUED + "What is the largest sum of the values of three nodes that form a triangle?",
}

DECLINED = {
    "What is the treewidth?": "not what is asked",
    "Which node has the second highest degree?": "'second'",
    "What percentage of the nodes has degree 2?": "",
    "What is the median degree?": "",
    "What is the degree of every node except node 2?": "",
    "What is the shortest path from node 0 to node 3 through node 2?": "3 nodes",
    "How many more neighbours does node 2 have than node 4?": "",
    "How many components does the complement have?": "",
    "Which nodes cannot reach node 3?": "",
    "What is the largest group in which everyone is connected to everyone?": "",
    "Which nodes are cut off from node 0 if node 2 is shut down?": "",
    "Is there a Hamiltonian path that starts at node 2?": "starts",
}


def answer_to(text: str) -> Answer:
    found = OfflineMaster().solve(text)
    assert found.answered, found.text
    return Answer(True, found.text, found.value, found.evidence, found.calls)


def test_every_task_has_a_problem_here() -> None:
    assert set(EVERY_TASK) == set(task_names())


@pytest.mark.parametrize("question", DECLINED)
def test_what_changes_the_meaning_and_is_not_used_is_declined(question: str) -> None:
    found = OfflineMaster().solve(PLAIN + question)
    assert not found.answered and DECLINED[question] in found.text, found.text


OTHER_PROBLEMS = """
How many spanning trees does the graph have?
Find the maximum spanning tree.
Which edges are in every minimum spanning tree?
Partition the graph into two halves of equal size with few edges between.
Split the nodes into two groups of the same size with as few edges between them as possible.
Broadcast a message from node 0: how many rounds does it take?
How many messages are needed to flood the network from node 0?
A rumour starts at node 0 and spreads to all neighbours each day. On which day does everyone know it?
Find the path from node 0 to node 4 with the largest minimum weight.
Find two disjoint paths from node 0 to node 4.
Find a shortest path from node 0 to node 4 with an even number of edges.
Find the minimum cut between node 0 and node 4.
Find the densest subgraph.
What is the edge chromatic number?
What is the minimum number of colours for the edges?
How many colourings with 3 colours are there?
Find the biconnected components.
What is the PageRank of node 2 after one iteration?
Run one step of label propagation.
What is the hitting time from node 0 to node 4?
What is the effective resistance between 0 and 4?
Find the minimum vertex cover by weight.
What is the Jaccard similarity of nodes 0 and 3?
How similar are the neighbourhoods of nodes 0 and 2?
Is the graph isomorphic to a cycle?
Find the k-center with k = 2.
Find the facility location for two centers.
Count the nodes at even distance from node 0.
Which node, if removed, splits the graph into the most parts?
Which edge has the highest betweenness?
Is there a path from node 0 to node 4 of length exactly 5?
Is there a triangle containing node 3?
Can all nodes be visited without passing a node twice and returning to the start?
Place two fire stations so that the largest distance is least.
Where should one hospital be built so that the longest distance to it is smallest?
Which stable matching is there?
What is the clique cover number?
Rank the nodes by HITS.
Rank the nodes by closeness.
What are the hub and authority scores?
Which nodes are influential under the independent cascade model?
What is the random walk betweenness of node 2?
What is the harmonic closeness of node 2?
Find a minimum spanning arborescence.
Find overlapping communities.
In what order does depth-first search visit the nodes from node 0?
Find a path from node 0 to node 4 that minimises the maximum edge.
What is the smallest set of nodes that every path from node 0 to node 4 meets?
Deliver parcels to all nodes from node 0 with the least distance.
"""


@pytest.mark.parametrize("question", OTHER_PROBLEMS.strip().splitlines())
def test_a_problem_without_an_algorithm_is_never_answered_by_another(question: str) -> None:
    found = OfflineMaster().solve(PLAIN + question)
    assert not found.answered and not found.calls, found.text


@pytest.mark.parametrize(
    "question",
    [
        "What is the capacity of the minimum cut between node 0 and node 4?",
        "Find the minimum spanning tree.",
        "Can all nodes be put in two groups so that no edge lies inside one?",
        "Rank the nodes by importance.",
        "Find the communities.",
        "What is the betweenness of node 2?",
    ],
)
def test_what_has_an_algorithm_is_answered_beside_them(question: str) -> None:
    assert OfflineMaster().solve(PLAIN + question).answered


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Is the graph disconnected?", True),
        ("Is the graph not connected?", True),
        ("Does the graph consist of several parts?", None),
        ("Is there no path from 0 to 4?", False),
        ("Is it impossible to get from 0 to 5?", True),
        ("Are nodes 0 and 4 in different components?", False),
        ("Are 0 and 5 disconnected?", True),
        ("Is 5 unreachable from 0?", True),
        ("Are 0 and 1 not adjacent?", False),
        ("Is the graph not bipartite?", True),
        ("Is the graph free of cycles?", False),
        ("Is there no cycle?", False),
        ("Is the graph not acyclic?", None),
        ("Isn't the graph connected?", None),
        ("Is the graph connected or disconnected?", None),
        ("Does no Hamiltonian path exist?", True),
        ("Is the graph not Eulerian?", True),
        ("Are 3 colours not enough to colour the nodes?", False),
        ("Which nodes are not articulation points?", None),
        ("How many nodes are not isolated?", None),
        ("Is the graph Hamiltonian?", False),
        ("Is this an acyclic graph?", False),
        ("Does it have an Euler tour?", False),
        ("Does the graph contain self-loops?", None),
        ("How many walks are there from 0 to 3?", None),
        ("Is 0 a neighbour of a neighbour of 3?", None),
        ("Which nodes have the same degree as 0?", None),
        ("Is there a path from A to 3?", None),
        ("Is there a cycle through all nodes?", False),
        ("Can one visit every node once and get back to the start?", False),
    ],
)
def test_what_denies_or_resembles_is_answered_as_it_is_said_or_not(question: str, value: object) -> None:
    found = OfflineMaster().solve(PLAIN + question)
    assert found.value is value and found.answered is (value is not None), found.text
    assert not isinstance(value, bool) or found.text.startswith("Yes" if value else "No")


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Is each node reachable from each other node?", False),
        ("Can you get from any node to any other?", False),
        ("Is there a node that reaches all others?", None),
        ("To which node do most edges point?", [0, 1, 2, 3]),
        ("Is 0 an ancestor of 3?", True),
        ("Is 3 an ancestor of 0?", False),
        ("Is 3 a descendant of 0?", None),
    ],
)
def test_the_way_of_edges_is_kept(question: str, value: object) -> None:
    assert OfflineMaster().solve(ONE_WAY + question).value == value


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which nodes are at distance 3 or less from node 0?", [1]),
        ("How many nodes are at most 4 away from node 0?", 2),
        ("Which nodes are within two hops of node 0?", [1, 2, 3]),
        ("Which nodes are exactly 2 edges from node 0?", [3]),
        ("Which nodes are at distance 2 from node 0?", None),
        ("Which nodes are within a distance less than 4 of node 0?", None),
    ],
)
def test_hops_and_weights_are_not_taken_for_each_other(question: str, value: object) -> None:
    assert OfflineMaster().solve(WEIGHED + question).value == value


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the edge connectivity?", "The graph falls apart with the loss of 1 edge, and no fewer."),
        (
            "How many shortest paths lead from 0 to 3?",
            "The number of shortest paths from node 0 to node 3 is 1.",
        ),
        ("How many paths lead from 2 to 3?", "The number of paths from node 2 to node 3 is 1."),
    ],
)
def test_one_is_told_as_one(question: str, told: str) -> None:
    assert OfflineMaster().solve(f"Edges: (0,1), (1,2), (2,0), (2,3). {question}").text == told


def test_every_card_has_its_task() -> None:
    found = {OfflineMaster().solve(text).algorithm for text in EVERY_TASK.values()}
    assert set(library()) <= found


def test_a_direction_that_is_not_told_matters_or_does_not() -> None:
    listed = "source,target\n1,2\n2,3\n3,4\n"
    found = OfflineMaster().solve(f"{listed}How many nodes can be reached from node 3?")
    assert not found.answered and "directed" in found.text
    assert (
        OfflineMaster()
        .solve(f"{listed}The graph is directed. How many nodes can be reached from node 3?")
        .value
        == 1
    )
    assert OfflineMaster().solve(f"{listed}How many nodes are there?").value == 4


@pytest.mark.parametrize("task", EVERY_TASK)
def test_what_is_solved_verifies_and_what_is_altered_does_not(task: str) -> None:
    text = EVERY_TASK[task]
    assert understand(text).task == task
    answer = answer_to(text)
    assert verify_solved(text, answer).verdict == "same", verify_solved(text, answer).differences
    last, other = answer.calls[-1], "Order[]" if task != "node_count" else "Size[]"
    for altered in (
        replace(answer, value="99"),
        replace(answer, text=answer.text + " Surely."),
        replace(answer, evidence=Evidence(("99",))),
        replace(answer, calls=()),
        replace(answer, calls=(*answer.calls[:-1], replace(last, result="99"))),
        replace(answer, calls=(CallRecord(other, 7, 0.0),)),
    ):
        assert verify_solved(text, altered).verdict == "differs", altered


def test_a_path_is_evidence() -> None:
    found = answer_to(SHORT + "Is there a path from node 0 to node 3?")
    assert found.value is True and found.evidence.edges == (("0", "edge", "3"),)
    assert [call.spelling.partition("[")[0] for call in found.calls] == ["Program", "Route", "Shown"]


def test_an_answer_in_a_file_verifies_against_its_problem(graphtalk: CommandLine, tmp_path: Path) -> None:
    answer, problem = tmp_path / "answer.json", tmp_path / "problem.txt"
    problem.write_text(ASK)
    answer.write_text(graphtalk("solve", ASK, "--json").out)
    for given in (ASK, problem):
        assert graphtalk("verify", answer, "--problem", given).code == 0
    other = graphtalk("verify", answer, "--problem", ASK.replace("to node 3", "to node 2"))
    assert other.code == 1 and "The problem is solved by" in other.out
    assert (
        graphtalk("verify", answer).code == graphtalk("verify", answer, "atlas", "--problem", ASK).code == 2
    )


def test_what_was_refused_has_nothing_to_verify(graphtalk: CommandLine, tmp_path: Path) -> None:
    asked, answer = SHORT + "Directed. Is there a path from node 9 to node 0?", tmp_path / "answer.json"
    answer.write_text(graphtalk("solve", asked, "--json").out)
    assert "Nothing to verify" in graphtalk("verify", answer, "--problem", ASK).out


@pytest.mark.parametrize(
    "question",
    [
        "Is there a path from France to Germany?",
        "What is the shortest path from France to Poland?",
        "How many nodes are there?",
        "What is the degree of France?",
        "Which nodes are neighbours of France?",
        "Which node has the highest PageRank?",
        "Is there an edge between France and Spain?",
        "Is node Narnia in the graph?",
        "How many triangles are there?",
    ],
)
def test_answers_about_a_stored_graph_verify(question: str) -> None:
    place = session(opened("atlas"), Settings(reasoner="graph-agents"))
    answer = place.ask(question)
    assert answer.answered and answer.calls, answer.text
    assert place.verify(answer).verdict == "same", place.verify(answer).differences
    wrong = answer.value is False if isinstance(answer.value, bool) else 99
    assert place.verify(replace(answer, value=wrong)).verdict == "differs"


def test_the_order_of_a_path_is_part_of_the_answer() -> None:
    place = session(opened("atlas"), Settings(reasoner="graph-agents"))
    answer = place.ask("What is the shortest path from France to Poland?")
    assert isinstance(answer.value, list)
    assert place.verify(replace(answer, value=answer.value[::-1])).verdict == "differs"


@pytest.mark.parametrize(
    ("text", "edges"),
    [
        ("Find all bridges in the graph with edges (1,2), (2,3), (3,1), (3,4).", "(3,4)"),
        ("Which edges are bridges in the graph with edges (a,b), (b,c), (c,d)?", "(a,b), (b,c), (c,d)"),
    ],
)
def test_bridges_of_a_graph_told_in_the_question_itself_are_bridges(text: str, edges: str) -> None:
    told = OfflineMaster().solve(text).text
    assert told.startswith(f"{edges.count('(')} edge") and edges in told
