"""What a schema calls things, as people may say it: types and relations in any inflection, and what is done by whom."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property

from graphtalk.graphs import Graph, GraphSet
from graphtalk.language.english import stem, thesaurus
from graphtalk.language.identifiers import split_name
from graphtalk.language.nouns import plural, singular
from graphtalk.language.people import is_person

TOKEN = re.compile(r"['’](?:s|d|re|ll|ve|t|m)\b|\w+|[^\w\s]")
_PREPOSITIONS = frozenset("of to by for from in into on at with as about through under over between".split())
_TABLE_FIRST = frozenset(map(stem, "ref tbl tb dim fact lkp lu lookup".split()))
_TABLE_LAST = frozenset(map(stem, "tbl table data list records master lookup dim".split()))
_ROW = re.compile(r".*:1", re.S)
_HAVE = frozenset({"has", "have", "had", "having"})


class Names:
    """The names of a graph's schema, or of the graphs of a set, by the words that say them."""

    def __init__(self, graph: Graph | GraphSet) -> None:
        self._graph = graph
        self._union = graph.union if isinstance(graph, GraphSet) else graph

    @cached_property
    def types(self) -> dict[tuple[str, ...], list[str]]:
        """Node types by the roots of their words, with and without those that only say that they are tables: `ref_colours`, `cars_data`."""
        found = by_roots(t.name for t in self._union.schema.node_types)
        for words, names in [*filter(lambda entry: entry[0], found.items())]:
            start, end = words[0] in _TABLE_FIRST, len(words) - (words[-1] in _TABLE_LAST)
            bare = words[start:end]
            if bare and bare not in found:
                found[bare] = names
        return found

    @cached_property
    def features(self) -> dict[tuple[str, ...], list[str]]:
        """Properties of nodes by the roots of their words."""
        return by_roots(dict.fromkeys(f.name for t in self._union.schema.node_types for f in t.features))

    @cached_property
    def members(self) -> dict[tuple[str, ...], list[str]]:
        """The graphs of a set by the words of their names."""
        found: dict[tuple[str, ...], list[str]] = {}
        for name in self._graph.names if isinstance(self._graph, GraphSet) else ():
            for form in dict.fromkeys((name, name.removesuffix("_graph"))):
                words = tuple([m.group().casefold() for m in TOKEN.finditer(form.replace("_", " "))])
                found.setdefault(words, []).append(name)
        return found

    @cached_property
    def called(self) -> frozenset[str]:
        """Nouns that are no nouns of graphs here, as a type of several, a relation or a property is called so: `category`, `plant_type`."""
        schema = self._union.schema
        types = [t.name for t in schema.node_types] if len(schema.node_types) > 1 else []
        relations = [r.name for r in schema.relations] if len(schema.relations) > 1 else []
        features = [split_name(f.name) for t in schema.node_types for f in t.features]
        named = (*map(split_name, (*types, *relations)), *features, *(words[-1:] for words in features))
        return frozenset(" ".join(map(root, words)) for words in named)

    @cached_property
    def has_types(self) -> bool:
        """Whether nodes are of several kinds."""
        return len(self._union.schema.node_types) > 1

    @cached_property
    def has_neighbours(self) -> bool:
        """Whether a relation means that things are neighbours, as countries are that border each other."""
        names = [name for r in self._union.schema.relations for name in (r.name, r.inverse)]
        lines = [thesaurus().groups([stem(word) for word in split_name(name)]) for name in names]
        near = thesaurus().groups([stem("neighbour")])[0]
        return any(near & groups for line in lines for groups in line)

    @cached_property
    def relations(self) -> Mapping[str, Mapping[tuple[str, ...], list[str]]]:
        """Names of views, but for those back along a nameless way, by kind of word and its roots.

        A noun that is a property's too is neither's for certain.
        """
        kinds: dict[str, dict[tuple[str, ...], list[str]]] = {
            kind: {} for kind in ("verb", "doing", "deed", "noun>", "noun<")
        }
        short = {r.name: between_ends(r.name, r.source, r.target) for r in self._union.schema.relations}
        for name in self._union.schema.relation_names:
            words = tuple(short.get(name) or split_name(name))
            if not words or name.startswith("^"):
                continue
            plain = words[1:] if words[0] in ("is", "are") and len(words) > 1 else words
            own = plain[1:] if plain[0] in _HAVE and len(plain) > 1 else plain
            # a manager is who manages, a mentor who mentors: no verbs, though they have the root of one
            role = len(plain) == 1 and is_role(plain[0])
            if not role:
                _add(kinds["verb"], map(root, plain), name)
            noun, of = (own[:-1], "noun<") if own[-1] == "of" and len(own) > 1 else (own, "noun>")
            if noun[-1] not in _PREPOSITIONS and tuple(map(root, noun)) not in self.features:
                for last in dict.fromkeys((noun[-1], plural(noun[-1]))):
                    _add(kinds[of], (*noun[:-1], last), name)
            if len(plain) == 1 and not any((*agents(plain[0]), *patients(plain[0]))):
                _add(kinds["doing"], (root(plain[0]),), name)
            if of == "noun>" and len(noun) == 1:
                for does in (root(noun[0]), *agents(noun[0])) if role else agents(noun[0]):
                    _add(kinds["deed"], (does,), name)
        return kinds

    def back(self, name: str) -> str | None:
        """The one name of a relation as seen from its other end; None where there is none or are several."""
        names = {r.back for r in self._union.schema.relations if r.name == name}
        names |= {r.name for r in self._union.schema.relations if r.inverse == name and r.name != name}
        return names.pop() if len(names) == 1 else None


def numbered(graph: Graph) -> frozenset[str]:
    """The types whose nodes are numbered rows, without a name or an id of their own."""
    bare = [t for t in graph.schema.node_types if not t.label and t.count]
    return frozenset(t.name for t in bare if _ROW.fullmatch(graph.id(t.first)))


def between_ends(name: str, source: str, target: str) -> list[str]:
    """The words of a relation's name, without those of the types that it joins where it begins and ends with them.

    >>> between_ends("Compound-treats-Disease", "Compound", "Disease")
    ['treats']
    >>> between_ends("treats", "Compound", "Disease")
    ['treats']
    """
    words, first, last = split_name(name), split_name(source), split_name(target)
    inner = words[len(first) : len(words) - len(last)]
    return inner if inner and [*first, *inner, *last] == words else words


def spans(
    words: Sequence[str], named: Mapping[tuple[str, ...], list[str]]
) -> dict[int, list[tuple[int, str]]]:
    """Where names stand in a text, by the place of their first word, each with the place after its last."""
    return {at: found for at in range(len(words)) if (found := begun(words, at, named))}


def begun(words: Sequence[str], at: int, named: Mapping[tuple[str, ...], list[str]]) -> list[tuple[int, str]]:
    """The names that begin at a word, each with the place after its last."""
    sizes = {len(name) for name in named if at + len(name) <= len(words)}
    return [(at + size, name) for size in sizes for name in named.get(tuple(words[at : at + size]), ())]


def by_roots(names: Iterable[str]) -> dict[tuple[str, ...], list[str]]:
    found: dict[tuple[str, ...], list[str]] = {}
    for name in names:
        _add(found, map(root, split_name(name)), name)
    return found


def _add(found: dict[tuple[str, ...], list[str]], words: Iterable[str], name: str) -> None:
    listed = found.setdefault(tuple(words), [])
    if name not in listed:
        listed.append(name)


def root(word: str) -> str:
    """What all inflections of a word share."""
    return "have" if word in _HAVE else stem(word)


def agents(word: str) -> Iterator[str]:
    """The roots of what somebody does: of `suppliers` that of `supplies`; nothing for other words."""
    return _without(word, ("er", "or"))


_ROLES = ("chair", "head", "lead")  # of somebody, though these nouns mean things first


def is_role(word: str) -> bool:
    """Whether a noun in the singular says who does what it has the root of: a manager, a mentor; not `mentors`."""
    return root(word) in agents(word) or word in _ROLES or (is_person(word) and singular(word) == word)


def patients(word: str) -> Iterator[str]:
    """The roots of what is done to somebody: of `employees` that of `employs`."""
    return _without(word, ("ee",))


def deeds(word: str) -> Iterator[str]:
    """The roots of what somebody did: of `citations` that of `cites`.

    >>> root("cites") in deeds("citations"), root("sponsors") in deeds("sponsorship"), root("arrive") in deeds("arrival")
    (True, True, True)
    """
    return _without(word, ("ation", "ition", "ion", "ment", "ship", "al", "ance", "ence", "ure"))


def _without(word: str, endings: Sequence[str]) -> Iterator[str]:
    one = word.removesuffix("s")
    for base in [
        one.removesuffix(ending) for ending in endings if one.endswith(ending) and len(one) > len(ending) + 2
    ]:
        doubled = base[-1] == base[-2]
        yield from dict.fromkeys(
            (base, stem(base), stem(f"{base}e"), *([stem(base[:-1])] if doubled else []))
        )
