"""Graph construction (Hu et al. 2024, section 4): the graph of a text, read by grammar and checked.

What is read first is taken out of the text; what is left are the words that ask.
"""

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from graphtalk.core import UsageError
from graphtalk.language.nouns import ID, NUMBER, any_of, either, named, relations, singular, words
from graphtalk.language.told.blocks import check_left, take_blocks
from graphtalk.language.told.listing import HOLE, Listing, Taken
from graphtalk.language.told.logs import without_logs
from graphtalk.language.told.names import fields, with_names_quoted, with_odd_names_quoted, with_small_nouns
from graphtalk.language.told.sets import without_set_notation
from graphtalk.language.told.values import take_nodes
from graphtalk.language.units import Unit, measured
from graphtalk.reasoners.graph_agents.clauses import (
    Alone,
    ToldEdge,
    Unread,
    may_tell,
    told_alone,
    with_whole_names,
)
from graphtalk.reasoners.graph_agents.counts import Universe, listed_nodes, ranges, universe, without_ranges
from graphtalk.reasoners.graph_agents.dependencies import needs_in_sentences, turned
from graphtalk.reasoners.graph_agents.described import Described
from graphtalk.reasoners.graph_agents.gather import Gathered, GatheredText
from graphtalk.reasoners.graph_agents.lists import (
    is_node_weights,
    named_nodes,
    take_long,
    take_names,
    take_numbers,
)
from graphtalk.reasoners.graph_agents.passages import (
    Sentence,
    clauses,
    last_problem,
    pieces,
    without_explanations,
)
from graphtalk.reasoners.graph_agents.plain import plain_verbs, with_things
from graphtalk.reasoners.graph_agents.telling import Telling, is_goal

_VECTOR = re.compile(
    rf"(?:(?:[a-z]+)\s+)?({ID})\s*(?:[:=]|is\b|has\b)\s*[\[(]\s*({NUMBER}(?:\s*,\s*{NUMBER})*)\s*[\])]"
)
_PATTERN = re.compile(
    r"\b(?:sub-?graphs?|sub-?structure|pattern|smaller|[Ss]econd graph|[Gg]raph (?:2|B|Y|II)\b|G_?2\b|motif|template|query graph|graphlet|G'|G′|H|graph H|[Ss]mall graph|mini)(?!\w)|(?i:\b(?:sub-?graph|pattern|motif|template))\b"
)
_LARGER = re.compile(
    r"\bgraph G\b(?!['′])|\b[Gg]raph (?:1|A|X|I)\b|\bG_?1\b|\b[Ff]irst graph\b|\bG\b(?!['′])|\b(?:main|larger|big|host|original|first|data|bigger|whole) (?:graph|network)\b"
)
_EMBEDDED = re.compile(
    r"\b(?:embeddings?|feature vectors?|vectors?|features|representations?|attributes)\b", re.I
)
_FIRST = re.compile(
    r"\b(?:number|index|label|count)\w* (?:starts? )?(?:from|at|with|starting (?:from|at|with)) (?:1|one)\b(?! to\b)|\b(?:1|one)-(?:based|indexed)\b",
    re.I,
)
_SIGNED = re.compile(
    r"(?<![\w.-])([\w.-]+)\s*(?:[-=~]*>|<[-=~]*|[|~–—]|--+)\s*([\w.-]+)|^[-*•]\s+([\w.-]+)$|([\w.-]+) back to ([\w.-]*\w)"
)
_ARROW = re.compile(r"[-=~]>|<[-=~]")
_ROW = re.compile(r"(?<![\w.-])(?:\w[\w.-]*, ){2,}(?:and )?\w(?:[\w.-]*\w)?(?: and \w(?:[\w.-]*\w)?)?")
_NO_EDGE = re.compile(  # what names two nodes and tells no edge: ends of a question, a range of names, a denial
    r"\b(?:(?:source|sink|start|target|goal|destination|end|no|not|never|neither|nor|nobody)s?|(?:nam|call|number|labell?)ed)\b|\.\.|…|n['’]t\b",
    re.I,
)
_NAMES_NODES = re.compile(rf"\b(?:named|called|namely|labell?ed) {ID}(?:(?:, | and |, and ){ID})+\W*$")
_PAIR = re.compile(
    rf"\W*(?:(?:and|also|then) )?{ID} (?:to|with) {ID}(?:(?:, | and |, and ){ID})*\W*"
)  # "d to c"
_JOINS = re.compile(
    rf"\b(?:is|are|was|were) (?:(?:[a-z-]+ ){{1,3}}(?:to|with|of|from) (?:the |an? )?{ID}|[A-Z]\w*['’]s? )"
)
_TO_ALL = re.compile(
    rf"\b(?:{'|'.join(relations()['both_ways'] + relations()['forward'])})\s*(?:to |with )?(?:every|each (?!other)|all |any|the other|the rest|both )"
)
_LONE = re.compile(
    rf"(?:The|the) ([a-z]+) (?:(?:has|have|is|are) (?:[a-z]+ ){{0,5}}?(?:no|not|without)\b|lacks)[^.]{{0,30}}?\b(?:{either('edges')}|connected|linked|joined)\b"
)
_NO_LONE = frozenset("graph network map tree following rest others".split())
_IN_A_ROW = re.compile(rf"{HOLE}\s*[,;]?\s*\(")
_LISTED = re.compile(rf"{ID}(?:(?:, | and |, and ){ID}){{2,}}")
_ROWS_LISTED = re.compile(
    rf"\b(?:rows|columns)\b[^.:\n]{{0,30}}? ({_LISTED.pattern})"
)  # "rows and columns Al, Bo, Cy"
_WORDS = frozenset({"A", "I", "a"})
_NO_NAMES = frozenset(
    "must should can may will shall before after and or but the of to from is are was were has have not no than if when which what that".split()
)
_POINT = re.compile(
    rf"\b(?:is|are|lies?|stands?|located|placed) (?:at|in)\s+{HOLE}|\bcoordinates?\b[^.\n]{{0,30}}{HOLE}"
)
_MARKS = re.compile(
    r" ?[(\[]\d+ ?(?:points?|marks?|pts|p)\.?[)\]][^\S\n]*", re.I
)  # what an exam gives for an answer
_NUMBERED = re.compile(  # "Exercise 2. ", "Q7.", "(a) " before what is asked
    r"^[^\S\n]*(?:(?:[A-Z]\w+/)?(?:Task|Exercise|Problem|Question|Aufgabe|Ex\.?|Q)\s*\d+(?:\.\d+)?[a-z]?(?:[.)]|:(?=[^\S\n]+[A-Z][a-z]+ )|(?=\n))\s*|\(?(?:[a-h]|i{1,3}|iv|\d)\)[^\S\n]+(?=[A-Z][a-z]+ ))",
    re.M,
)
_ASIDE = re.compile(  # "Ann likes Bob, Bob likes Cy (all mutual)."
    r"\s*\(((?:all |both |every one |these )?(?:of (?:these|them|which) )?(?:are |is )?(?:mutual|symmetric|two-way|one-way|undirected|directed|both ways))\)(?=\s*(?:[.;?!\n]|$))",
    re.I,
)
_ROLES = re.compile(
    r"(?<=[a-z]) \([a-z]{2,} ?(?:-+>|→|=>|—|–|--|:) ?[a-z]{2,}\)(?=\s*(?::|\n))"
)  # "Family tree (parent -> child):"
_OWNS = re.compile(r"\w['’]s$|[=<>|]$|^[=<>|]")
_EDGELESS = re.compile(r"\b(?:no|without|zero) edges\b|\bedges are\s*:?\s*(?:none)?\s*(?:[.;\n]|$)", re.I)
_NO_GRAPH = (
    "No graph was found in the text: no edges such as (0,1), 0: 1, 2 or 'node 0 is connected to node 1'."
)


@dataclass(frozen=True)
class ReadProblem:
    """What a text describes, and the sentences that are left. `pattern` is its second, smaller graph, if any.

    `titles` are what the columns of numbers at nodes are called. `needs`: a list tells what each thing needs before it.
    """

    text: str
    described: Described
    left: tuple[Sentence, ...]
    explained: str
    pattern: Described | None = None
    titles: tuple[str, ...] = ()
    needs: bool = False

    @property
    def asked(self) -> str:
        """The sentences that ask."""
        return " ".join(sentence.text for sentence in self.left if sentence.asks)

    @property
    def rest(self) -> str:
        """All sentences that are left."""
        return " ".join(sentence.text for sentence in self.left)


def read(text: str) -> ReadProblem:
    """The graph of a text; where none is found, or not all of it is read, it is read once more in plainer words (`plain.py`).

    Raises UsageError, quoting the place, where there is none, an edge leads to a node that is not there, counts
    contradict each other.
    """
    text = _ASIDE.sub(r", \1", _NUMBERED.sub("", _MARKS.sub("", _ROLES.sub("", text))))
    text = without_logs(text)
    problem, long = take_long(needs_in_sentences(last_problem(text)))
    whole, nodes = _nodes_listed(without_set_notation(problem))
    problem, given = take_blocks(whole)
    led = turned(given, whole, problem)
    needs = any(chunk is not other for chunk, other in zip(led, given, strict=True))
    given = [*_renamed(led, nodes, problem), *nodes]
    problem = with_names_quoted(
        problem, {name for chunk in given for name in (*chunk.names, *chunk.source, *chunk.target)}
    )
    try:
        return replace(_read(problem, given, long), needs=needs)
    except (NoGraph, Unread) as unread:
        plain = plain_verbs(with_things(problem), past=isinstance(unread, NoGraph))
        if plain == problem:
            raise
        try:
            return replace(_as_written(_read(plain, given, long), problem), needs=needs)
        except (NoGraph, Unread):
            raise unread from None


def _nodes_listed(text: str) -> Taken:
    """The text without its lists of nodes, and these; as it is where one was the first bracket of several, which are edges."""
    bare, found = take_nodes(text)
    return (text, []) if _IN_A_ROW.search(bare) else (bare, found)


def _as_written(reading: ReadProblem, text: str) -> ReadProblem:
    """A reading in plainer words with the names of things as the text writes them: `hall`, not `Hall`."""
    d = reading.described
    reading = replace(reading, text=text)
    small = {name: name.lower() for name in d.names if name not in text and name.lower() in text}
    if not small or d.kinds:
        return reading
    things = re.compile(rf"\b{any_of(small)}\b")
    left = tuple(replace(s, text=things.sub(lambda m: small[m[0]], s.text)) for s in reading.left)
    return replace(reading, described=replace(d, names=tuple(small.get(n, n) for n in d.names)), left=left)


def _renamed(given: Sequence[Listing], nodes: Sequence[Listing], text: str) -> list[Listing]:
    """Matrices without names get those of a list of as many nodes or rows, or numbers from where the text says."""
    found = []
    first = _FIRST.search(text)
    listed = [list(other.names) for other in nodes]
    listed += [re.split(r",? and |, ", m[1]) for m in _ROWS_LISTED.finditer(text)]
    if any(chunk.unnamed for chunk in given):
        listed += [list(names) for names, _ in filter(None, [listed_nodes(text)])]
    for chunk in given:
        names = next((each for each in listed if len(each) == len(chunk.names)), None)
        if names is None and first is not None:
            names = [str(place + 1) for place in range(len(chunk.names))]
        if chunk.unnamed and names:
            ends = [[names[int(end)] for end in column] for column in (chunk.source, chunk.target)]
            chunk = replace(chunk, source=ends[0], target=ends[1], names=names, unnamed=False)
        found.append(chunk)
    return found


def asked_of(text: str, described: Described) -> ReadProblem:
    """A question about a graph that is already there."""
    left = tuple(clause for sentence in pieces(text) for clause in clauses(sentence))
    return ReadProblem(text, described, left, "")


class NoGraph(UsageError):
    """A text holds no graph."""


def _read(problem: str, given: Sequence[Listing], long: Sequence[Listing]) -> ReadProblem:
    telling = Telling()
    bare, vectors = _vectors(telling.skim(problem))
    bare, chunks = take_numbers(bare, bool(vectors), long)
    bare, explained = without_explanations(bare)
    rows = ranges(bare)
    bare, others = take_names(without_ranges(bare, rows))
    bare, chunks = _asked_pair(with_odd_names_quoted(with_small_nouns(bare)), [*given, *chunks, *others])
    check_left(bare)
    if point := _POINT.search(bare):
        raise UsageError(f"A place in the plane is no edge: {' '.join(point[0].split())!r}.")
    values: dict[str, dict[str, float]] = {}
    for chunk in chunks:
        for title, column in chunk.values.items():
            values.setdefault(title, {}).update(column)
    chunks = [chunk for chunk in chunks if len(chunk.source) or chunk.names]
    weights = [chunk for chunk in chunks if is_node_weights(chunk)]
    chunks = [chunk for chunk in chunks if not is_node_weights(chunk)]
    chunks, second = _two_graphs(chunks)
    kept, told, at_nodes = telling.read(bare, any(len(chunk.source) for chunk in chunks))
    told = with_whole_names(told)
    at_nodes.update(_said_values(values, " ".join(s.text for s in kept if s.asks)))
    known = universe(rows, " . ".join(sentence.text for sentence in kept), second is not None)
    if not chunks and not told and not (known.names and _EDGELESS.search(bare)):
        raise NoGraph(_NO_GRAPH)
    gathered = Gathered(tuple(chunks), tuple(told), tuple(weights), at_nodes, tuple(vectors))
    if told:
        names = {name for edge in told for name in (edge.source, edge.target)}
        left = next(
            (
                s.text
                for s in kept
                if not s.asks
                and not is_goal(s.text)
                and not _NAMES_NODES.search(s.text)
                and may_tell(s.text, names)
            ),
            None,
        )
        if left is not None:
            raise Unread(left, "may tell of an edge and cannot be read")
    words_told = f"{explained} {bare}"
    described = GatheredText(gathered, known, words_told).described()
    _check_names(described.names)
    _check_kept(kept, described)
    _check_altered(kept, described)
    if told:
        _check_frames(kept)
        _check_units(told)
    described = _with_alone(kept, _with_others(kept, described))
    pattern = None
    if second is not None:
        smaller = Universe(known.second_names) if known.second_names else Universe()
        pattern = GatheredText(Gathered((second,)), smaller, words_told).described()
        pattern = replace(pattern, directed=described.directed)
    titles = tuple(title for title in values if title not in words("weights") | {"value", "values"})
    return ReadProblem(problem, described, tuple(kept), explained, pattern, titles)


def _said_values(values: Mapping[str, Mapping[str, float]], asked: str) -> Mapping[str, float]:
    """The column of numbers at nodes, of several the one that the question names; none where it names none or several."""
    said = [title for title in values if re.search(rf"\b{re.escape(singular(title))}(?:e?s)?\b", asked, re.I)]
    chosen = said if len(values) > 1 else list(values)
    return values[chosen[0]] if len(chosen) == 1 else {}


def _check_kept(kept: Sequence[Sentence], described: Described) -> None:
    """Raise UsageError where a sentence that was not read has a sign between two nodes, or names two of them."""
    for sentence in kept:
        told = not sentence.asks and not is_goal(sentence.text) and not _NO_EDGE.search(sentence.text)
        if told and (_PAIR.fullmatch(sentence.text) or _may_join(sentence.text, described)):
            raise Unread(sentence.text, "may tell of an edge and cannot be read")
        for m in () if sentence.asks or is_goal(sentence.text) else _SIGNED.finditer(sentence.text):
            known = [end in described.position for end in m.groups() if end is not None]
            if all(known) or (any(known) and _ARROW.search(m[0])):
                raise UsageError(f"{m[0].strip()!r} may be an edge and cannot be read.")


_ALTERS = re.compile(  # "b no longer links to c", "Everybody also knows Ed", "The last edge is wrong"
    r"\b(?:no longer|any ?more|impassable|unusable|dug up|washed away|renamed|wrong|mistaken?|mistakes|erroneous|incorrect|twice|double|halved|avoid|private|flooded"
    r"|except|also|whose names?|forg[eo]t\w*|somebody|someone|off by|reversed?|(?:other|opposite|reverse) direction|not (?:always|all) mutual|cannot use|can['’]t use|may not use"
    r"|(?:not|n['’]t) (?:allowed|permitted|usable|passable|working)|forbidden|prohibited|detour|moved away|but I want"
    rf"|ignore (?:the |this |that )?(?:[a-z]+ )?(?:{either('edges')}|rows?|lines?|entr(?:y|ies)))\b",
    re.I,
)
_OF_ALL = re.compile(
    rf"\b(?:everybody|everyone|every|each|all|mutual|rows?|lines?|distances?|{either('edges')}|{either('nodes')})\b|{HOLE}",
    re.I,
)
_TWO_NAMES = re.compile(r"([\w.]+)[-–—]([\w.]+)")


def _check_altered(kept: Sequence[Sentence], described: Described) -> None:
    """Raise UsageError where a sentence that was not read says of nodes or edges that they are not as they were told."""
    for sentence in kept:
        asked = sentence.asks and (sentence is kept[-1] or sentence.text.rstrip().endswith("?"))
        if asked or is_goal(sentence.text) or not (alters := _ALTERS.search(sentence.text)):
            continue
        words_of = re.findall(r"[^\W_](?:[\w.]*\w)?", sentence.text)
        pairs = any(
            m[1] in described.position and m[2] in described.position
            for m in _TWO_NAMES.finditer(sentence.text)
        )
        named_there = any(
            word in described.position and not word.isdecimal() for word in words_of[1:] or words_of
        )
        if (
            pairs or named_there or words_of[0] in described.position or _OF_ALL.search(sentence.text)
        ) and told_alone(sentence.text) is None:
            raise Unread(sentence.text, f"says that what was told is not so ({alters[0]!r})")


def _check_names(names: Sequence[str]) -> None:
    """Raise UsageError where a word that can name nothing, or half of a bracket, was taken for a node."""
    bracketed = [name for name in names if "(" in name or ")" in name]
    odd = next((name for name in bracketed if name.count("(") != name.count(")")), None)
    odd = next((name for name in names if name in _NO_NAMES or _OWNS.search(name)), odd)
    known = set(names)
    odd = next((name for name in names if _is_two(name, known)), odd)
    if odd is not None:
        raise UsageError(
            f"{odd!r} was read as a node of the graph, which it can hardly be: write the edges in another way."
        )


def _is_two(name: str, known: Collection[str]) -> bool:
    """Whether a name is two others with a sign between them, or has a mark of a sentence at its end: an edge that was not read."""
    parts = _BETWEEN_NAMES.split(name)
    return name[-1:] in ":;,?" or (len(parts) == 2 and all(part in known for part in parts))


_BETWEEN_NAMES = re.compile(r"\s*[/&|,;–—-]\s*|\s+")


def _check_frames(kept: Sequence[Sentence]) -> None:
    """Raise UsageError where sentences that were not read are alike but for two names or more: such tell of edges."""
    first: dict[str, str] = {}
    for sentence in kept:
        if sentence.asks or is_goal(sentence.text):
            continue
        shape, _ = fields(sentence.text)
        if shape.count("Zq") > 1 and first.setdefault(shape, sentence.text) != sentence.text:
            raise Unread(sentence.text, "may tell of an edge and cannot be read")


def _check_units(told: Sequence[ToldEdge]) -> None:
    """Raise UsageError where edges are told in different units, such as km and miles: numbers are taken as they stand."""
    known: set[Unit] = set()
    for edge in told[:_MOST_MEASURED]:
        number = "" if edge.weight is None else f"{edge.weight:g}"
        found = {
            unit
            for said in measured(edge.quote)
            for unit in said.units
            if re.match(rf"{re.escape(number)}(?![\d.]*\d)", edge.quote[said.start :])
        }
        if number and found and known and not found & known:
            raise Unread(edge.quote, "has another unit than edges before it")
        known = (found & known or known) if known else found


_MOST_MEASURED = 2_000  # edges


def _with_alone(kept: Sequence[Sentence], described: Described) -> Described:
    """The graph with the nodes that sentences say have no edges. Raises UsageError where they have some."""
    for sentence in kept:
        alone = None if sentence.asks else told_alone(sentence.text)
        if (
            alone is None
            and not sentence.asks
            and (thing := _LONE.match(sentence.text))
            and thing[1] not in words("nodes") | words("edges") | _NO_LONE
        ):
            raise Unread(sentence.text, "tells of what has no edges and cannot be read")
        if alone is None:
            continue
        _check_alone(sentence.text, alone, described)
        others = [name for name in alone.names if name not in described.position]
        if others and (
            described.node_weight is not None or described.embeddings is not None or described.kinds
        ):
            raise Unread(sentence.text, "names nodes of which nothing else is told")
        described = replace(described, names=(*described.names, *others))
    return described


def _check_alone(sentence: str, alone: Alone, described: Described) -> None:
    leads = alone.way if described.directed else "any"
    ends = {"out": [described.source], "in": [described.target]}.get(
        leads, [described.source, described.target]
    )
    for name in alone.names:
        place = described.position.get(name)
        if place is not None and any((column == place).any() for column in ends):
            raise UsageError(
                f"The text contradicts itself: it says {' '.join(sentence.split())!r}, and tells of edges of {name}."
            )


def _may_join(sentence: str, described: Described) -> bool:
    """Whether a sentence names two nodes, or a node and somebody or all others in words that join them.

    Names are no words, or stand behind a noun of nodes; a list of three or more is one.
    """
    found = [named(m[0]) for m in re.finditer(ID, _LISTED.sub(HOLE, sentence))]
    nodes = {
        name
        for noun, name in ((noun, re.sub(r"['’]s?$", "", name)) for noun, name in found)
        if name in described.position and (noun or not (name.isdecimal() or name in _WORDS))
    }
    return len(nodes) > 1 or bool((nodes and _JOINS.search(sentence)) or _TO_ALL.search(sentence))


def _with_others(kept: Sequence[Sentence], described: Described) -> Described:
    """The graph with the nodes that no edge touches, where a sentence lists all others and these."""
    bare = described.node_weight is None and described.embeddings is None and not described.listed
    for sentence in kept if bare else ():
        for m in _ROW.finditer(sentence.text) if not sentence.asks else ():
            names = [name for name in re.split(r",? and |, ", m[0]) if name not in words("edges")]
            if set(described.names) < set(names):
                others = [name for name in dict.fromkeys(names) if name not in described.position]
                return replace(described, names=(*described.names, *others), listed=True)
    return described


def _vectors(text: str) -> tuple[str, list[tuple[str, list[float]]]]:
    """Embeddings of nodes, `node 0: [1, 0]`."""
    if not _EMBEDDED.search(text[:200_000]):
        return text, []
    found = named_nodes(_VECTOR.finditer(text))
    if len({m[2].count(",") for m in found}) != 1:
        return text, []
    vectors = [(m[1].strip("\"'"), [float(entry) for entry in m[2].split(",")]) for m in found]
    for m in reversed(found):
        text = f"{text[: m.start()]} {text[m.end() :]}"
    return text, vectors


def _two_graphs(chunks: Sequence[Listing]) -> tuple[list[Listing], Listing | None]:
    """The chunks of the graph, and that of the smaller graph where the words before one call it so."""
    smaller = [chunk for chunk in chunks if _calls_smaller(chunk.heading)]
    if len(chunks) < 2 or not smaller or len(smaller) == len(chunks):
        return list(chunks), None
    return [chunk for chunk in chunks if chunk is not smaller[-1]], smaller[-1]


def _calls_smaller(heading: str) -> bool:
    """Whether the last graph that the words before a list name is the smaller one."""
    near = heading[heading.rfind(HOLE) + 1 :]
    smaller = max((m.start() for m in _PATTERN.finditer(near)), default=-1)
    return smaller > max((m.start() for m in _LARGER.finditer(near)), default=-1)


def _asked_pair(text: str, chunks: list[Listing]) -> tuple[str, list[Listing]]:
    """A single pair in a question is what is asked about, and no edge of the graph: it goes back into the text."""
    if len(chunks) < 2:
        return text, chunks
    holes = [m.start() for m in re.finditer(HOLE, text)]
    for chunk in chunks:
        if not chunk.single or chunk.weight is not None:
            continue
        near = re.split(r"[.?!\n]", chunk.heading)[-1].split(HOLE)[-1]
        if re.search(
            r"\b(?:is|are|does|do|whether|if|check|between|exist\w*|contains?|pair|from)\b[^:]*$|\b(?:d|dist|distance|path|flow|reachable)\s*$",
            near,
            re.I,
        ):
            place = next((at for at in holes if text[:at].rstrip().endswith(near.strip()[-20:])), None)
            if place is not None:
                pair = f"{chunk.source[0]} and {chunk.target[0]}"
                return text[:place] + pair + text[place + 1 :], [
                    other for other in chunks if other is not chunk
                ]
    return text, chunks
