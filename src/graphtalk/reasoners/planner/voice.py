"""Who does what to whom: whether a relation within one type is followed in the direction that the words say.

"Papers that cite X", "papers cited by X" and "papers in which X is cited" differ in nothing else.
"""

import re

import numpy as np

from graphtalk.graphs import View
from graphtalk.language.english import Token, split_name, stem
from graphtalk.reasoners.planner.analysis import NAMED, Analysis
from graphtalk.reasoners.planner.lexis import Lexis
from graphtalk.reasoners.planner.linking import Anchor

_BE = frozenset("is are was were be been being get gets got gotten".split())
_ASKS = frozenset("which what who whom whose that".split())
_AUXILIARY = _BE | frozenset(
    "do does did has have had can could may might will would shall should must".split()
)
_DETERMINERS = frozenset("the many of its their his her all any no most".split())
_BY_WHAT = re.compile(r"\bby (?:which|what|who|whom|whose|how many|how much)\b", re.I)
_PARTICIPLES = frozenset(
    """written born made bought sold led found known begun taught given won run come taken drawn held kept paid seen
    gone built sent lent left met fed read put cut set hit felt heard lost shown spoken sung""".split()
)
_STANDS_FOR = re.compile(r"\b(?:this|the following|it)\b", re.I)
_FRONTED = re.compile(r"\b(?:in|by) (?:the \w+ )?[\"'“‘«\[(]*$", re.I)  # "in X, how many papers are cited?"
_PREPOSITIONS = frozenset("by to in from with on at for of into".split())
_OF_AN_ACT = re.compile(
    r"\w{3,}(?:[aie]tions?|ments?)$", re.I
)  # "citation", "endorsement": what is done to someone
_GIVES = frozenset("by in make makes made give gives given contain contains list lists".split())


def voice_score(view: View, anchor: Anchor, analysis: Analysis, lexis: Lexis) -> float:
    """For a relation within one type that has a direction: +1 if the question's wording agrees, -1 if not.

    "papers that cite X" and "papers cited by X", "the parts of X" and "what X is a part of" differ in nothing
    else. 0 where there is no sign.
    """
    token = _word_for(view, analysis, lexis, anchor)
    if token < 0:
        return 0.0
    following = _words(analysis, token + 1)[:2]
    if not (_is_verb(view, lexis) and _names_act(analysis.tokens[token])) and following[:1] == ["of"]:
        agrees = _of_anchor(token, anchor, analysis) == _leads_to_noun(view, lexis)
        return 1.0 if agrees else -1.0
    if not _is_verb(view, lexis):
        return 0.0
    place = _place(anchor, analysis)
    after = place > analysis.tokens[token].start
    if _is_noun(token, analysis):
        named = _named_by(analysis.tokens[token], view, lexis)
        if named or not _names_act(analysis.tokens[token]):
            return named
    if _names_act(analysis.tokens[token]):
        anchor_acts = _gives(token, place, analysis)
    elif is_passive(token, analysis):
        anchor_acts = after or bool(_FRONTED.search(analysis.masked[:place]))
    else:
        anchor_acts = not after
    return 1.0 if anchor_acts == _acts(view, lexis) else -1.0


def counted_voice(view: View, from_asked: bool, analysis: Analysis, lexis: Lexis) -> float:
    """The same for what "the most" is said of: "the most cited papers" are cited, they do not cite.

    `from_asked`: the view leads from what is asked for to what is counted. Otherwise it leads to what is asked
    for, which is counted itself; then the question must say who else takes part: "cited most by the papers of X".
    """
    token, counted = _word_for(view, analysis, lexis), analysis.cues.counted
    if token < 0 or not _is_verb(view, lexis):
        return 0.0
    if not from_asked and not _names_other_party(token, analysis):
        return -1.0
    word = analysis.tokens[token]
    suffers = _names_act(word) or is_passive(token, analysis)
    suffers = suffers or (
        _is_participle(word.text.casefold()) and token == counted
    )  # "the most cited papers"
    suffers = suffers or -1 < counted < token  # "which do the most papers cite"
    return 1.0 if suffers == (_acts(view, lexis) != from_asked) else -1.0


def _names_other_party(token: int, analysis: Analysis) -> bool:
    """Whether the words after a verb name whom else it concerns: "cites papers of X most", "cited most by X"."""
    word = analysis.tokens[token]
    after = any(a.start > word.start for a in analysis.anchors)
    return after and (not is_passive(token, analysis) or "by" in _words(analysis, token + 1))


def is_passive(token: int, analysis: Analysis) -> bool:
    """Whether a word is a participle in the passive: "cited by X", "is X cited", "by how many papers is X cited"."""
    if "by" in _words(analysis, token + 1)[:2] or _BY_WHAT.search(analysis.text):
        return True
    return _is_participle(_words(analysis, token)[0]) and _after_be(token, analysis)


def _after_be(token: int, analysis: Analysis) -> bool:
    """Whether a form of "be" governs a participle: nothing but names and their nouns stand between them."""
    words = _words(analysis, 0)
    for i in range(token - 1, -1, -1):
        if words[i] in _BE:
            copula = i > 0 and words[i - 1] in _ASKS  # "which are the papers X cited", but "what is cited"
            return not (copula and any(t.content for t in analysis.tokens[i + 1 : token]))
        if words[i] in _AUXILIARY or words[i] in _ASKS:
            return False
    return False


def _is_participle(word: str) -> bool:
    return word.endswith("ed") or word in _PARTICIPLES


def _is_noun(token: int, analysis: Analysis) -> bool:
    """Whether a word that may be a verb too follows what only nouns follow: "how many references"."""
    return token > 0 and analysis.tokens[token - 1].text.casefold() in _DETERMINERS


def _named_by(token: Token, view: View, lexis: Lexis) -> float:
    """+1 if a noun is the name of a view, -1 if it is that of its way back, 0 if of both or neither."""
    own, back = (
        [stem(w) for w in split_name(n.removeprefix("^"))] == [token.stem] for n in _names(view, lexis)
    )
    return float(own) - float(back)


def _names_act(token: Token) -> bool:
    """Whether a word is a noun of something done to someone, as "citation": who has it did not do it."""
    return bool(_OF_AN_ACT.match(token.text))


def _place(anchor: Anchor, analysis: Analysis) -> int:
    """Where an anchor stands in its sentence: before ": [X]" or after "[X]." a word such as "this" stands for it."""
    before = analysis.masked[: anchor.start].rstrip(" \"'“‘«[(")
    stands_for = _STANDS_FOR.search(before) if before.endswith((":", ".", "?", "!")) else None
    if stands_for is None and re.match(r"[\"'”’»\])]*[.:;]|$", analysis.masked[anchor.end :]):
        stands_for = _STANDS_FOR.search(analysis.masked, anchor.end)
    return stands_for.start() if stands_for else anchor.start


def _gives(token: int, place: int, analysis: Analysis) -> bool:
    """Whether an act is by the anchor, as in "citations in X" and "the citations that X makes"."""
    start = analysis.tokens[token].start
    if place > start:
        before = [t for t in analysis.tokens if start < t.start < place]
        if not {t.text.casefold() for t in before}.isdisjoint({"by", "in"}):
            return True
    return any(w in _GIVES - {"by", "in"} for w in _words(analysis, 0))


def _word_for(view: View, analysis: Analysis, lexis: Lexis, near: Anchor | None = None) -> int:
    """The token that names a directed relation within one type, the nearest to an anchor; -1 where there is none."""
    if view.source != view.target or view.direction == "both":
        return -1
    cover = analysis.cover(lexis.view_term(view))
    if not len(cover) or cover.max() < NAMED or analysis.match.whole[lexis.view_term(view)] < 0.9 * NAMED:
        return -1
    best = np.flatnonzero(cover >= cover.max() - 1e-9)
    away = np.abs(analysis.order[best] - analysis.place_of(near)) if near else np.zeros(len(best))
    return int(best[np.argmin(away)])


def _words(analysis: Analysis, start: int) -> list[str]:
    return [t.text.casefold() for t in analysis.tokens[start:]]


def _of_anchor(token: int, anchor: Anchor, analysis: Analysis) -> bool:
    """Whether a noun and "of" stand right before the anchor: "the parts of X"."""
    if anchor.start < analysis.tokens[token].start:
        return False
    between = [t for t in analysis.tokens[token + 1 :] if t.start < anchor.start]
    return not any(t.content for t in between)


def _names(view: View, lexis: Lexis) -> tuple[str, str]:
    """The name of a view and that of its way back, as words."""
    relation = lexis.schema.relations[view.relation]
    names = (relation.name, relation.back) if view.direction == "out" else (relation.back, relation.name)
    return names[0].replace("_", " ").strip(), names[1].replace("_", " ").strip()


def _is_verb(view: View, lexis: Lexis) -> bool:
    """Whether a relation is named by a verb: "cites", "cited by", "flows into", not "has part" or "hyponym"."""
    words = [w for name in _names(view, lexis) for w in split_name(name.removeprefix("^"))]
    return any(len(w) > 3 and w.endswith(("s", "ed")) for w in words)


def _leads_to_noun(view: View, lexis: Lexis) -> bool:
    """Whether a view leads to what its noun names ("has part"), not to what it is a noun of ("part of")."""
    name, back = _names(view, lexis)
    return back.endswith(" of") if name.startswith("^") else not name.endswith(" of")


def _acts(view: View, lexis: Lexis) -> bool:
    """Whether the node that the view starts from is the subject of the relation's verb in the active voice."""
    name, back = _names(view, lexis)
    return _is_passive_name(back) if name.startswith("^") else not _is_passive_name(name)


def _is_passive_name(name: str) -> bool:
    """Whether a relation is named by a participle and a preposition: "cited by", "connected to"."""
    words = split_name(name)
    return len(words) > 1 and _is_participle(words[0]) and words[1] in _PREPOSITIONS
