"""Variations of a group of questions: the same questions over a schema that is smaller, turned round or named otherwise.

A few thousand questions that people or models asked have far more wordings than a program has, but over a handful of
schemas. Varied, each is asked of endless schemas: what the network can learn from them is how words are aligned with a
schema, not the schema. Words that questions share with their schema are exchanged in both.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from random import Random

from graphtalk.language.dictionary import is_deed, verb_done, verb_of
from graphtalk.language.leading import ORDERS
from graphtalk.reasoners.reader.reading import canonical, parsed, written
from graphtalk.reasoners.reader.shape import Held, Link, Shape, Step, spoken
from graphtalk.reasoners.reader.words import FILLING, stem
from graphtalk.training.reader.examples import Example, Mention
from graphtalk.training.reader.lexicon import base, common, perfect

KEPT = FILLING | frozenset(
    "name title label text date year month day time count number total average avg sum min max first last most least top "
    "type kind how who what which many much more less than between before after since until each per all any none not".split()
)
"""Words that mean something of their own in a question: they are never exchanged."""
MISSAID = 0.6  # of groups


@dataclass(frozen=True)
class Group:
    """Questions about one schema; `name` where it has one."""

    shape: Shape
    examples: tuple[Example, ...]
    name: str = ""


def varied(group: Group, random: Random, most: int) -> Group:
    """A variation with about `most` items at most: parts left out, relations turned round, words exchanged, all by chance."""
    if random.random() < 0.12:
        group = _unanswerable(group, random)
    if random.random() < MISSAID:
        group = missaid(group, random)
    group = thinned(group, random, most)
    if random.random() < 0.4:
        group = turned(group, random)
    return renamed(group, random) if random.random() < 0.6 else group


def thinned(group: Group, random: Random, most: int) -> Group:
    """The schema with what the questions use and by chance some of the rest, at most about `most` items of it."""
    shape = group.shape
    used = _used(group)
    types = {t for t in shape.types if f"T:{t}" in used}
    links = {k for k in shape.links if f"V:>{k.key}" in used or f"V:<{k.key}" in used}
    held = {h for h in shape.held if h.action in used or (h.naming and h.owner in types)}
    left = most - len(types) - 2 * len(links) - len(held)
    rest: list[str | Link | Held] = [*shape.types, *shape.links, *shape.held]
    for item in random.sample(rest, len(rest)):
        if left <= 0:
            break
        if isinstance(item, str) and item not in types:
            naming = {h for h in shape.held if h.owner == item and h.naming}
            types.add(item)
            left -= 1 + len(naming - held)
            held |= naming
        elif isinstance(item, Link) and item not in links and {item.source, item.target} <= types:
            links.add(item)
            left -= 2
        elif isinstance(item, Held) and item not in held and item.owner in types | {k.key for k in links}:
            held.add(item)
            left -= 1
    kept = Shape(
        tuple(t for t in shape.types if t in types),
        tuple(k for k in shape.links if k in links),
        tuple(h for h in shape.held if h in held),
    )
    actions = frozenset(kept.properties)
    return Group(kept, tuple(_owned(e, actions) for e in group.examples), group.name)


def _owned(example: Example, known: frozenset[str]) -> Example:
    values = tuple(replace(v, owners=tuple(o for o in v.owners if o in known)) for v in example.values)
    return replace(example, values=values)


def _used(group: Group) -> set[str]:
    """The items that readings use, with the types and links that these stand at."""
    shape = group.shape
    used = {a for e in group.examples for a in e.actions}
    for action in list(used):
        if action in shape.steps:
            step = shape.steps[action]
            used |= {f"T:{step.source}", f"T:{step.target}"}
        elif action in shape.properties:
            held = shape.properties[action]
            used.add(f"V:>{held.owner}" if held.edge else f"T:{held.owner}")
    for link in shape.links:
        if f"V:>{link.key}" in used:
            used |= {f"T:{link.source}", f"T:{link.target}"}
    return used


def _unanswerable(group: Group, random: Random) -> Group:
    """One question whose property the schema no longer has; nothing in the schema answers it."""
    example = random.choice(group.examples)
    shape = group.shape
    words = {stem(w) for w in re.findall(r"\w+", example.question.lower())}
    asked = [
        h
        for a in set(example.actions)
        if (h := shape.properties.get(a)) is not None
        and not h.naming
        and _stems(h.name)
        and _stems(h.name) <= words
    ]
    if not asked:
        return group
    gone = random.choice(sorted(asked, key=lambda h: h.action))
    held = tuple(h for h in shape.held if not _stems(h.name) & _stems(gone.name))
    if any(_stems(name) & _stems(gone.name) for name in (*shape.types, *(k.name for k in shape.links))):
        return group
    known = frozenset(h.action for h in held)
    kept = [e for e in group.examples if all(a in known for a in e.actions if a in shape.properties)]
    return Group(
        replace(shape, held=held),
        (*(_owned(e, known) for e in kept), _owned(replace(example, actions=("NONE",)), known)),
        group.name,
    )


def _stems(name: str) -> frozenset[str]:
    return frozenset(stem(w) for w in spoken(name).split() if w not in KEPT)


def missaid(group: Group, random: Random) -> Group:
    """The group with a question more, which nothing answers: one of its own about another deed ("who sank X" of who sailed it), or about only some
    of what it is about, said by an everyday word ("rented boats").

    So the network learns which words say what a relation says, and that no word is to be passed over.
    """
    example = random.choice(group.examples)
    if example.actions == ("NONE",):
        return group
    schema = (*group.shape.types, *(k.name for k in group.shape.links), *(h.name for h in group.shape.held))
    known = frozenset().union(*map(_stems, schema))
    nouns = {stem(spoken(a[2:]).split()[-1]) for a in example.actions if a.startswith("T:")}
    words = [
        m
        for m in re.finditer(r"(?<![\w-])[a-z]{3,}(?![\w'’-])", example.question)
        if not any(v.start < m.end() and m.start() < v.end for v in example.values)
    ]
    deeds = [
        (m, deed)
        for m in words
        if m[0] not in KEPT and m[0] not in ORDERS and (deed := _deed(m[0])) is not None
    ]
    typed = [m for m in words if stem(m[0]) in nouns]
    verb, noun = random.choice(_words("verb")), random.choice(_words("noun"))
    if deeds and (not typed or random.random() < 0.65):
        place, (own, tag) = random.choice(deeds)
        new, end, alike = _bent(verb, tag), place.end(), {own, *common("verb").get(own, ())}
    elif typed:
        place = random.choice(typed)
        new, alike = random.choice((_bent(verb, "VBN"), noun)) + " ", set[str]()
        end = place.start()
    else:
        return group
    if verb in alike or known & {stem(verb), *map(stem, new.split())}:
        return group
    more = len(new) - (end - place.start())
    values = tuple(
        replace(v, start=v.start + more, end=v.end + more) if v.start >= end else v for v in example.values
    )
    question = example.question[: place.start()] + new + example.question[end:]
    return replace(group, examples=(*group.examples, Example(question, values, ("NONE",))))


def _deed(word: str) -> tuple[str, str] | None:
    """The verb of what somebody does, and how it is bent (Penn's tag); None for another word, and one that means little."""
    if not is_deed(word):
        return None
    if word.endswith("ing"):
        found = base(word), "VBG"
    elif done := verb_done(word):
        found = done, "VBD"
    elif third := verb_of(word):
        found = third, "VBZ"
    else:
        found = word, "VB"
    return None if found[0] in _LIGHT else found


_LIGHT = frozenset("be have do get make take go give come want need know tell see list let".split())


def turned(group: Group, random: Random) -> Group:
    """Some relations the other way round, under a name that says so: HAS_CEO as CEO_OF, WROTE as WRITTEN_BY."""
    links = {k: _turned(k) for k in group.shape.links if not k.undirected and random.random() < 0.5}
    keys = {links.get(k, k).key for k in group.shape.links}
    if len(keys) < len(group.shape.links):
        return group
    return _rebuilt(group, {}, {k: (new, True) for k, new in links.items()}, {}, lambda text: text) or group


def _turned(link: Link) -> Link:
    words = spoken(link.name).split()
    if words[0] == "has" and len(words) > 1:
        name = f"{' '.join(words[1:])} of"
    elif words[-1] == "of" and len(words) > 1:
        name = f"has {' '.join(words[:-1])}"
    elif words[-1] == "by" and len(words) > 1:
        name = " ".join(words[:-1])
    elif words[-1] in ("in", "on", "at", "to", "with", "from", "for", "about"):
        name = f"{' '.join(words[:-1])} {link.source.lower()}"
    elif base(words[0]) in common("verb"):
        name = f"{perfect(words[0])} {' '.join(words[1:])} by".replace("  ", " ")
    else:
        name = f"has {' '.join(words)}"
    return Link(_restyled(link.name, name), link.target, link.source)


@cache
def _agents() -> list[str]:
    """Verbs whose doers have a word of their own: paint, painter."""
    nouns = common("noun")
    return [v for v in common("verb") if f"{v}er" in nouns or f"{v}r" in nouns or f"{v}or" in nouns]


@cache
def _words(kind: str) -> list[str]:
    return [w for w in common(kind) if w not in KEPT and stem(w) not in map(stem, KEPT)]


def renamed(group: Group, random: Random) -> Group:
    """Words that the questions share with the schema, exchanged in both; at times for words of one meaning, one in each."""
    shape = group.shape
    asked = [frozenset(stem(w) for w in re.findall(r"[a-z]+", e.question.lower())) for e in group.examples]
    fixed: set[str] = (
        set()
    )  # stems that a reading needs and its question does not say: their names keep their meaning
    for example, said in zip(group.examples, asked, strict=True):
        for action in _used(replace(group, examples=(example,))):
            fixed |= _item_stems(shape, action) - said
    names = [*shape.types, *(k.name for k in shape.links), *(h.name for h in shape.held)]
    in_names = [w for name in names for w in spoken(name).split()]
    forms: dict[str, set[str]] = {}
    in_questions = [w for e in group.examples for w in re.findall(r"[a-z]+", _outside(e).lower())]
    for word in (*in_names, *in_questions):
        forms.setdefault(stem(word), set()).add(word)
    own = [
        s
        for s in dict.fromkeys(map(stem, in_names))
        if s not in fixed and len(s) > 2 and s.isascii() and s.isalpha() and not forms[s] & KEPT
    ]
    exchanged: dict[str, tuple[str, str]] = {}
    taken: set[str] = set(forms)
    share = random.choice((0.4, 0.7, 1.0))
    for each in own:
        if random.random() > share:
            continue
        word = _another(forms[each], taken, random)
        if word is not None:
            alike = [w for w in {**common("noun"), **common("verb")}.get(word, ()) if stem(w) not in taken]
            other = random.choice(alike) if alike and random.random() < 0.35 else word
            exchanged[each] = (word, other)
            taken |= {stem(word), stem(other)}

    def name(text: str) -> str:
        words = [
            _like(w, exchanged[s][0]) if (s := stem(w)) in exchanged else w for w in spoken(text).split()
        ]
        return text if words == spoken(text).split() else _restyled(text, " ".join(words))

    def say(text: str) -> str:
        return re.sub(
            r"[A-Za-z]+",
            lambda m: _like(m[0], exchanged[s][1]) if (s := stem(m[0].lower())) in exchanged else m[0],
            text,
        )

    types = {t: name(t) for t in shape.types}
    links = {
        k: (Link(name(k.name), types[k.source], types[k.target], k.undirected), False) for k in shape.links
    }
    held = {h.action: name(h.name) for h in shape.held}
    if len(set(types.values())) < len(types):
        return group
    return _rebuilt(group, types, links, held, say) or group


def _item_stems(shape: Shape, action: str) -> frozenset[str]:
    if action.startswith("T:"):
        return _stems(action[2:])
    step: Step | None = shape.steps.get(action)
    if step is not None:
        return _stems(step.link.name)
    held = shape.properties.get(action)
    return frozenset() if held is None else _stems(held.name)


def _outside(example: Example) -> str:
    """The question without its values."""
    text = example.question
    for v in sorted(example.values, key=lambda v: -v.start):
        text = f"{text[: v.start]} {text[v.end :]}"
    return text


def _another(forms: set[str], taken: set[str], random: Random) -> str | None:
    """An everyday word that bends as these forms do."""
    verbal = any(w.endswith(("ed", "ing")) for w in forms)
    doer = any(re.search("(er|or)s?$", w) for w in forms) and len(forms) > 1
    if doer:
        pool = _agents()
    elif verbal:
        pool = _words("verb")
    else:
        pool = _words("noun")
    for _ in range(6):
        word = random.choice(pool)
        if stem(word) not in taken and word not in KEPT:
            return word
    return None


@cache
def _bent(word: str, tag: str) -> str:
    from lemminflect import getInflection

    head, _, rest = word.partition(" ") if tag.startswith("V") else ("", "", "")
    if tag.startswith("V"):
        forms = getInflection(head, tag)
        return f"{forms[0] if forms else head} {rest}".strip()
    before, _, last = word.rpartition(" ")
    forms = getInflection(last, tag)
    return f"{before} {forms[0] if forms else last}".strip()


@cache
def _tag(word: str) -> str:
    """How a word is bent: one of Penn's tags, DOER for actor and player, or nothing."""
    if re.search("[a-z](er|or)$", word):
        return "DOER"
    if re.search("[a-z](er|or)s$", word):
        return "DOERS"
    if word.endswith("ing"):
        return "VBG"
    if word.endswith("ed"):
        return "VBD"
    return "NNS" if word.endswith("s") and not word.endswith("ss") else ""


def _like(word: str, other: str) -> str:
    """Another word bent and written as a word is."""
    tag = _tag(word.lower())
    if tag.startswith("DOER"):
        nouns = common("noun")
        doer = next((d for d in (f"{other}er", f"{other}r", f"{other}or") if d in nouns), other)
        bent = _bent(doer, "NNS") if tag == "DOERS" else doer
    else:
        bent = _bent(other, tag) if tag else other
    if word.isupper() and len(word) > 1:
        return bent.upper()
    return bent[:1].upper() + bent[1:] if word[:1].isupper() else bent


def _restyled(like: str, text: str) -> str:
    """Words as a name in the style of another name."""
    words = text.split()
    if like.isupper() or (like.upper() == like and "_" in like):
        return "_".join(words).upper()
    if "_" in like:
        return "_".join(words)
    if " " in like or not like[:1].isalpha():
        return text
    joined = "".join(w[:1].upper() + w[1:] for w in words)
    return joined if like[:1].isupper() else joined[:1].lower() + joined[1:]


def _rebuilt(
    group: Group,
    types: Mapping[str, str],
    links: Mapping[Link, tuple[Link, bool]],
    held: Mapping[str, str],
    say: Callable[[str], str],
) -> Group | None:
    """The group over renamed types, other links (and whether each is turned round) and renamed properties.

    None where two names became one, or where a node would be referred to before it comes.
    """
    shape = group.shape
    actions: dict[str, str] = {f"T:{t}": f"T:{types.get(t, t)}" for t in shape.types}
    owners: dict[str, str] = {t: types.get(t, t) for t in shape.types}
    new_links = []
    for link in shape.links:
        new, turned_round = links.get(link, (link, False))
        new_links.append(new)
        owners[link.key] = new.key
        out, back = ("<", ">") if turned_round else (">", "<")
        actions[f"V:>{link.key}"], actions[f"V:<{link.key}"] = f"V:{out}{new.key}", f"V:{back}{new.key}"
    new_held = []
    for h in shape.held:
        new_one = replace(h, owner=owners[h.owner], name=held.get(h.action, h.name))
        new_held.append(new_one)
        actions[h.action] = new_one.action
    new_shape = Shape(
        tuple(types.get(t, t) for t in shape.types), tuple(dict.fromkeys(new_links)), tuple(new_held)
    )
    if len(new_shape.links) < len(shape.links) or len(new_shape.properties) < len(shape.held):
        return None
    try:
        examples = tuple(_retold(e, actions, new_shape, say) for e in group.examples)
    except KeyError:
        return None
    return Group(new_shape, examples, group.name)


def _retold(example: Example, actions: Mapping[str, str], shape: Shape, say: Callable[[str], str]) -> Example:
    text = ""
    at = 0
    values: list[Mention] = []
    for v in example.values:
        text += say(example.question[at : v.start])
        said = example.question[v.start : v.end]
        if v.kind in ("quoted", "name") and not v.owners:
            said = say(said)  # a word of the schema in quotes
        owners = tuple(actions[o] for o in v.owners)
        values.append(replace(v, text=said, start=len(text), end=len(text) + len(said), owners=owners))
        text += said
        at = v.end
    text += say(example.question[at:])
    reading = parsed([actions.get(a, a) for a in example.actions], shape)
    new: Sequence[str] = ["NONE"] if reading is None else written(canonical(reading, shape))
    return Example(text, tuple(values), tuple(new))
