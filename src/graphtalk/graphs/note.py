"""The schema of a graph, written into what is exported of it, so that nothing is lost on the way back.

Most formats have no dates, lists or vectors, no relations that are seen from both ends, no types without nodes. So a
writer puts the schema at the head of its file, where other programs pass it over: a processing instruction in XML, a
comment in statements, a member of an object in JSON, a file beside tables. Whatever reads the rest of the file,
`restoring.py` makes the graph what it was, as far as the file still holds it.
"""

import json
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from graphtalk.core import SourceError
from graphtalk.core.reading import read_json
from graphtalk.graphs.checked import check_schema
from graphtalk.graphs.columns import ARROW
from graphtalk.graphs.schema import Feature, NodeType, Relation, Schema, schema_from_json, schema_to_json

MARK = "graphtalk-schema"
IRI = "urn:graphtalk:"  # what the names of nodes, types, relations and features begin with in RDF
NOTE_FILE = "schema.json"  # beside tables, which have no place for a note
RESERVED = (
    "id",
    "type",
    "relation",
    "reversed",
    "source",
    "target",
    "key",
)  # columns that have a meaning in files
_HEAD = 4 << 20  # bytes of a file in which the note begins and ends


def note_of(schema: Schema) -> str:
    """The schema as one line of ASCII without question marks, which ends no comment and no instruction."""
    return json.dumps(schema_to_json(schema)).replace("?", "\\u003f")


def column_names(features: Sequence[Feature]) -> dict[str, str]:
    """What the columns of features are called in files: by their names, with `_` after those that mean something else."""
    found: dict[str, str] = {}
    taken = {f.name for f in features}
    for f in features:
        name = f.name
        while name in RESERVED or (name != f.name and name in taken):
            name += "_"
        taken.add(name)
        found[f.name] = name
    return found


def note_in(text: str) -> Schema | None:
    """The schema that a note says; None where it says none, or was altered so that it cannot be one."""
    try:
        data = read_json(text)
        check_schema(data)
        schema = schema_from_json(data)
        parts: list[NodeType | Relation] = [*schema.node_types, *schema.relations]
        features = [f for part in parts for f in part.features]
        known = all(f.kind in (*ARROW, "list") and f.item in ARROW for f in features)
        return schema if known else None
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def noted(files: Sequence[Path]) -> Schema | None:
    """The schema that stands at the head of one of these files."""
    for path in files:
        if path.is_file() and (found := _noted(path)) is not None:
            return found
    return None


def _noted(path: Path) -> Schema | None:
    from graphtalk.graphs.formats.files import BROKEN, open_bytes  # which only imports need

    with suppress(SourceError, *BROKEN), open_bytes(path) as file:
        head = file.read(2048)
        start = head.find(MARK.encode())
        if start < 0:
            return None
        rest = head[start + len(MARK) :]
        if b"\n" not in rest:
            rest += file.read(_HEAD)
        text = rest.split(b"\n", 1)[0].decode("ascii", "replace")
        return note_in(text[text.find("{") : text.rfind("}") + 1])
    return None
