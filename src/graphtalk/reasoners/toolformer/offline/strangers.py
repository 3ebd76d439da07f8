"""Graphs that are not known by name: "the DBLP bibliographic network", "at IMDB", "the random graph" (paper, table 7).

A text that asks of one gets its call as any other; whoever runs it is told that the graph is not here.
"""

import re

from graphtalk.reasoners.toolformer.offline.catalogue import PROPERTY, DataSet
from graphtalk.reasoners.toolformer.offline.counting import ENDS_NOUN

_NAME = r"(?P<name>[^\W\d_][\w.-]*\w)"
_NAMES = r"(?P<name>[A-Z][\w.-]*\w(?:\s[A-Z][\w.-]*\w)*)"  # "Semantic Scholar"
_NET = r"(?:networks?|graphs?|data ?sets?|systems?|platforms?|sites?|collection|database)"
_KIND = (
    r"(?:online |academic )?(?:bibliographic|citation|collaboration|co-?authorship|social|knowledge|recommender|"
    r"recommendation|molecular|protein|chemical|communication|video sharing|sharing|communication social)"
)
_PLACES = (
    re.compile(rf"\b(?:[Ii]n|[Aa]t|[Oo]n|[Ww]ithin|of)\s{_NAMES}(?=[,?!;]|\.?\s|\.?$)(?!\s#)"),  # "at IMDB"
    re.compile(
        rf"\b[Tt]he\s{_NAMES}(?:['’]s)?\s(?i:(?:{_KIND}\s)+{_NET})"
    ),  # "the Northern Ireland social network"
    re.compile(rf"(?:{_KIND}\s)+{_NET}\s{_NAME}", re.I),  # "the academic collaboration network dblp"
    re.compile(
        rf"(?:the\s|\b)(?:online\s)?{_NAME}(?:['’]s)?\s(?:{_KIND}\s)+{_NET}", re.I
    ),  # "the DBLP bibliographic network"
    re.compile(rf"\bthe\s{_NAME}\s(?:{_NET})\b", re.I),  # "the enzymes dataset"
)
_ENDINGS = "csv|tsv|json|jsonl|parquet|graphml|gexf|gml|dot|net|edges|edgelist|ttl|nt|rdf|xlsx|sqlite|db|gt"
FILE = re.compile(rf"(?<![\w./])(?:\.{{1,2}}/[\w./-]*\w|(?:https?://|/)?\w[\w./:-]*\.(?:{_ENDINGS}))(?!\w)")
_FAMILIES = (
    ("knowledge", re.compile(r"\b(?:knowledge graph|entity|entities|triple)\b", re.I)),
    (
        "recommender",
        re.compile(
            r"\b(?:movies?|items?|products?|artists?|films?|books?|novels?|songs?|tracks?|albums?|shows?|games?|restaurants?|hotels?|recommend\w*|buy|purchase|watch)\b",
            re.I,
        ),
    ),
    ("molecular", re.compile(r"\b(?:molecul\w*|proteins?|compounds?|chemical|instance)\b", re.I)),
    ("bibliographic", re.compile(r"\b(?:papers?|articles?|bibliographic|citations?)\b", re.I)),
    ("social", re.compile(r"\b(?:users?|members?|scholars?|communit\w+|social)\b", re.I)),
)
_TO_A_GRAPH = re.compile(rf"#\s?\w|\b{_NET}\b", re.I)
_NETWORK = re.compile(  # "the DBLP network", "the Enron email network"
    rf"\b[Tt]he\s{_NAMES}\s(?P<more>(?:[a-z-]+\s){{0,2}})(?:network|data ?set)\b"
)
_MEMBER = re.compile(r"\bthe\s((?:[^\W\d_]+[\s-]){0,2}[^\W\d_]+)[\s-](graph|tree)\b", re.I)
_ITEMS = ("movie", "artist", "book", "song", "album", "show", "game", "restaurant", "hotel")
_NO_NAME = (
    frozenset(
        """a an the this that these those my our your his her its their some any each every same whole entire given above
    following such other another of in on at by from to for with largest biggest smallest local global social knowledge
    bibliographic citation molecular protein chemical recommender directed undirected weighted empty connected bipartite
    complement line user users paper papers entity which what who and or total average original new attention""".split()
    )
    | ENDS_NOUN
)


def stranger(text: str) -> tuple[DataSet, str] | None:
    """The data set that a text names and nobody knows, with the graph of a set if it names one; None where none is named.

    Its family is told by what the text says of it. A file, or the address of one, is a graph of no family.
    """
    if place := FILE.search(text):
        return DataSet(place[0], (place[0],), PROPERTY), ""
    family = next((name for name, words in _FAMILIES if words.search(text)), "")
    if not family:
        found = next((m for m in _MEMBER.finditer(text) if not _NO_NAME & {*m[1].lower().split()}), None)
        if found is not None:
            return DataSet(
                "gpr", ("gpr",), PROPERTY
            ), f"{'_'.join(found[1].lower().split())}_{found[2].lower()}"
        for match in _NETWORK.finditer(text):
            if _NO_NAME.isdisjoint(f"{match['name']} {match['more']}".lower().split()):
                name = f"{match['name']} {match['more']}".strip()
                return DataSet(_spelled(name), (name,), PROPERTY), ""
        return None
    if not _TO_A_GRAPH.search(text):
        return None  # no id, and no word for a graph: hardly a question to one
    for pattern in _PLACES:
        for match in pattern.finditer(text):
            name = _spelled(match["name"])
            if name not in _NO_NAME:
                item = next((each for each in _ITEMS if re.search(rf"\b{each}s?\b", text, re.I)), "item")
                return DataSet(name, (match["name"],), family, item, "mf:rating"), ""
    return None


def _spelled(name: str) -> str:
    """A name as calls have it: "semantic_scholar"."""
    return "_".join(name.lower().split())
