"""What a graph loading call may say: names, node sets and link sets that can be made from the words of a text."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from graphtalk.language.nouns import forms, singular

GRAPH_NOUNS = frozenset(
    """network networks graph graphs dataset system systems platform database web tree map structure molecule ontology
    base catalog connectome circuit chain cycle pathway lattice internet blockchain algorithm compound protein""".split()
)
_STOP = frozenset(
    """the a an of in is are was were has have had can be been contains contain includes include shows show represents
    represent and or that which with for to from by on at as its their his her this these those it they consists consist
    between among connects connect involves involve provides provide allows allow describes describe displays helps help
    uses use used using where when each many several various different other also such into through over about more than
    most some any not no one two three four five within across during based known widely often reveals reveal depicts
    models model captures features enables offers may will would could including like between both""".split()
)
_REACH = 12  # so many words that say something, from the start, are tried as parts of a name
_LONGEST = 5  # words of a name
_MEMBERS = 4  # members of a subset, but for lists, which may have two more
_APART = 3  # two words no further apart are tried as a pair
_INSIDE = frozenset(
    ("of", "and", "the", "a", "for", "in", "&")
)  # within a name: "Game of Thrones", "oil and gas industry"
_PREPOSITIONS = frozenset("of for in on among between by from at about to with named called".split())
_ARTICLES = ("the", "a", "an")
_JOINS = (",", "and", "or", "&")
_WORD = re.compile(r"\w[\w'’.&-]*\w|\w|[^\w\s]")


@dataclass(frozen=True)
class Candidate:
    """Something a call may say. `text`: as it is written; `how`: by what pattern; `words`: from what words of the text.

    A name is a `base`, the pattern of its words, and an `ending` such as "-graph" behind it.
    """

    text: str
    how: str
    words: tuple[str, ...] = ()
    base: str = ""
    ending: str = ""


@dataclass(frozen=True)
class Sentence:
    """A text's words, in lower case and as written, and where each begins."""

    words: tuple[str, ...]
    starts: tuple[int, ...]

    @property
    def lower(self) -> tuple[str, ...]:
        """The words in lower case."""
        return tuple(word.lower() for word in self.words)


def sentence_of(text: str) -> Sentence:
    """The words and marks of a text."""
    found = list(_WORD.finditer(text))
    return Sentence(tuple(m[0] for m in found), tuple(m.start() for m in found))


def slug(words: Sequence[str]) -> str:
    """Words as a name: in lower case, joined by hyphens.

    >>> slug(["Weibo's", "network"])
    'weibo-network'
    """
    return "-".join(re.sub(r"['’]s$", "", word) for word in words).lower()


def names(sentence: Sentence) -> Iterator[Candidate]:
    """Names for the graph: its noun phrase, what it is "of", the first noun phrase; with "graph" or "network" behind."""
    lower = sentence.lower
    heads = [at for at, word in enumerate(lower) if word in GRAPH_NOUNS]
    if heads:
        end = heads[0]
        while end + 1 < len(lower) and lower[end + 1] in GRAPH_NOUNS:
            end += 1
        start = end
        while start > 0 and is_content(lower[start - 1]):
            start -= 1
        left = sentence.words[start : end + 1]
        yield from _named("left", left)
        if len(left) > 1:
            yield from _named("modifiers", left[:-1])
        chain = _chain(sentence, end + 1)
        if not chain and (name := _proper(sentence, end + 1)):
            chain = [name]  # "the social network Weibo"
        if chain:
            yield from _named("of", chain[0])
            yield from _named("of left", (*_bare(chain[0]), *left))
            yield from _named("of left singular", (*_ones(chain[0]), *left))
        if len(chain) > 1:
            yield from _named("of of", (*_bare(chain[1]), *_bare(chain[0])))
            yield from _named("of of whole", (*_bare(chain[1]), *chain[0]))
            yield from _named("of of left", (*_bare(chain[1]), *_ones(chain[0]), *left))
    subject = _phrase(sentence, subject_start(sentence))
    if subject:
        yield from _named("subject", subject)
    yield from _spans(sentence)
    yield from _turned(sentence)


def subject_start(sentence: Sentence) -> int:
    """The place of the first word behind the article that a sentence begins with; there most prompts have their call."""
    return next((at for at, word in enumerate(sentence.lower) if word not in ("the", "a", "an", "in")), 0)


def _spans(sentence: Sentence) -> Iterator[Candidate]:
    """Names made of words that follow each other, but for those that say nothing: "food web of Lake Erie"."""
    said = [at for at, word in enumerate(sentence.lower) if is_content(word)][:_REACH]
    for first in range(len(said)):
        for last in range(first, min(first + _LONGEST, len(said))):
            words = tuple(sentence.words[at] for at in said[first : last + 1])
            whole = last - first == said[last] - said[first]
            yield from _named("span" if whole else "span over", words)
            between = sentence.words[said[first] : said[last] + 1]
            if not whole and len(between) <= _LONGEST and _INSIDE.issuperset({*between} - {*words}):
                yield from _named("span through", between)


def _turned(sentence: Sentence) -> Iterator[Candidate]:
    """What stands behind a preposition before the thing that it is said of: "the protein structure of hemoglobin consists …"."""
    lower = sentence.lower
    for at, word in enumerate(lower[: 2 * _REACH]):
        if word not in _PREPOSITIONS:
            continue
        behind = _phrase(sentence, at + 1)[:_LONGEST]
        start = at
        while start > 0 and is_content(lower[start - 1]):
            start -= 1
        near = sentence.words[start:at]
        subject = _phrase(sentence, subject_start(sentence))
        for how, before in (("turned", near), ("turned subject", () if subject == near else subject)):
            for first in range(len(before)):
                for last in range(first + 1, min(first + 3, len(before)) + 1):
                    for end in range(1, len(behind) + 1):
                        whole = first == 0 and last == len(before)
                        told = f"{how} {'whole' if whole else 'part'} {'proper' if behind[end - 1][0].isupper() else 'common'}"
                        yield from _named(told, (*behind[:end], *before[first:last]))


def nodes(sentence: Sentence, common: Sequence[str]) -> Iterator[Candidate]:
    """Node sets: common ones, and those made of a thing or of two things of the text."""
    yield from (Candidate(f'"{each}"', "common") for each in common)
    for words in _things(sentence):
        one, many = _one(words), _many(words)
        yield Candidate(f'"all {one} nodes"', "one nodes", words)
        yield Candidate(f'"all {many}"', "many", words)
        yield Candidate(f'"all related {one} nodes"', "related one nodes", words)
        yield Candidate(f'"all related {many}"', "related many", words)
    for first, second, joined in _pairs(sentence):
        one, two = singular(first), singular(second)
        pair = (first, second)
        yield Candidate(f'"all {one} and {two} nodes"', f"two nodes{joined}", pair)
        yield Candidate(f'"all {plural(first)} and {plural(second)}"', f"two many{joined}", pair)
        if joined:
            yield Candidate(f'"all {one} nodes and {two} nodes"', "nodes and nodes", pair)
            yield Candidate(f"{{{first.capitalize()}, {second.capitalize()}}}", "set", pair)
            yield Candidate(f'{{"{first}", "{second}"}}', "set of texts", pair)
    for how, spans in _subsets(sentence):
        words = tuple(word for span in spans for word in span)
        for form, told in _forms(spans):
            yield Candidate("{" + ", ".join(f'"{each}"' for each in told) + "}", f"{how} {form} texts", words)
            yield Candidate("{" + ", ".join(told) + "}", f"{how} {form}", words)
        if how.startswith("listed"):
            yield Candidate(
                f'"all {_series([_one(each) for each in spans])} nodes"', f"{how} one nodes", words
            )
            yield Candidate(f'"all {_series([_many(each) for each in spans])}"', f"{how} many", words)
            yield Candidate(
                f'"all related {_series([_many(each) for each in spans])}"', f"{how} related", words
            )


def links(sentence: Sentence, common: Sequence[str]) -> Iterator[Candidate]:
    """Link sets: common ones, and those made of a thing or of two things of the text."""
    yield from (Candidate(f'"{each}"', "common") for each in common)
    for words in _things(sentence):
        one, many = _one(words), _many(words)
        for noun in ("links", "edges", "connections"):
            yield Candidate(f'"all {one} {noun}"', f"one {noun}", words)
        yield Candidate(f'"all related {one} links"', "related one links", words)
        yield Candidate(f'"all {many}"', "many", words)
    for first, second, joined in _pairs(sentence):
        one, two = singular(first), singular(second)
        pair = (first, second)
        yield Candidate(f'"all {one}-{two} links"', f"pair links{joined}", pair)
        yield Candidate(f'"all {two}-{one} links"', f"turned pair links{joined}", pair)
        yield Candidate(f'"all {one} and {two} links"', f"two links{joined}", pair)
        if joined:
            yield Candidate(f'"all {one} and {two} edges"', "two edges", pair)
            yield Candidate(f'"all {plural(first)} and {plural(second)}"', "two many", pair)
    for how, spans in _subsets(sentence):
        words = tuple(word for span in spans for word in span)
        if how.startswith("listed"):
            series = _series([_one(each) for each in spans])
            yield Candidate(f'"all {series} links"', f"{how} one links", words)
            yield Candidate(f'"all related {series} links"', f"{how} related links", words)
        if len(spans) == 2:
            one, two = (" ".join(each) for each in spans)
            yield Candidate(f'{{("{one}", "{two}")}}', f"{how} edge of texts", words)
            yield Candidate(f"{{({one}, {two})}}", f"{how} edge", words)


def _subsets(sentence: Sentence) -> Iterator[tuple[str, tuple[tuple[str, ...], ...]]]:
    """Spans of the text that may be a subset together, and how they were found: names in it, things it lists side by side."""
    spans = _names_in(sentence)
    for count in range(1, min(len(spans), _MEMBERS) + 1):
        yield f"named first {count}", tuple(spans[:count])
        if count < len(spans):
            yield f"named last {count}", tuple(spans[-count:])
    for listed in _lists(sentence):
        yield f"listed {len(listed)}", listed


def _names_in(sentence: Sentence) -> list[tuple[str, ...]]:
    """The names in a text as spans of it: what stands in quotes, and capitalised words that follow each other. Each once."""
    found: dict[tuple[str, ...], None] = {}
    at, words = 0, sentence.words
    while at < len(words):
        end = at + 1
        if words[at] == '"' and '"' in words[end:]:
            end = words.index('"', end)
            found[words[at + 1 : end]] = None
            end += 1
        elif span := _proper(sentence, at):
            found[span] = None
            end = at + len(span)
        at = end
    return list(found)


def _lists(sentence: Sentence) -> Iterator[tuple[tuple[str, ...], ...]]:
    """Phrases that commas or "and" join: "organs such as lungs, bronchi, and trachea". The first may begin later than its phrase."""
    lower, at = sentence.lower, 0
    while at < len(lower):
        items: list[tuple[str, ...]] = []
        end = at
        while phrase := _phrase(sentence, end):
            items.append(tuple(word.lower() for word in phrase))
            after = end + (lower[end] in _ARTICLES) + len(phrase)
            end = next((n for n in range(after, len(lower)) if lower[n] not in _JOINS), len(lower))
            if end == after:
                break
        if 1 < len(items) <= _MEMBERS + 2:
            first, others = items[0], items[1:]
            yield from ((first[-kept:], *others) for kept in sorted({1, min(2, len(first)), len(first)}))
        at = max(end, at + 1)


def _forms(spans: Sequence[tuple[str, ...]]) -> Iterator[tuple[str, list[str]]]:
    """Spans as they are given, with a capital first, and in the singular; what is equal comes once."""
    told = [" ".join(span) for span in spans]
    seen: list[list[str]] = []
    for form, each in (
        ("told", told),
        ("capital", [text[:1].upper() + text[1:] for text in told]),
        ("one", [_one(span) for span in spans]),
    ):
        if each not in seen:
            seen.append(each)
            yield form, each


def _series(told: Sequence[str]) -> str:
    """Words side by side: "a and b", "a, b, and c"."""
    return f"{', '.join(told[:-1])}{',' * (len(told) > 2)} and {told[-1]}" if len(told) > 1 else told[0]


def _things(sentence: Sentence) -> Iterator[tuple[str, ...]]:
    """Each word that says something, and each two of them that stand side by side, in lower case, each once."""
    lower = sentence.lower
    single = ((word,) for word in lower if is_content(word))
    double = (two for two in pairwise(lower) if all(map(is_content, two)))
    yield from dict.fromkeys((*single, *double))


def _one(words: tuple[str, ...]) -> str:
    return " ".join((*words[:-1], singular(words[-1])))


def _many(words: tuple[str, ...]) -> str:
    return " ".join((*words[:-1], plural(words[-1])))


def _pairs(sentence: Sentence) -> Iterator[tuple[str, str, str]]:
    """Two words near each other, and " joined" where "and" stands between them. Each pair once."""
    lower = sentence.lower
    said = [at for at, word in enumerate(lower) if is_content(word)]
    found: dict[tuple[str, str], str] = {}
    for nth, first in enumerate(said):
        for second in said[nth + 1 : nth + 1 + _APART]:
            joined = " joined" if lower[first + 1 : second] == ("and",) else ""
            pair = (lower[first], lower[second])
            if pair[0] != pair[1]:
                found[pair] = joined or found.get(pair, "")
    yield from ((one, two, joined) for (one, two), joined in found.items())


def plural(word: str) -> str:
    """A noun's plural; a plural as it is."""
    return word if singular(word) != word or word == forms(word)[1] else forms(word)[1]


def is_content(word: str) -> bool:
    """Whether a word, in lower case, says what something is."""
    return word not in _STOP and word[0].isalnum() and not word.isdigit()


def _phrase(sentence: Sentence, start: int) -> tuple[str, ...]:
    lower = sentence.lower
    if start < len(lower) and lower[start] in _ARTICLES:
        start += 1
    end = start
    while end < len(lower) and is_content(lower[end]):
        end += 1
    return sentence.words[start:end]


def _chain(sentence: Sentence, start: int) -> list[tuple[str, ...]]:
    """The noun phrases of "of A of B", in order."""
    found: list[tuple[str, ...]] = []
    at = start
    while at < len(sentence.words) and sentence.lower[at] in (
        "of",
        "for",
        "in",
        "representing",
        "between",
        "among",
    ):
        at += 1 + (sentence.lower[at + 1 : at + 2] in (("the",), ("a",), ("an",)))
        phrase = _phrase(sentence, at)
        if not phrase:
            break
        found.append(phrase)
        at += len(phrase)
    return found


def _proper(sentence: Sentence, start: int) -> tuple[str, ...]:
    """The capitalised words that begin here."""
    end = start
    while end < len(sentence.words) and sentence.words[end][0].isupper() and is_content(sentence.lower[end]):
        end += 1
    return sentence.words[start:end]


def _bare(words: Sequence[str]) -> tuple[str, ...]:
    """A phrase without the word that says what kind of thing it names: "NIPS dataset" → "NIPS"."""
    return tuple(words[:-1]) if len(words) > 1 and words[-1].lower() in _KINDS else tuple(words)


def _ones(words: Sequence[str]) -> tuple[str, ...]:
    """A phrase in the singular."""
    return (*words[:-1], singular(words[-1].lower())) if words else ()


_SHORT = (
    ("united-states-of-america", "us"), ("united-states", "us"), ("new-york-city", "nyc"), ("united-kingdom", "uk"),
)  # fmt: skip
_KINDS = frozenset(
    "dataset platform website database system region city country language company game network".split()
)


def _named(how: str, words: Sequence[str]) -> Iterator[Candidate]:
    if len({word.lower() for word in words}) < len(words):
        return  # "benzene ring … of benzene ring": nothing is called twice by one word
    name = slug(words)
    for long, short in _SHORT:
        name = name.replace(long, short)
    for ending in ("", "-graph", "-network", "-network-graph"):
        yield Candidate(f'"{name}{ending}"', how + ending, tuple(words), how, ending)
