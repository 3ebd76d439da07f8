"""What the names of tables and columns say: their words, and the few words that everybody uses for keys."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from graphtalk.core.abbreviations import spelt_out
from graphtalk.core.people import means_somebody

_WORD = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+")
_HOLDS = re.compile(r"(?i)^(?:nodes?|vertices|vertex|edges?|relationships?|rels?|tbl|dim|fact|stg)[ _.-]+")
KEY_WORDS = frozenset(
    "id ids key keys code codes fk ref refs no nr num number uuid guid pk sk iri uri handle".split()
)
# What one row calls another row of the same table by.
SELF_WORDS = frozenset(
    "parent manager boss supervisor superior predecessor successor previous next mentor leader head chief report "
    "managed supervised replace superseded supersede spouse partner sponsor referrer referred deputy friend follower "
    "followee followed colleague sibling child mother father".split()
)
# What people are to each other, whoever is named first.
_MUTUAL = frozenset(
    "friend friendship sibling spouse married marriage neighbour neighbor adjacent border colleague classmate roommate cousin twin"
    " rival rivalry ally alliance partner partnership teammate flatmate interact interaction".split()
)
# What one end of a relation is called where the other is called so.
_CONVERSE = {
    one: other
    for pair in (
        ("parent", "child"), ("teacher", "student"), ("mentor", "mentee"), ("employer", "employee"), ("ancestor", "descendant"),
        ("predecessor", "successor"), ("grandparent", "grandchild"), ("host", "guest"), ("landlord", "tenant"),
    )
    for one, other in (pair, pair[::-1])
}  # fmt: skip
# What the two ends of an edge are called by, alone or with a word that both have; the rank is how much the words say.
_PAIRS: dict[str, tuple[int, tuple[str, ...]]] = {
    "source": (3, ("target",)),
    "src": (3, ("dst", "destination", "tgt", "target")),
    "from": (2, ("to",)),
    "head": (2, ("tail",)),
    "subject": (2, ("object",)),
    "origin": (2, ("destination",)),
    "sender": (2, ("receiver", "recipient")),
    "follower": (2, ("followee", "followed", "following")),
    "parent": (2, ("child",)),
    "citing": (2, ("cited",)),
    "start": (1, ("end", "stop")),
    "begin": (1, ("end",)),
    "left": (1, ("right",)),
    "first": (1, ("second",)),
    "1": (0, ("2",)),
    "0": (0, ("1",)),
    "one": (0, ("two",)),
    "a": (0, ("b",)),
    "u": (0, ("v",)),
    "i": (0, ("j",)),
}
_PAIR_WORDS = frozenset(_PAIRS) | {other for _, others in _PAIRS.values() for other in others}
_GENERIC = frozenset("node vertex vertice data table sheet n v e item row record".split())
_EDGES = frozenset("edge link relation relationship connection arc".split())
_EDGE_WORDS = _EDGES | frozenset("tie interaction friendship network".split())
# People in the names of tables and of columns whose nouns mean things as well, and the people that things have too.
_AS_PEOPLE = frozenset("account contact head lead".split())
_OF_ANY = frozenset("parent child sibling mother father predecessor successor".split())
_SERVED = frozenset(
    "customer client patient guest tenant student pupil visitor passenger buyer subscriber donor supplier vendor child".split()
)
_ANY = frozenset("node vertex vertice entity item object other thing row record".split())
NAMES = ("name", "full_name", "fullname", "display_name", "displayname")
TITLES = ("label", "title")  # which may be a person's work as well
FIRST = ("first_name", "firstname", "given_name", "givenname", "forename", "vorname", "prenom")
LAST = ("last_name", "lastname", "surname", "family_name", "familyname", "nachname")


def words(name: str) -> tuple[str, ...]:
    """The words of a name in lower case, each as of one thing and in full: `HomeCityIDs` is home, city, id, `mgr_id` manager, id."""
    found = (singular(word.lower()) for word in _WORD.findall(name))
    return tuple(spelt_out(word) or word for word in found)


def singular(word: str) -> str:
    """An English noun as of one thing, good enough to compare names: `categories` is `category`."""
    if len(word) > 3 and word.endswith("ies"):
        return word[:-3] + "y"
    if len(word) > 4 and word.endswith(("sses", "xes", "ches", "shes", "zes")):
        return word[:-2]
    if len(word) > 2 and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return "person" if word == "people" else word


def is_mutual(relation: str) -> bool:
    """Whether a relation goes both ways, as its name says: `friends`, `friend_of`, `married to`."""
    found = [word for word in words(relation) if word not in ("is", "are", "of", "to", "with", "has", "ha")]
    return len(found) == 1 and found[0] in _MUTUAL


def converse(relation: str) -> str:
    """What a relation is called from its other end, as its name says: `parent of` is `child of`; "" where its name does not say."""
    noun, *rest = _WORD.findall(relation)
    other = _CONVERSE.get(noun.lower(), "")
    of = [word.lower() for word in rest]
    return f"{other}{relation[len(noun) :]}" if other and of in ([], ["of"]) else ""


def stem(column: str) -> tuple[str, ...]:
    """The words of a column without those that say that it is a key: `home_city_id` is home, city."""
    found = words(column)
    while found and found[-1] in KEY_WORDS:
        found = found[:-1]
    while len(found) > 1 and found[0] in ("id", "fk", "ref"):
        found = found[1:]
    return found


def is_keylike(column: str) -> bool:
    """Whether a column's name says that it names rows."""
    found = words(column)
    return bool(found) and (found[-1] in KEY_WORDS or found[0] in ("id", "fk", "ref") or is_self(column))


def is_self(column: str) -> bool:
    """Whether a column's name is one by which rows name rows of their own table, such as `manager_id`, `reports_to`."""
    return not SELF_WORDS.isdisjoint(words(column))


def names_somebody(column: str) -> bool:
    """Whether a column is called as who has a role is, or by what somebody did: `site_manager_id`, `reported_by`; `employees` are counted."""
    found, spelt = stem(column), [word.lower() for word in _WORD.findall(column)]
    return bool(found) and found[-1] in spelt and (found[-1] == "by" or means_somebody(found[-1]))


def holds_people(table: str) -> bool:
    """Whether a table is called as people are: `staff`, `members`."""
    found = words(table)
    return bool(found) and means_somebody(found[-1])


def are_served(table: str) -> bool:
    """Whether a table holds those that others do things for, who have no roles there: customers, patients."""
    return words(table)[-1] in _SERVED


def called(column: str, table: str) -> int:
    """How well a column's name names a table: 3 wholly, 2 by its end (`home_city_id`, cities), 0 not."""
    short, whole = (
        stem(column),
        tuple(w for w in words(table) if w not in ("table", "tbl", "dim", "fact", "csv")),
    )
    if not short or not whole:
        return 0
    if short == whole or "".join(short) == "".join(whole):
        return 3
    if short[-len(whole) :] == whole or short[-1] == whole[-1]:
        return 2
    return 2 if len(whole) == 1 and _abbreviates(short[-1], whole[0]) else 0


def _abbreviates(short: str, word: str) -> bool:
    """Whether a word is short for another, as `dept` is for department."""
    letters = iter(word)
    return 3 <= len(short) < len(word) and short[0] == word[0] and all(letter in letters for letter in short)


def relation_of(column: str, to: str) -> str:
    """What an edge by a key is called: the column without what says that it is one, else the table."""
    text = re.sub(r"(?i)[\s_.-]*(?<![a-z])(ids?|keys?|code|codes|fk|uuid|nr|no|ref)$", "", column)
    if text == column:
        text = re.sub(r"(?<=[a-z])(Ids?|IDs?|Key|Code|Fk|FK|Uuid|UUID|Nr|No|Ref)$", "", column)
    text = re.sub(r"(?i)^(id|fk)[\s_.-]+", "", text).strip(" _.-")
    return text or to


@dataclass(frozen=True)
class Pair:
    """Two columns that are called as the two ends of an edge are; `rank` from 0 to 3: how much these names say."""

    source: str
    target: str
    rank: int


def pair_of_names(columns: Sequence[str]) -> Pair | None:
    """The two of a table's columns that are called as ends of edges are: `from` and `to`, `town_a` and `town_b`."""
    split = {words(name): name for name in reversed(columns)}
    best: Pair | None = None
    for name in columns:
        found = words(name)
        for place, word in enumerate(found):
            rank, others = _PAIRS.get(word, (0, ()))
            rest = {*found[:place], *found[place + 1 :]}
            for other in others:
                counterpart = split.get((*found[:place], other, *found[place + 1 :]))
                plain = rest <= KEY_WORDS | {"node", "vertex", "name", "label", "entity"}
                pair = Pair(name, counterpart, rank if plain else 0) if counterpart else None
                if pair and (best is None or pair.rank > best.rank):
                    best = pair
    return best


def is_edge_like(table: str) -> bool:
    """Whether a table's name says that it holds edges."""
    return not _EDGE_WORDS.isdisjoint(words(table))


def is_generic(table: str, edges: bool = False) -> bool:
    """Whether a table's name says nothing of what it holds, or nothing but that these are edges: `nodes`, `data 2`, `links`."""
    return {word for word in words(table) if not word.isdigit()} <= (_GENERIC | _EDGES if edges else _GENERIC)


def thing_of(table: str) -> str:
    """What a table is named after, without the word in front that only says what it holds: `nodes_Person`, `rels-KNOWS`, `dim_customer`."""
    rest = _HOLDS.sub("", table)
    return rest if words(rest) and not words(rest)[0].isdigit() else table


def may_name(column: str, table: str) -> bool:
    """Whether a column's name leaves it open, or says, that it names rows of a table: `user_id` does not name movies."""
    whole, short = set(words(table)), {w for w in stem(column) if not w.isdigit() and len(w) > 1}
    short -= _PAIR_WORDS | _ANY
    if not short or is_generic(table) or called(column, table) >= 2 or short & whole:
        return True
    return any(map(_of_people, whole)) if any(map(_of_people, short)) else is_self(column)


def _of_people(word: str) -> bool:
    """Whether a word calls people alone: any such word may name rows of a table that is called by any other."""
    return word in _AS_PEOPLE or (means_somebody(word) and word not in _OF_ANY)
