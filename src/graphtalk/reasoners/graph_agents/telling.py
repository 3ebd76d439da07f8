"""What sentences tell: edges and weights of nodes; what is left are those that ask.

Texts of many edges tell them in sentences of one shape, which differ in their numbers. A shape is read once.
"""

import re
from collections import Counter
from dataclasses import dataclass, field

from graphtalk.language.nouns import ID, NUMBER, either
from graphtalk.language.told.listing import HOLE
from graphtalk.language.told.names import bare_name, fields, filled
from graphtalk.reasoners.graph_agents.clauses import ToldEdge, in_sentences, told_edges
from graphtalk.reasoners.graph_agents.passages import Sentence, clauses, pieces

_STAND_IN = 9_000_001  # numbers from here on stand for the numbers and names of a shape while it is read
_LONG = 400  # letters of a sentence from which on it may tell many edges, apart by commas
_MANY = 30  # sentences of one shape that are read all alike
_DIGITS = re.compile(r"\d+")
_COMMA = re.compile(r"[,;]\s+(?:and\s+)?|\s+and\s+(?=between\b|from\b|an?\b)")
_BRACKET = re.compile(r"[(\[{:]|->")
_COUNTS = re.compile(r"\b(?:numbered|labell?ed|named|total of|has|with|have|there (?:are|is))\b", re.I)
_EDGE = re.compile(rf"\b(?:{either('edges')}|connected|linked|joined)\b", re.I)
_WAY = re.compile(r"\b(?:path|route|shortest|flow|order|cycle|way)s?\b", re.I)
_CONDITION = re.compile(
    r",? (?:if|when|given(?: that)?|provided(?: that)?|knowing that|where|supposing(?: that)?)\b:? ", re.I
)
_FROM = re.compile(r"\bfrom\b")
_GOAL = re.compile(
    r"\b(?:wants?|wish(?:es)?|needs?|plans?|hopes?|likes?|tr(?:y|ies)|intends?|aims?|has|have) to (?:[a-z]+ ){1,4}from\b"
    r"|\b(?:at|in|from|on) (?:the )?(?:[a-z]+ )?[\w-]+ (?:wants?|wish(?:es)?|needs?|hopes?|would like|has|have) to (?:get|go|travel|fly|drive|walk|be) (?:in)?(?:to|at|in)\b"
    r"|\b(?:am|are|is|start|starts|begin|begins|live|lives|stay|stays|stand|stands) (?:now |currently )?(?:in|at|from|on)\b.*\b(?:wants?|wish(?:es)?|needs?|hopes?|would like|have|has) to (?:get|go|travel|fly|drive|walk|be) (?:in)?(?:to|at|in)\b"
)
_ALONG = re.compile(
    rf"\b(?:through|along|over|via|by) (?:the |these |several |many )?{either('edges')} from\b"
)
_MEASURED = re.compile(
    rf"(?<![\w.]){NUMBER}(?: ?|-){either('units')}\b"
)  # "it is 5 km by road from A to B" tells an edge
_WEIGHS = re.compile(r"\b(?:weigh\w*|value|score|points)\b")
_AT_NODE = re.compile(
    rf"^(?:and |the )?(?:weight of |value of )?(?:the )?(?:[a-z]+ )?({ID})(?:'s)? (?:has (?:an? )?(?:node )?(?:weight|value|score)"
    rf"(?: of)?|weighs|weight is|has|is weighted|is|=) ?({NUMBER})(?: points?)?$",
    re.I,
)


@dataclass(frozen=True)
class _Form:
    """An edge of a shape: which of the sentence's numbers are its ends and its weight; -1 where it is no number."""

    told: ToldEdge
    source: int
    target: int
    weight: int


@dataclass
class Telling:
    """Reads sentences. `listed`: the graph stands in lists, so that few sentences tell of edges."""

    listed: bool = False
    kept: list[Sentence] = field(default_factory=list)
    told: list[ToldEdge] = field(default_factory=list)
    at_nodes: dict[str, float] = field(default_factory=dict)
    _shapes: dict[str, list[_Form]] = field(default_factory=dict)

    def skim(self, text: str) -> str:
        """Read the sentences of shapes that stand there many times, and give the text without them.

        What remains is short, and looked at more closely.
        """
        whole = [part for piece in pieces(text) for part in _apart(piece)]
        if len(whole) < _MANY:
            return text
        plain = [
            _DIGITS.sub("0", piece) for piece in whole
        ]  # few are different: the shape of each is told once
        shapes = {text: fields(text) for text in dict.fromkeys(plain)}
        counted: Counter[str] = Counter()
        for text, often in Counter(plain).items():
            counted[shapes[text][0]] += often
        many = {shape for shape, count in counted.items() if count >= _MANY and not _BRACKET.search(shape)}
        left = []
        for piece, text in zip(whole, plain, strict=True):
            shape, blank = shapes[text]
            if shape in many and shape not in self._shapes:
                parts = list(clauses(piece))
                if len(parts) == 1 and not parts[0].asks and not _node_weights(piece):
                    self._learn(shape)
                if shape not in self._shapes:
                    many.remove(shape)
            if shape in many:
                numbers = _DIGITS.findall(piece)
                values = numbers if len(numbers) == len(blank) == blank.count("0") else fields(piece)[1]
                self.told += _filled(self._shapes[shape], values, piece)
            else:
                left.append(piece)
        return "\n".join(left)

    def read(self, text: str, listed: bool) -> tuple[list[Sentence], list[ToldEdge], dict[str, float]]:
        """The sentences that are left, the edges that others told, and the weights of nodes that they told."""
        self.listed = listed
        for sentence in pieces(text):
            shape, values = fields(sentence)
            forms = self._shapes.get(shape)
            if forms is None:
                self._new(sentence, shape)
            else:
                self.told += _filled(forms, values, sentence)
        self._put_goals_back()
        return self.kept, self.told, self.at_nodes

    def _put_goals_back(self) -> None:
        """A way without a weight among edges with weights, and with no word for an edge, is where somebody goes."""
        bare = [t for t in self.told if t.weight is None and not t.noun and _FROM.search(t.quote)]
        if len(bare) == 1 and sum(t.weight is not None for t in self.told) >= 2:
            self.told = [t for t in self.told if t is not bare[0]]
            self.kept.insert(0, Sentence(bare[0].quote, False))

    def _new(self, sentence: str, shape: str) -> None:
        parts = list(clauses(in_sentences(sentence)))
        for part in parts:
            weighs = {} if part.asks else _node_weights(part.text)
            if weighs:
                self.at_nodes.update(weighs)
                continue
            part = self._without_conditions(part)
            edges = [] if part.asks or not self._worth(part.text) else told_edges(part.text)
            self.told += edges
            if not edges:
                self.kept.append(part)
            elif len(parts) == 1:
                self._learn(shape)

    def _without_conditions(self, part: Sentence) -> Sentence:
        """A question without the edges that it tells as conditions: "How far is it, if A is 3 km from B, …"."""
        found = _CONDITION.search(part.text) if part.asks and not self.listed else None
        edges = told_edges(part.text[found.end() :]) if found else []
        if found is None or len(edges) < 2:
            return part
        self.told += edges
        return Sentence(part.text[: found.start()], True)

    def _learn(self, shape: str) -> None:
        """Read a shape with numbers and names that are all different, to see which is what."""
        forms = _forms(shape)
        if forms:
            self._shapes[shape] = forms

    def _worth(self, sentence: str) -> bool:
        """Whether a sentence may tell of an edge; beside lists only one that names two things does."""
        if "whether" in sentence or is_goal(sentence) or (HOLE in sentence and self.listed):
            return False
        return not self.listed or bool(
            _EDGE.search(sentence)
            and not _WAY.search(sentence)
            and len(re.findall(r"\d+|(?<!^)\b[A-Z]", sentence)) >= 2
            and not _COUNTS.search(sentence)
        )


def is_goal(sentence: str) -> bool:
    """Whether a sentence tells where somebody wants to go, and not of an edge."""
    return bool(_GOAL.search(sentence) or (_ALONG.search(sentence) and not _MEASURED.search(sentence)))


def _forms(shape: str) -> list[_Form]:
    """The edges of a shape; none where some end or weight is no field of it."""
    forms = []
    for told in told_edges(filled(shape, _STAND_IN)):
        source, target = _place(told.source), _place(told.target)
        weight = -1 if told.weight is None else _place(f"{told.weight:.0f}")
        if min(source, target) < 0 or (told.weight is not None and weight < 0):
            return []
        forms.append(_Form(told, source, target, weight))
    return forms


def _place(text: str) -> int:
    digits = text.removeprefix("Z")
    return int(digits) - _STAND_IN if digits.isdecimal() and int(digits) >= _STAND_IN else -1


def _filled(forms: list[_Form], values: list[str], quote: str) -> list[ToldEdge]:
    return [
        ToldEdge(
            bare_name(values[form.source]),
            bare_name(values[form.target]),
            form.told.way,
            float(values[form.weight]) if form.weight >= 0 else None,
            form.told.sourced,
            form.told.targeted,
            form.told.noun,
            quote,
        )
        for form in forms
    ]


def _apart(piece: str) -> list[str]:
    """A long sentence at its commas, where most of its parts tell an edge each."""
    if len(piece) < _LONG:
        return [piece]
    shapes: Counter[str] = Counter()
    for part, often in Counter(_COMMA.split(_DIGITS.sub("0", piece))).items():
        shapes[fields(part)[0]] += often
    (shape, count), *_ = shapes.most_common(1)
    return _COMMA.split(piece) if 2 * count > shapes.total() > 5 and _forms(shape) else [piece]


def _node_weights(sentence: str) -> dict[str, float]:
    """`node 0 has weight 2, node 1 has weight 9`."""
    if not _WEIGHS.search(sentence):
        return {}
    parts = [part.strip(" .:") for part in re.split(r",| and ", sentence.split(":")[-1])]
    found = [_AT_NODE.match(part) for part in parts if part]
    return {m[1]: float(m[2]) for m in found if m} if found and all(found) else {}
