"""The HTTP API over a real socket, with a client that we did not write."""

import json
from collections.abc import Iterator

import httpx2
import openai
import pytest

import graphtalk as gt
from graphtalk.app.examples import examples
from graphtalk.app.server.config import ServerSettings
from graphtalk.app.session import Session
from graphtalk.app.settings import Settings
from graphtalk.app.shelf import Shelf
from planner_graphs import make
from site_server import serving

QUESTION = "What is the capital of Japan?"


@pytest.fixture(scope="module")
def client(tmp_path_factory: pytest.TempPathFactory) -> Iterator[httpx2.Client]:
    shelf = Shelf.of([gt.open("atlas"), gt.open("gpr")], Settings())
    keep = tmp_path_factory.mktemp("site") / "kept.sqlite"
    with serving(shelf, ServerSettings(keep=keep)) as url, httpx2.Client(base_url=url, timeout=300) as client:
        yield client


def ask(client: httpx2.Client, question: str, **more: object) -> dict[str, object]:
    reply = client.post("/v1/ask", json={"graph": "atlas", "question": question, **more})
    assert reply.status_code == 200, reply.text
    return reply.json()


def test_an_answer_is_the_object_of_ask_json_and_can_be_verified(client: httpx2.Client) -> None:
    answer = ask(client, QUESTION)
    assert (answer["answered"], answer["value"]) == (True, ["Tokyo"])
    assert ["Japan", "capital", "Tokyo"] in answer["evidence"]["edges"]
    here = gt.ask("atlas", QUESTION)
    assert answer["answer"] == here.text and [c["spelling"] for c in answer["calls"]] == [
        c.spelling for c in here.calls
    ]
    verified = client.post("/v1/verify", json={"graph": "atlas", "answer": answer}).json()
    assert (verified["same"], verified["verdict"], verified["differences"]) == (True, "same", [])
    forged = {**answer, "value": ["Osaka"]}
    refused = client.post("/v1/verify", json={"graph": "atlas", "answer": forged}).json()
    assert refused["same"] is False and "Osaka" in refused["differences"][0]


def test_steps_come_as_they_happen_and_then_the_answer(client: httpx2.Client) -> None:
    asked = {"graph": "atlas", "question": QUESTION, "trace": True}
    kinds, answer, steps = [], {}, []
    with client.stream("POST", "/v1/ask", json=asked, headers={"Accept": "text/event-stream"}) as reply:
        for line in reply.iter_lines():
            if line.startswith("event: "):
                kinds.append(line[7:])
            elif line.startswith("data: ") and kinds[-1] == "step":
                steps.append(json.loads(line[6:]))
            elif line.startswith("data: "):
                answer = json.loads(line[6:])
    assert kinds == ["step"] * len(steps) + ["answer"]
    assert steps == [step for step in answer["trace"] if step["kind"] != "answer"]
    assert answer["value"] == ["Tokyo"]


def test_a_follow_up_goes_on_from_its_conversation_alone(client: httpx2.Client) -> None:
    first = ask(client, QUESTION, conversation="")
    second = ask(client, "And its population?", conversation=first["conversation"])
    assert second["value"] == 14_000_000 and "Tokyo" in str(second["question"])
    kept = client.get(f"/v1/conversations/{first['conversation']}").json()
    assert [turn["asked"] for turn in kept["turns"]] == [QUESTION, "And its population?"]
    assert kept["turns"][1]["answer"]["value"] == 14_000_000
    assert ask(client, "And its population?")["answered"] is False
    assert client.delete(f"/v1/conversations/{first['conversation']}").status_code == 204
    assert client.get(f"/v1/conversations/{first['conversation']}").status_code == 404
    gone = {"graph": "atlas", "question": "And?", "conversation": first["conversation"]}
    assert client.post("/v1/ask", json=gone).status_code == 404


@pytest.mark.parametrize("declined", ["What is the capital of Atlantis?", "Who is the president of Narnia?"])
def test_a_follow_up_to_what_was_declined_speaks_of_nothing_said_before_it(
    client: httpx2.Client, declined: str
) -> None:
    chat = openai.OpenAI(api_key="none", base_url=f"{client.base_url}/v1".replace("//v1", "/v1"))
    talk = ask(client, QUESTION, conversation="")["conversation"]
    assert not ask(client, declined, conversation=talk)["answered"]
    last = ask(client, "And its population?", conversation=talk)
    assert not last["answered"] and last["question"] == "And its population?"
    said: list[dict[str, str]] = []
    for question in (QUESTION, declined, "And its population?"):
        said.append({"role": "user", "content": question})
        reply = chat.chat.completions.create(model="atlas", messages=said)
        said.append({"role": "assistant", "content": reply.choices[0].message.content or ""})
    assert not reply.to_dict()["graphtalk"]["answered"]


def test_a_follow_up_about_several_is_one_answer_with_parts(client: httpx2.Client) -> None:
    first = ask(client, "Which countries border both France and Germany?", conversation="")
    second = ask(client, "What are their capitals?", conversation=first["conversation"])
    assert len(second["parts"]) == len(first["value"]) == 3
    assert second["value"] == [part["value"] for part in second["parts"]]
    for part in second["parts"]:
        assert client.post("/v1/verify", json={"graph": "atlas", "answer": part}).json()["same"]


def test_graphs_tell_what_they_have(client: httpx2.Client) -> None:
    listed = client.get("/v1/graphs").json()
    assert [graph["name"] for graph in listed["graphs"]] == ["atlas", "gpr"]
    assert listed["lms"] == ["offline"] and "graph-cot" in listed["reasoners"]["offline"]
    page = client.get("/v1/graphs/atlas").json()
    assert page["nodes"] == listed["graphs"][0]["nodes"] and "country" in page["description"]
    for question in page["questions"]:
        assert ask(client, question)["answered"], question
    assert "store" not in page, "a path of this machine"


def test_nodes_are_found_and_walked_a_page_at_a_time(client: httpx2.Client) -> None:
    hits = client.get("/v1/graphs/atlas/search", params={"q": "Frnce", "limit": 3}).json()["hits"]
    assert hits[0]["id"] == "France" and len(hits) == 3
    node = client.get("/v1/graphs/atlas/nodes/France").json()
    assert node["features"]["population"] == 68_400_000 and node["type"] == "country"
    total = node["relations"]["borders"]
    pages = [
        client.get(
            "/v1/graphs/atlas/nodes/France/neighbours",
            params={"relation": "borders", "limit": 4, "offset": at},
        ).json()
        for at in range(0, total + 4, 4)
    ]
    ids = [n["id"] for page in pages for n in page["neighbours"]]
    assert len(ids) == len(set(ids)) == total == pages[0]["total"] and "Spain" in ids
    everything = client.get("/v1/graphs/atlas/nodes/France/neighbours", params={"limit": 500}).json()
    assert everything["total"] == len(everything["neighbours"]) == sum(node["relations"].values())
    names = client.post("/v1/graphs/atlas/names", json={"ids": ["Paris", "nowhere"]}).json()["nodes"]
    assert [name["label"] for name in names] == ["Paris"]


def test_a_call_runs_in_any_spelling(client: httpx2.Client) -> None:
    asked = {"graph": "gpr", "call": '[GR(GL("gpr", {"lollipop_graph"}), "toolx:diameter")-->r]'}
    assert isinstance(client.post("/v1/call", json=asked).json()["result"], int)
    everything = {"graph": "atlas", "call": 'NeighbourCheck["France", "borders"]'}
    made = client.post("/v1/call", json=everything).json()
    assert "Spain" in made["result"] and ["France", "borders", "Spain"] in made["evidence"]["edges"]


@pytest.mark.parametrize(
    ("path", "asked", "status", "says"),
    [
        ("/v1/ask", {"graph": "atlsa", "question": "?"}, 404, "Did you mean atlas?"),
        ("/v1/ask", {"graph": "../../etc", "question": "?"}, 404, "No graph"),
        ("/v1/ask", {"graph": "atlas", "question": "?", "reasoner": "magic"}, 404, "No reasoner 'magic'"),
        ("/v1/ask", {"graph": "atlas", "question": "?", "lm": "hf:/etc/passwd"}, 404, "No language model"),
        ("/v1/ask", {"graph": "atlas", "question": "?", "lm": "openai:gpt-4o"}, 404, "Valid: offline"),
        ("/v1/ask", {"graph": "atlas", "question": "?", "base_url": "http://x"}, 422, "base_url"),
        ("/v1/ask", {"graph": "atlas"}, 422, "question"),
        ("/v1/ask", {"graph": "atlas", "question": "x" * 10_001}, 422, "10000"),
        (
            "/v1/call",
            {"graph": "atlas", "call": "NeighbourCheck[France, bordrs]"},
            422,
            "Did you mean borders?",
        ),
        ("/v1/call", {"graph": "atlas", "call": 'GL("/etc/passwd")'}, 422, "may be loaded from"),
        ("/v1/call", {"graph": "atlas", "call": "["}, 422, ""),
        ("/v1/call", {"graph": "atlas", "call": "Count[" * 3_000}, 422, ""),
        ("/v1/verify", {"graph": "atlas", "answer": {}}, 422, "evidence"),
        (
            "/v1/verify",
            {"graph": "atlas", "answer": {"evidence": [], "answered": True}},
            422,
            "not an answer",
        ),
        ("/v1/chat/completions", {"model": "atlas", "messages": []}, 400, "messages"),
        (
            "/v1/chat/completions",
            {"model": "x", "messages": [{"role": "user", "content": "?"}]},
            404,
            "atlas",
        ),
    ],
)
def test_what_is_wrong_is_said_as_a_problem(
    client: httpx2.Client, path: str, asked: dict[str, object], status: int, says: str
) -> None:
    reply = client.post(path, json=asked)
    problem = reply.json()
    assert (reply.status_code, reply.headers["content-type"]) == (status, "application/problem+json")
    assert problem["status"] == status and says in problem["detail"]
    assert "Traceback" not in reply.text and "/work" not in reply.text and "site-packages" not in reply.text


def test_broken_json_and_unknown_places_are_problems_too(client: httpx2.Client) -> None:
    broken = client.post("/v1/ask", content=b"{bad", headers={"Content-Type": "application/json"})
    for reply, status in (
        (broken, 422),
        (client.get("/v1/graphs/atlas/nodes/nobody"), 404),
        (client.get("/v1/x"), 404),
    ):
        assert (reply.status_code, reply.json()["status"]) == (status, status)
    untyped = client.post("/v1/ask", content=json.dumps({"graph": "atlas", "question": QUESTION}))
    assert untyped.status_code == 422 and "Content-Type: application/json" in untyped.json()["detail"]


def test_the_openai_client_library_talks_with_a_graph(client: httpx2.Client) -> None:
    chat = openai.OpenAI(api_key="none", base_url=f"{client.base_url}/v1".replace("//v1", "/v1"))
    assert [model.id for model in chat.models.list()] == ["atlas", "gpr"]
    said = [{"role": "user", "content": QUESTION}]
    reply = chat.chat.completions.create(model="atlas", messages=said)
    message = reply.choices[0].message
    assert message.content.startswith("Tokyo")
    cited = {note.url_citation.title: note.url_citation for note in message.annotations}
    tokyo = cited["Tokyo"]
    assert message.content[tokyo.start_index : tokyo.end_index] == "Tokyo"
    assert httpx2.get(tokyo.url, timeout=300).json()["label"] == "Tokyo"
    said += [
        {"role": "assistant", "content": message.content},
        {"role": "user", "content": "And its population?"},
    ]
    pieces = list(chat.chat.completions.create(model="atlas", messages=said, stream=True))
    text = "".join(piece.choices[0].delta.content or "" for piece in pieces if piece.choices)
    assert text.startswith("14,000,000") and pieces[-1].choices[0].finish_reason == "stop"
    thoughts = "".join(getattr(p.choices[0].delta, "reasoning_content", None) or "" for p in pieces)
    assert "population" in thoughts
    with pytest.raises(openai.NotFoundError, match="No graph 'nope'"):
        chat.chat.completions.create(model="nope", messages=said)


def test_counters_and_the_description_of_the_api(client: httpx2.Client) -> None:
    ask(client, QUESTION)
    counted = client.get("/metrics").text
    assert 'graphtalk_answers_total{answered="true",graph="atlas",reasoner="offline"}' in counted
    described = client.get("/openapi.json").json()
    assert {"/v1/ask", "/v1/call", "/v1/verify", "/v1/graphs/{name}/search"} <= set(described["paths"])


def test_conversations_outlive_the_server(tmp_path_factory: pytest.TempPathFactory) -> None:
    keep = tmp_path_factory.mktemp("kept") / "kept.sqlite"
    shelf = Shelf.of([gt.open("atlas")], Settings())
    with serving(shelf, ServerSettings(keep=keep)) as url, httpx2.Client(base_url=url, timeout=300) as one:
        id = ask(one, QUESTION, conversation="")["conversation"]
    with serving(shelf, ServerSettings(keep=keep)) as url, httpx2.Client(base_url=url, timeout=300) as other:
        assert ask(other, "And its population?", conversation=id)["value"] == 14_000_000


def test_a_query_gives_columns_rows_and_evidence(client: httpx2.Client) -> None:
    cypher = "MATCH (c:country {name: $name})-[:capital]->(t) RETURN t.name AS capital"
    asked = {"graph": "atlas", "cypher": cypher, "parameters": {"name": "Japan"}}
    found = client.post("/v1/query", json=asked).json()
    assert (found["columns"], found["rows"], found["count"]) == (["capital"], [["Tokyo"]], 1)
    assert found["evidence"]["edges"] == [["Japan", "capital", "Tokyo"]]
    writes = client.post("/v1/query", json={"graph": "atlas", "cypher": "MATCH (n) DELETE n"})
    assert writes.status_code == 422 and "DELETE" in writes.json()["detail"]


def test_questions_to_begin_with_are_of_different_kinds_and_answered_as_meant(client: httpx2.Client) -> None:
    found = client.get("/v1/graphs/atlas/examples").json()["examples"]
    assert len(found) == 6 and len({example["kind"] for example in found}) == 6
    for example in found:
        answer = ask(client, example["question"])
        assert answer["answered"], example
        meant = client.post("/v1/call", json={"graph": "atlas", "call": example["call"]}).json()["result"]
        assert len(meant) == len(answer["value"]) if isinstance(meant, list) else meant == answer["value"]


def test_questions_to_begin_with_are_good_english() -> None:
    books = {
        "id": [f"b{n}" for n in range(4)],
        "title": [f"Book {'ABCD'[n]}" for n in range(4)],
        "pages": [120, 340, 90, 210],
        "Price (EUR)": [9.5, 12.0, 7.25, 30.0],
    }
    authors = {"id": ["a1", "a2"], "title": ["Ann Lee", "Bo Dahl"]}
    wrote = [("b0", "a1"), ("b1", "a1"), ("b2", "a2"), ("b3", "a2")]
    library = make({"book": books, "author": authors}, [("author", "book", "author", wrote)], label="title")
    asked = {example.kind: example.question for example in examples(Session(library, Settings()))}
    assert asked["superlative"] in ("Which book has the most pages?", "Which book has the largest price?")
    assert asked["comparison"].startswith("Which has more pages, Book ")
    assert asked["group"] == "How many books does each author have?"


def test_no_question_to_begin_with_measures_when_something_was_done_or_what_each_has_one_of() -> None:
    bands = {
        "id": ["b0", "b1", "b2"],
        "name": ["Foxes", "Harbours", "Letters"],
        "founded": [1990, 2004, 2011],
    }
    genres = {"id": ["g0", "g1"], "name": ["Jazz", "Folk"]}
    plays = [("b0", "g0"), ("b1", "g0"), ("b2", "g1")]
    music = make({"band": bands, "genre": genres}, [("genre", "band", "genre", plays)])
    asked = {example.kind: example.question for example in examples(Session(music, Settings()))}
    assert asked["superlative"] == "Which genre has the most bands?"
    assert asked["comparison"] == "Which has more bands, Jazz or Folk?"
    assert not [question for question in asked.values() if "founded" in question]


def test_nodes_of_one_type_have_neighbours_and_no_nodes() -> None:
    knows = gt.from_triples(
        [("Ann", "knows", "Bo"), ("Bo", "knows", "Cy"), ("Cy", "likes", "Di"), ("Di", "knows", "Ed")]
    )
    asked = {example.kind: example.question for example in examples(Session(knows, Settings()))}
    assert asked["superlative"] == "Which node has the most neighbours?"
    assert asked["neighbours"] == "What are the neighbours of Bo?"
    assert asked["common"] == "Which neighbours do Bo and Di have in common?" and len(asked) == 6


def test_nodes_that_are_numbers_are_asked_about_after_their_type() -> None:
    edges = [(n, "joins", m) for n in range(20, 30) for m in (n + 1, n + 2)]
    session = Session(gt.from_triples([(str(n), r, str(m)) for n, r, m in edges]), Settings())
    asked = {example.kind: example.question for example in examples(session)}
    assert set(asked) == {"count", "superlative", "path", "group", "common", "neighbours"}
    assert asked["neighbours"].startswith("What are the neighbours of node 2")
    for question in asked.values():
        assert session.ask(question).answered


def test_a_sample_has_edges_of_every_relation_and_keeps_to_what_is_asked_for(client: httpx2.Client) -> None:
    found = client.get("/v1/graphs/atlas/sample", params={"limit": 60}).json()
    assert len(found["id"]) == len(set(found["id"])) == 60
    assert len({found["relations"][r] for r in found["relation"]}) > 10
    assert found["degree"] == sorted(found["degree"], reverse=True)
    asked = {"limit": 50, "types": ["country"], "relations": ["borders"]}
    countries = client.get("/v1/graphs/atlas/sample", params=asked).json()
    assert {countries["types"][t] for t in countries["type"]} == {"country"} and countries["total"] == 197
    atlas = gt.open("atlas")
    for source, target in zip(countries["source"], countries["target"], strict=True):
        one, other = (atlas.node(countries["id"][end]) for end in (source, target))
        assert other in atlas.neighbours(one, "borders")


def test_names_are_found_by_their_beginnings_and_told_with_a_feature(client: httpx2.Client) -> None:
    found = client.get("/v1/graphs/atlas/search", params={"q": "switz", "begins": True}).json()["hits"]
    assert [hit["label"] for hit in found] == ["Switzerland"]
    inner = client.get("/v1/graphs/atlas/search", params={"q": "Leone", "begins": True}).json()["hits"]
    assert "Sierra Leone" in [hit["label"] for hit in inner]
    ids = ["Japan", "nowhere"]
    named = client.post("/v1/graphs/atlas/names", json={"ids": ids, "feature": "population"}).json()["nodes"]
    assert [(node["label"], node["value"]) for node in named] == [("Japan", 123753000)]
    assert named[0]["degree"] > 5
    asked = {"ids": ["France", "Germany", "Peru"], "edges": True}
    among = client.post("/v1/graphs/atlas/names", json=asked).json()["edges"]
    assert len(among) == 1 and set(among[0]) == {"France", "Germany", "borders"}


def test_a_conversation_gets_another_title_from_its_owner(client: httpx2.Client) -> None:
    talk = ask(client, QUESTION, conversation="")["conversation"]
    assert client.patch(f"/v1/conversations/{talk}", json={"title": "Capitals"}).status_code == 204
    assert client.get(f"/v1/conversations/{talk}").json()["title"] == "Capitals"
    assert client.patch("/v1/conversations/none", json={"title": "x"}).status_code == 404
    assert client.patch(f"/v1/conversations/{talk}", json={"title": ""}).status_code == 422


def test_rounds_are_told_and_drawn(client: httpx2.Client) -> None:
    problem = "Ann knows Bob. Bob knows Cid. Cid knows Dan. What is the shortest path from Ann to Dan?"
    answer = ask(client, problem, reasoner="graph-agents")
    assert answer["value"] == ["Ann", "Bob", "Cid", "Dan"] and answer["usage"]["rounds"] > 1
    told = client.post("/v1/rounds", json={"graph": "atlas", "question": problem}).json()
    assert told["lines"][0].startswith("Round 1: ") and any(
        "Node Ann → Node Bob" in line for line in told["lines"]
    )
    assert told["picture"].startswith("<svg") and "Dan: " in told["picture"]
    large = client.post(
        "/v1/rounds", json={"graph": "atlas", "question": "What is the shortest path from Peru to France?"}
    ).json()
    assert large["lines"] and large["picture"] == ""  # 1,322 nodes
