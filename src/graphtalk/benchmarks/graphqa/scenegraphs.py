"""SceneGraphs (GQA; Hudson and Manning, 2019): questions about what is where in a picture. Its JSON files.

    *sceneGraphs.json    {image: {"objects": {id: {"name", "x", "y", "w", "h", "attributes", "relations"}}}}
    *questions.json      {question: {"imageId", "question", "answer"}}

At most 100,000 questions are drawn, and split six to two to two. Objects are numbered as they stand in the file. The
files are read as streams: a graph that no drawn question is about is not kept.
"""

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from graphtalk.benchmarks.graphqa.prompts import as_question
from graphtalk.benchmarks.graphqa.questions import SEED, GraphQuestion, Splits, files_in, need, split
from graphtalk.benchmarks.task import Asked, Gold
from graphtalk.core import SourceError, UsageError
from graphtalk.graphs.formats.files import BROKEN, open_bytes
from graphtalk.training.text_graphs import TextGraph

MOST = 100_000  # questions that the paper draws


def read(data: Path) -> Splits:
    """The questions of a folder with both kinds of files. Raises UsageError where one kind is missing or broken."""
    asked: dict[str, dict[str, object]] = {}
    for path in files_in(data, ("*questions.json", "*questions.json.*")):
        for key, row in _entries(path):
            need(row, "imageId", str, f"{path}, question {key}")
            need(row, "question", str, f"{path}, question {key}")
            need(row, "answer", str, f"{path}, question {key}")
            asked[key] = row
    keys = sorted(asked)
    if len(keys) > MOST:
        drawn = np.random.default_rng(SEED).choice(len(keys), MOST, replace=False)
        keys = [keys[place] for place in sorted(drawn.tolist())]
    graphs = _graphs(data, {str(asked[key]["imageId"]) for key in keys})
    questions, complaints = [], []
    for key in keys:
        row = asked[key]
        graph = graphs.get(str(row["imageId"]))
        if graph is None:
            complaints.append(f"question {key}: there is no scene graph of image {row['imageId']!r}.")
            continue
        text = str(row["question"])
        told = Asked(key, text, Gold(str(row["answer"])))
        questions.append(GraphQuestion(told, graph, as_question(text)))
    if not questions:
        raise UsageError(f"{data} holds no question about a scene graph. {' '.join(complaints[:1])}".strip())
    return Splits(*split(questions), tuple(complaints))


def _graphs(data: Path, images: set[str]) -> dict[str, TextGraph]:
    folder = data if data.is_dir() else data.parent
    return {
        image: _graph(row, f"{path}, image {image}")
        for path in files_in(folder, ("*sceneGraphs.json", "*sceneGraphs.json.*"))
        for image, row in _entries(path)
        if image in images
    }


def _entries(path: Path) -> Iterator[tuple[str, dict[str, object]]]:
    """The entries of a JSON object, one after the other."""
    import ijson

    try:
        with open_bytes(path) as file:
            yield from ijson.kvitems(file, "", use_float=True)
    except (ijson.JSONError, UnicodeDecodeError, *BROKEN) as error:
        raise SourceError(f"not a JSON object ({error}).", str(path)) from error


def _graph(row: object, place: str) -> TextGraph:
    objects = need(row, "objects", dict, place)
    assert isinstance(objects, dict)
    places = {key: number for number, key in enumerate(objects)}
    nodes, edges, ends = [], [], []
    for key, thing in objects.items():
        nodes.append(_node(thing, f"{place}, object {key}"))
        relations = need(thing, "relations", list, f"{place}, object {key}")
        assert isinstance(relations, list)
        for relation in relations:
            other = need(relation, "object", str, f"{place}, object {key}, relation")
            if other not in places:
                raise SourceError(
                    f"{place}, object {key}: a relation leads to {other!r}, which is not there."
                )
            edges.append(str(need(relation, "name", str, f"{place}, object {key}, relation")))
            ends.append((places[key], places[str(other)]))
    return TextGraph(tuple(nodes), tuple(edges), np.array(ends, np.int64).reshape(-1, 2).T)


def _node(thing: object, place: str) -> str:
    """An object's text: `name: banana; attribute: small, yellow; (x,y,w,h): (248, 55, 64, 34)`."""
    name = need(thing, "name", str, place)
    attributes = need(thing, "attributes", list, place)
    box = ", ".join(str(need(thing, side, int, place)) for side in ("x", "y", "w", "h"))
    assert isinstance(attributes, list)
    told = f"; attribute: {', '.join(map(str, attributes))}" if attributes else ""
    return f"name: {name}{told}; (x,y,w,h): ({box})"
