"""Where in a statement its graph loading call stands: mostly before the words that say what the graph is called."""

from collections.abc import Iterator

from graphtalk.reasoners.toolformer.offline.candidates import GRAPH_NOUNS, Candidate, Sentence, is_content
from graphtalk.reasoners.toolformer.offline.ranking import Ranker

_REACH = 16  # so many words from the start are tried


def place_of(sentence: Sentence, name: Candidate, ranker: Ranker) -> int:
    """The word before which the call stands, by its number."""
    tried = places(sentence)
    return tried[ranker.best(list(place_features(sentence, at, name)) for at in tried)] if tried else 0


def places(sentence: Sentence) -> list[int]:
    """The words before which a call may stand: no marks, and none far from the start."""
    return [at for at, word in enumerate(sentence.words[:_REACH]) if word[0].isalnum()]


def place_features(sentence: Sentence, at: int, name: Candidate) -> Iterator[str]:
    """The names of the features of a call before a word."""
    lower = ("^", "^", *sentence.lower, "$", "$")
    before, previous, word, following = lower[at : at + 4]
    end = at
    while end < len(sentence.lower) and is_content(sentence.lower[end]):
        end += 1
    phrase = sentence.lower[at:end]
    of_name = {each.lower() for each in name.words}
    named = bool(name.words) and name.words[0].lower() == word
    begins = not is_content(previous)
    yield f"at {at}"
    yield f"at {at} after {previous} {begins}"
    yield f"after {previous}"
    yield f"after {before} {previous}"
    yield f"word {word}"
    yield f"then {following}"
    yield f"named {named} {begins}"
    yield f"named {named} {name.base}"
    yield f"of name {word in of_name} {previous in of_name} {begins}"
    yield f"of name {word in of_name} {name.base}"
    yield f"of name {sum(each in of_name for each in phrase)} of {len(phrase)} {begins}"
    yield f"phrase of {min(len(phrase), 5)} after {previous}"
    yield f"phrase ends in noun {bool(phrase) and phrase[-1] in GRAPH_NOUNS} {begins} {sentence.words[at][0].isupper()}"
    yield f"noun before {not GRAPH_NOUNS.isdisjoint(sentence.lower[:at])} {begins}"
    yield f"start {' '.join(sentence.lower[:2])} at {at}"
    yield f"start {sentence.lower[0]} after {previous} {named}"
