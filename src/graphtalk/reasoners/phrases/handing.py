"""What goes from one node of a type to another: "accounts that sent money to X", "how much did X receive", "who got the most emails".

A relation between nodes of one type whose name is a noun says nothing of who gives and who gets; the verb does.
"""

from collections.abc import Iterator

from graphtalk.language.dictionary import verb_of
from graphtalk.language.nouns import singular
from graphtalk.language.people import may_act
from graphtalk.reasoners.around.names import deeds, root
from graphtalk.reasoners.phrases.combining import Combining
from graphtalk.reasoners.phrases.schema_words import deeds_of, deeds_of_event
from graphtalk.reasoners.phrases.things import Key, Rows, Ways
from graphtalk.reasoners.reader.shape import Link, Step, spoken

PAYS = frozenset(map(root, "send sent pay paid give wire forward donate lend lent".split()))
_GIVES = PAYS | frozenset(map(root, "make initiate issue ship write place start".split()))
TAKES = frozenset(map(root, "receive get obtain accept collect".split())) | {root("got")}
_GAVE = frozenset(map(root, "give gave pay paid spend spent contribute".split()))
_SPENT = frozenset(
    map(root, "sponsor donate grant pay purchase buy book fund invest pledge subscribe contribute".split())
)
_HANDED = (
    _GIVES
    | TAKES
    | _SPENT
    | frozenset(map(root, "transfer transact remit mail deliver exchange charge lend loan".split()))
)
_LEND, _LENT = root("lend"), root("lent")
MONEY = frozenset("money cash funds".split())
_ANY = ("any", "some", "a", "an", "the")


class Handing(Combining):
    """The verbs of giving and getting."""

    def handed(self, at: int, node_type: str) -> Iterator[tuple[int, Step]]:
        """Where a verb of giving or getting ends with what is given, as the step to the other end: "sent money", "received an email"."""
        for step in self.lexicon.steps(node_type):
            if self.hands(self.word(at), step.link, step.out):
                for begin in self.perhaps(at + 1, _ANY):
                    if self.handed_over(begin, step.link):
                        yield begin + 1, step
                paid = root(self.word(at)) in PAYS | TAKES
                if (
                    paid and self.lexicon.amount(step.link.key) is not None
                ):  # "paid X"; who "wrote to X" may have done anything
                    yield at + 1, step

    def hands(self, verb: str, link: Link, gives: bool) -> bool:
        """Whether a verb says of a node of the relation's only type that it is at the giving end of an edge, or at the other."""
        alike = link.source == link.target and not link.undirected
        return (
            alike
            and bool(verb)
            and root(verb) in (_GIVES if gives else TAKES)
            and self._may_be_handed(root(verb), link)
        )

    def _may_be_handed(self, deed: str, link: Link) -> bool:
        """Whether edges of a relation may be what is given: those called by another deed (`supplies`, `holdings`) are not, and what is
        lent are loans.
        """
        noun = spoken(link.name).rpartition(" ")[2]
        done = {root(verb) for verb in (verb_of(noun), *deeds(singular(noun)), *deeds(noun)) if verb}
        return (not done or not done.isdisjoint(_HANDED)) and (
            deed not in (_LEND, _LENT) or _LEND in deeds_of(singular(noun))
        )

    def handed_over(self, at: int, link: Link) -> bool:
        """Whether a noun says what goes along the edges of a relation: its own, or money where each has an amount."""
        said = self.roots[at : at + 1] == (root(spoken(link.name).rpartition(" ")[2]),)
        return said or (self.word(at) in MONEY and self.lexicon.amount(link.key) is not None)

    def by_hand(self, verb: str, rows: Rows, key: Key) -> bool:
        """Whether a verb says at which end of edges within one type the nodes of a group stand, or that they gave what edges come to."""
        if not isinstance(rows, Ways) or key.steps:
            return False
        link, source = rows.step.link, key.end == "V0"
        return self.hands(verb, link, source) or (bool(verb) and self._gave(verb, link, source))

    def _gave(self, verb: str, link: Link, source: bool) -> bool:
        """Whether a verb says that the nodes at one end of edges of another type gave money: sponsors, by what their sponsorships come to."""
        giver, taker = (link.source, link.target) if source else (link.target, link.source)
        spent = not _SPENT.isdisjoint(deeds_of_event(link.name))
        alone = spent and may_act(giver) and not may_act(taker) and root(verb) in _GAVE
        return alone and self.lexicon.amount(link.key) is not None
