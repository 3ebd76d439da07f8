"""Questions for an amount that say its property by a verb, a period or a noun beside it, put so that they name the property.

- Periods: "how much is the drill per day" asks for the `day_rate` of the drill, "what rent do we pay each month" for `rent_pm`.
- Money: "what has Ann paid in fees altogether" asks for the total fee of Ann; who is paid does not pay, and costs are not earned.
- Averages: "what mark does the course get on average" asks for its average mark.

Each is put only where one property can be meant, and every word has its place; what comes of it has to name that property (`Amount.property`).
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from graphtalk.graphs import Graph
from graphtalk.language.dictionary import verb_done, verb_of
from graphtalk.language.nouns import plural, singular
from graphtalk.language.people import may_act
from graphtalk.language.periods import PERIODICAL
from graphtalk.language.units import MONEY, units, units_of
from graphtalk.reasoners.around.names import root
from graphtalk.reasoners.reader.linking import Linked
from graphtalk.reasoners.reader.shape import spoken


@dataclass(frozen=True)
class Amount:
    """A question that names the property it asks for. `words`: what is said so, and how it is read; `kind`: SUM, AVG, nothing where it adds
    up nothing, or None where that is as before.
    """

    question: str
    words: tuple[str, str]
    property: str
    kind: str | None = ""

    def is_of(self, spelled: str) -> bool:
        """Whether a call, as it is shown, is of the property, and adds it up as asked."""
        name = re.escape(self.property) if self.property else r"\w+"
        held = rf"(?:\(\(?(?:DISTINCT )?\w+\.`?{name}`?\)|\[NodeFeature\[.*, \"{name}\"\]\])"
        if self.kind:
            return re.search(rf"\b{_ADDED[self.kind]}{held}", spelled) is not None
        if self.kind == "" and re.search(rf"\b(?:{'|'.join(_ADDED.values())}){held}", spelled):
            return False
        return re.search(rf"[.\"`]{name}\b", spelled) is not None


@dataclass(frozen=True)
class _Number:
    """A number of a schema. `owners`: its type, or the types that its relation joins; `relation`: its name in words, if it is one's; `nouns`:
    what it is called, without its unit, its period and words of what has it.
    """

    name: str
    owners: frozenset[str]
    relation: str
    nouns: tuple[str, ...]
    period: str
    money: bool

    @property
    def said(self) -> str:
        return spoken(self.name)


_ADDED = {"SUM": "(?:sum|Sum)", "AVG": "(?:avg|Average)"}
_OF_PERIOD = {word: period for period, rates in PERIODICAL.items() for word in (period, *rates)}
_PERIOD = re.compile(
    r",? (?<!\b(?:on|in|of|at) )(?:(?:per|an?|each|every|by the|for (?:an?|each|every)) (?P<each>day|night|hour|week|month|year)|(?P<adverb>daily|nightly|hourly|weekly|monthly|yearly|annually))(?= |$)",
    re.I,
)
_PERIODICAL = re.compile(r"\b(?P<adverb>daily|nightly|hourly|weekly|monthly|yearly|annual) (?=[a-z])", re.I)
_WHOLE = re.compile(
    r"(?:,? \b(?P<sum>in total|in all|all in all|altogether|all together|overall|combined|in sum)\b|,? \b(?P<avg>on average)\b|,? \b(?:so far|to date|up to now)\b)(?= |$|,)|^(?P<first>on average),? ",
    re.I,
)
_RATED = frozenset("rate price fee charge cost rent wage pay salary hire tariff".split())
_CALLED_PRICES = frozenset("price rate charge cost".split())
_GOING_OUT = frozenset("cost fee price fare rent charge payment bill deposit donation fine premium".split())
_COMING_IN = frozenset("fee revenue income earning payment pay wage salary takings royalty commission prize donation charge rent".split())  # fmt: skip
_OUR_COSTS = frozenset("cost bill expense expenditure spend".split())
_OUR_INCOME = frozenset("fee revenue income takings charge fare donation".split())
_PAYING = frozenset(
    "client customer buyer guest member sponsor donor tenant patron learner student pupil hirer borrower renter passenger subscriber visitor "
    "shopper owner participant attendee household lessee".split()
)
_PAYS = "paid|pay|spent|spend|forked out|fork out|shelled out|shell out|coughed up|handed over|parted with|contributed"
_EARNS = "earned|earn|made|make|taken|take|took|taken in|taken home|taken up|brought in|bring in|grossed|gross|raked in|rake in|pulled in|collected|collect|received|receive|got"
_CHARGES = "charged|charge|billed|bill|invoiced|invoice"
_VERBS = {"pay": _PAYS, "earn": _EARNS, "charge": _CHARGES}
_VERB = "|".join(f"(?P<{kind}>{words})" for kind, words in _VERBS.items())
_DONE_TO = re.compile(r"\b(?:to|it|if|when|that|who|which)\b", re.I)
_WE = r"(?:we|you|they|the (?:company|business|firm|club|shop|society|charity|practice|farm|school))"
_AUX = "has|have|had|did|does|do"
_LIGHT_COST = "cost|come to|go for|set (?:us|you|me|one) back|rent for|charge|run to"
_HAS_IT = "give|have|get|produce|yield|make|fetch|score|receive"
_DET = r"(?:the |our |his |her |their |its |your |any |all (?:of )?(?:the |our )?)?"


class Amounts:
    """Puts questions about one graph. Its schema alone says what may be meant."""

    def __init__(self, graph: Graph) -> None:
        self._graph, self._schema = graph, graph.schema

    def of(self, question: str, values: Sequence[Linked]) -> Iterator[Amount]:
        """The question as one that names a property, in each way."""
        text = " ".join(question.rstrip(" ?.!").split())
        yield from self._per_period(text)
        yield from self._at_rates(text)
        yield from self._of_money(text, values)
        yield from self._by_verb(text, values)
        yield from self._on_average(text)

    @cached_property
    def _numbers(self) -> tuple[_Number, ...]:
        schema = self._schema
        found = [
            self._number(f.name, frozenset((t.name,)), "")
            for t in schema.node_types
            for f in t.features
            if f.kind == "number"
        ]
        found += [
            self._number(f.name, frozenset((r.source, r.target)), spoken(r.name))
            for r in schema.relations
            for f in r.features
            if f.kind == "number"
        ]
        return tuple(dict.fromkeys(found))

    def _number(self, name: str, owners: frozenset[str], relation: str) -> _Number:
        words = spoken(name).split()
        at = _period_at(words)
        period = _OF_PERIOD[words[at]] if at is not None else ""
        left = [
            w for i, w in enumerate(words) if i != at and w not in ("per", "avg", "average", "mean", "total")
        ]
        own = {singular(w) for owner in owners for w in spoken(owner).split()}
        bare = [w for w in left if not units(w) and not w.isdigit()] or left
        nouns = tuple(singular(w) for w in bare if singular(w) not in own) or tuple(map(singular, bare))
        money = (
            any(u.dimension == "money" for u in units_of(name))
            or nouns[-1] in MONEY
            or (nouns[-1] == "rate" and bool(period))
        )
        return _Number(name, owners, relation, nouns, period, money)

    # periods

    def _per_period(self, text: str) -> Iterator[Amount]:
        """ "How much is X per day", "what rent do we pay for X each month", "the average daily price of Ys"."""
        said = list(_PERIOD.finditer(text)) or list(_PERIODICAL.finditer(text))
        if len(said) != 1:
            return
        m = said[0]
        period = _OF_PERIOD[(m.groupdict().get("each") or m["adverb"]).lower()]
        numbers = [n for n in self._numbers if n.period == period]
        if not numbers:
            return
        left = f"{text[: m.start()]}{text[m.end() :]}".strip()
        plain, kind = _without_whole(left)
        for form in _OF_PERIOD_FORMS:
            asked = form.fullmatch(plain)
            if asked is None:
                continue
            part = asked.groupdict()
            noun = re.sub(r"^(?:the|our) ", "", (part.get("noun") or "").lower().strip())
            kind = {"average": "AVG", "mean": "AVG", "total": "SUM", "combined": "SUM"}.get(
                (part.get("agg") or "").lower(), kind
            )
            if part.get("agg") and part["agg"].lower() in ("highest", "lowest"):
                return
            if _DONE_TO.search(part["of"]):
                continue  # "how much is it to build X"
            over = part["of"].lower().startswith("all ") or part.get("at", "") in ("across", "over", "of")
            fits = [n for n in numbers if self._is_said(noun, n, part.get("verb") or "")]
            for number in fits:
                if sum(n.owners == number.owners for n in fits) == 1:
                    yield self._put(text, number, kind or ("SUM" if over else ""), part["of"])
        # A noun of its own may be counted for each of a period: "how many hours a week is Ann on X".
        if re.match(r"how (?:many|much) [a-z]", left, re.I) and m.start() < len(text):
            head = re.match(r"how (?:many|much) ([a-z]+)", left, re.I)
            own = [
                n
                for n in numbers
                if head and singular(head[1].lower()) in {singular(w) for w in n.said.split()}
            ]
            if len(own) == 1:
                yield Amount(f"{left}?", (m[0].strip(" ,"), f"of the {own[0].said}"), own[0].name, None)

    def _at_rates(self, text: str) -> Iterator[Amount]:
        """ "Which guides charge more than 40 an hour", "guides who ask 40 or less an hour": by the one rate that these have."""
        said = _AT_A_RATE.fullmatch(text)
        types = self._type_of(said["who"], ()) if said is not None else ""
        if said is None or not types:
            return
        period = _OF_PERIOD[said["each"].lower()]
        own = [n for n in self._numbers if n.owners == {types} and n.period == period and n.money]
        if len(own) == 1 and _RATED.issuperset(own[0].nouns):
            told = f"a {own[0].said} of {said['compared'] or ''}{said['number']}{said['or'] or ''}"
            whether, many = said["led"].lower() in ("is any", "are any"), said["led"].lower() == "how many"
            there = (
                f"Is there a {singular(said['who'])} with"
                if whether
                else f"{'How many' if many else 'Which'} {said['who']} have"
            )
            yield Amount(f"{there} {told}?", (said["rate"], told), own[0].name)

    def _is_said(self, noun: str, number: _Number, verb: str) -> bool:
        """Whether a noun, or a verb where there is none, says a number as far as its period does not."""
        words = [singular(w) for w in noun.split()]
        if not words or words == ["money"]:
            return number.money and bool(verb) and _RATED.issuperset(number.nouns)
        priced = len(words) == 1 and words[0] in _CALLED_PRICES and number.nouns[0] in _CALLED_PRICES
        return self._called(words, number) or (priced and len(number.nouns) == 1)

    def _put(self, text: str, number: _Number, kind: str, of: str, words: str = "") -> Amount:
        led = {"SUM": "total ", "AVG": "average ", "": ""}[kind]
        of = re.sub(r"^(?:at|in|on|with|for) ", "", of.strip())
        asked = f"{led}{number.said}" + (f" of {of}" if of else "")
        return Amount(f"What is the {asked}?", (words or text, asked), number.name, kind)

    # money

    def _of_money(self, text: str, values: Sequence[Linked]) -> Iterator[Amount]:
        """ "What has X paid in fees altogether", "how much have we charged for damage", "what has servicing the machines cost"."""
        plain, kind = _without_whole(text)
        if kind == "AVG":
            return
        done = _SERVICED.fullmatch(plain)
        if done:
            yield from self._of_deed(text, done)
        for form in (_PAID, _MONEY_MOST, _SPENT_MOST):
            asked = form.fullmatch(plain)
            if asked is not None:
                yield from self._paid(text, asked, values)

    def _paid(self, text: str, asked: re.Match[str], values: Sequence[Linked]) -> Iterator[Amount]:
        part = asked.groupdict()
        verb = next((kind for kind in _VERBS if part[kind]), "earn")
        if part.get("been"):  # who is charged pays, and who is paid earns
            verb = {"charge": "pay", "pay": "earn"}.get(verb, "")
        who, led = part["who"].strip(), (part.get("led") or "").lower().split()
        if led and led[-1] != "money" and singular(led[-1]) not in MONEY:
            return  # the most lessons are no money
        noun = part.get("noun") or " ".join(w for w in led if w != "money")
        weak = part["earn"] is not None and not part["earn"].lower().startswith(("earn", "gross", "rake"))
        if (
            weak
            and not led
            and not text.lower().startswith("how much")
            and (part.get("at") or "").lower() != "from"
        ):
            return  # what a band made may be records
        ours = bool(part.get("we")) or re.fullmatch(_WE, who, re.I) is not None
        if asked.re is _PAID:
            subject = "" if ours else self._type_of(who, values)
            number, of = self._meant(noun, subject, verb, ours) if ours or subject else (None, "")
            if number is not None:
                yield self._put(text, number, "SUM", " of ".join(filter(None, (of, "" if ours else who))))
            return
        subject = self._type_of(who, values)
        if ours or not subject:
            number, of, grouped = self._of_rows(who, verb, ours), "", who != subject
        else:
            (number, of), grouped = self._meant(noun, subject, verb, ours), False
        if number is not None:
            total = "" if number.owners == {subject} and not grouped else "total "
            most = "smallest" if part["most"] == "least" else "largest"
            told = f"{part['asked']} has the {most} {total}{number.said}" + (
                f" of {of}" if of and total else ""
            )
            yield Amount(f"{told}?", (text, told), number.name, "SUM" if total else "")

    def _of_rows(self, who: str, verb: str, ours: bool) -> _Number | None:
        """The one amount of money that rows have, of which a property or a kind is asked for: "which contractor was paid the most"."""
        kind = re.fullmatch(r"(?:kind|type|sort|category)s? of (?P<of>.+)", who, re.I)
        noun = [singular(w) for w in (kind["of"] if kind else who).lower().split()]
        types = [
            t.name
            for t in self._schema.node_types
            if noun == [singular(w) for w in spoken(t.name).split()]
            or (not kind and any(f.kind == "text" and spoken(f.name).split() == noun for f in t.features))
        ]
        sums = [
            n for n in self._numbers if n.money and not n.period and n.owners == set(types) and not n.relation
        ]
        flow = _OUR_COSTS if ours and verb == "pay" else _OUR_INCOME if ours else _GOING_OUT
        fits = len(types) == len(sums) == 1 and sums[0].nouns[-1] in flow and verb in ("pay", "earn")
        return sums[0] if fits and (ours or verb == "earn") else None

    def _of_deed(self, text: str, done: re.Match[str]) -> Iterator[Amount]:
        """ "(What has) servicing the machines cost", by the cost of the edges that say the deed."""
        deed, noun = root(done["deed"].lower()), singular(done["type"].lower())
        found = [
            n
            for n in self._numbers
            if n.money
            and n.nouns[-1] in _OUR_COSTS
            and n.relation
            and deed in map(root, n.relation.split())
            and noun in {singular(spoken(t)) for t in n.owners}
        ]
        if len(found) == 1 and sum(n.name == found[0].name for n in self._numbers) == 1:
            yield self._put(text, found[0], "SUM", done["deed"].lower())

    def _type_of(self, who: str, values: Sequence[Linked]) -> str:
        """The type that a subject is one of: a name, or "client" of "which client"."""
        noun = singular(who.lower().rpartition(" ")[2])
        types = [
            t.name
            for t in self._schema.node_types
            if singular(spoken(t.name)) in (singular(who.lower()), noun)
        ]
        if len(types) == 1 and " of " not in who:
            return types[0]
        if who.lower() == "who":
            people = [t.name for t in self._schema.node_types if may_act(t.name)]
            return people[0] if len(people) == 1 else ""
        labels = {f"P:{t.name}.{t.label}": t.name for t in self._schema.node_types if t.label}
        named = {
            labels[o] for v in values for o, _ in v.found if o in labels and v.text.lower() in who.lower()
        }
        return next(iter(named)) if len(named) == 1 else ""

    def _meant(self, noun: str, subject: str, verb: str, ours: bool) -> tuple[_Number | None, str]:
        """The one sum of money that is meant, and the type that it is told of where the question names that."""
        bare = re.sub(
            r"^(?:the|our|his|her|their|its|your|any|all|all the|all our) ", "", noun.lower().strip()
        )
        words = [singular(w) for w in bare.split()]
        fits = [n for n in self._numbers if n.money and not n.period and self._flows(n, subject, verb, ours)]
        near = [n for n in fits if ours or self._reaches(subject, n)]
        other = [n for n in self._numbers if n.money and not n.period and (ours or self._reaches(subject, n))]
        if not words:
            # Of one kind of money alone it need not be said which.
            own = [n for n in other if n.owners == {subject} and not n.relation]
            only = own or other
            return (only[0], "") if len(only) == 1 and only[0] in near and not ours else (None, "")
        exact = [n for n in near if self._called(words, n)]
        if exact:
            return (exact[0], "") if len(exact) == 1 else (None, "")
        of = [t for t in self._schema.node_types if words in ([singular(w) for w in spoken(t.name).split()],)]
        if len(of) == 1:
            own = [n for n in near if of[0].name in n.owners and (len(n.owners) == 1 or subject in n.owners)]
            edges = [n for n in own if n.relation]
            there = [n for n in other if of[0].name in n.owners and n.nouns[-1] not in ("price", "rate")]
            if len(own) == len(there) == 1:
                return own[0], "" if edges or of[0].name == subject else plural(spoken(of[0].name))
            return None, ""
        partly = [n for n in near if len(n.nouns) > 1 and list(n.nouns[:-1]) == words]
        return (partly[0], "") if len(partly) == 1 else (None, "")

    def _called(self, words: list[str], number: _Number) -> bool:
        """Whether words are what a number is called, with or without a word of what has it: "hire fees" of the `fee` of `hire_items`."""
        own = {singular(w) for t in number.owners for w in spoken(t).split()} | {
            *map(singular, number.relation.split())
        }
        size = len(number.nouns)
        return tuple(words[-size:]) == number.nouns and all(w in own for w in words[:-size])

    def _flows(self, number: _Number, subject: str, verb: str, ours: bool) -> bool:
        """Whether money goes the way that a verb says: clients pay fees, bands earn them; we bear costs, and charge fees."""
        noun = number.nouns[-1]
        if ours:
            return noun in (_OUR_COSTS if verb == "pay" else _OUR_INCOME)
        pays = singular(spoken(subject).rpartition(" ")[2]) in _PAYING
        if verb == "pay":
            return pays and noun in _GOING_OUT
        return not pays and verb in ("earn", "charge") and noun in _COMING_IN

    def _reaches(self, subject: str, number: _Number) -> bool:
        """Whether a number is of a type, of its edges, or of what these lead to in two steps at most."""
        near = {subject}
        for _ in range(2):
            near |= {
                end
                for r in self._schema.relations
                if near & {r.source, r.target}
                for end in (r.source, r.target)
            }
        return subject in number.owners if number.relation else not near.isdisjoint(number.owners)

    # numbers whose verb says no more than that something has them

    def _by_verb(self, text: str, values: Sequence[Linked]) -> Iterator[Amount]:
        """ "Which cow gives the most milk", "how many skeins does X need in total", "top 3 clients by fees"."""
        plain, kind = _without_whole(text)
        gives = _GIVES_MOST.fullmatch(plain)
        if gives is not None and not kind:
            found = [
                n
                for n in self._with_nouns(gives["noun"])
                if n.owners == {self._type_of(gives["who"], values)}
            ]
            if len(found) == 1 and not found[0].relation:
                most = "largest" if gives["most"].lower() == "most" else "smallest"
                told = f"{gives['asked']} has the {most} {found[0].said}"
                yield Amount(f"{told}?", (text, told), found[0].name)
        needs = _NEEDS.fullmatch(plain)
        if needs is not None and kind == "SUM":
            subject = self._type_of(needs["who"], values)
            found = [n for n in self._with_nouns(needs["noun"]) if subject in n.owners and n.relation]
            if len(found) == 1 and _alike(needs["verb"].lower(), found[0].relation):
                yield self._put(text, found[0], "SUM", needs["who"])
        top = _TOP.fullmatch(plain)
        if top is not None and kind != "AVG":
            subject = self._type_of(top["who"], values)
            words = [singular(w) for w in top["noun"].lower().split()]
            found = [
                n for n in self._numbers if subject and self._reaches(subject, n) and self._called(words, n)
            ]
            if len(found) == 1 and found[0].owners != {subject} and words != list(found[0].nouns[:-1]):
                told = f"top {top['number']} {top['who']} by total {found[0].said}"
                yield Amount(told, (text, told), found[0].name, "SUM")

    def _with_nouns(self, noun: str) -> list[_Number]:
        words = tuple(singular(w) for w in noun.lower().split())
        return [n for n in self._numbers if n.nouns == words]

    # averages

    def _on_average(self, text: str) -> Iterator[Amount]:
        """ "What mark does X get on average", whatever else the noun may be called."""
        plain, kind = _without_whole(text)
        asked = _GOT.fullmatch(plain) if kind == "AVG" else None
        if asked is not None:
            told = f"average {asked['noun']} of {asked['of']}"
            yield Amount(f"What is the {told}?", (text, told), "", "AVG")


_OF_PERIOD_FORMS = tuple(
    re.compile(form, re.I)
    for form in (
        r"how much (?:is|are|was|were) (?P<of>(?P<verb>\S).+)",
        rf"how much (?:(?P<noun>(?!(?:{_AUX})\b)\w+(?: (?!(?:{_AUX})\b)\w+)?) )?(?:does|do|did|would|can|could) (?P<of>.+?) (?P<verb>{_LIGHT_COST})",
        rf"how much (?P<noun>(?!(?:{_AUX})\b)\w+(?: (?!(?:{_AUX})\b)\w+)?) (?:does|do|did|can) (?P<of>.+?) (?:give|produce|yield|have|get)",
        rf"(?:how much|what) (?P<noun>(?!(?:{_AUX})\b)\w+) (?:do|did|does) {_WE} (?:pay|charge|spend) (?P<at>for|on|at|across|over|in|of) (?P<of>.+)",
        rf"how much (?:do|did|does) {_WE} (?P<verb>charge) (?P<at>for) (?P<of>.+)",
        rf"what (?:does|do|did|would) (?P<of>.+?) (?P<verb>{_LIGHT_COST})",
        r"what (?:does|do|did|would)(?: it)? (?P<verb>cost) (?:to )?(?:hire|rent|book) (?P<of>.+)",
        r"(?:what(?:['’]s| is| are| was) )?(?:the |our )?(?:(?P<agg>average|mean|total|combined|highest|lowest) )?(?P<noun>\w+(?: \w+)?) (?:of|for|at) (?P<of>.+)",
    )
)
_PAID = re.compile(
    rf"(?:how much(?P<led> (?!(?:{_AUX})\b)[a-z]+(?: (?!(?:{_AUX})\b)[a-z]+)?)??|what) (?:{_AUX}) (?P<who>.+?) (?:ever )?(?P<been>been )?(?:{_VERB})(?: (?P<at>in|on|for|from) (?P<noun>{_DET}[a-z-]+(?: [a-z-]+)?))?",
    re.I,
)
_KIND = r"(?!(?:has|have|had|was|were|did|do|does)\b)[a-z]+"
_MONEY_MOST = re.compile(
    rf"(?P<asked>(?:which |what )?(?P<who>who|{_KIND}(?: {_KIND})?)) (?:(?:has|have|had|was|were) )?(?P<been>(?<=was )|(?<=were )|been )?(?:{_VERB}|brings in|earns|makes|takes|takes in|grosses) the (?P<most>most|least)(?P<led> [a-z]+(?: [a-z]+)?)??(?: (?P<at>in|on|for|from) (?P<noun>{_DET}[a-z-]+(?: [a-z-]+)?))?",
    re.I,
)
_SPENT_MOST = re.compile(
    rf"(?P<asked>(?:which|what) (?P<who>[a-z]+(?: of [a-z]+)?)) (?:has|have|had|did|do) (?P<we>{_WE}) (?:{_VERB}) the (?P<most>most|least)(?: money)? (?:on|for)",
    re.I,
)
_SERVICED = re.compile(r"(?:what|how much) (?:has|have|had|did|does) (?P<deed>[a-z]+ing) (?:the |our |all the |all our |all )?(?P<type>[a-z]+) cost(?: us)?", re.I)  # fmt: skip
_GOT = re.compile(
    rf"what (?P<noun>[a-z]+) (?:does|do|did|has|have) (?P<of>.+?) (?:{_HAS_IT}|got|had|received|scored)", re.I
)


_AT_A_RATE = re.compile(
    r"(?P<led>which|what|is any|are any|show(?: me)?(?: the| all)?|list(?: the| all)?|find(?: the| all)?|how many) (?P<who>[a-z]+(?: [a-z]+)??)(?: who| that| which)? "
    r"(?P<rate>(?:charge|charges|charging|ask|asks|asking|cost|costs|costing|go for|goes for|rent for|rents for) (?P<compared>(?:more|less) than |over |under |above |below |at least |at most |exactly )?"
    r"(?P<number>[£$€]?\d[\d,]*(?:\.\d+)?)(?: [a-z]+)??(?P<or> or (?:less|more|under|over))? (?:per|an?|each|every) (?P<each>day|night|hour|week|month|year))",
    re.I,
)
_GIVES_MOST = re.compile(
    r"(?P<asked>(?:which|what) (?P<who>[a-z]+(?: [a-z]+)?)) (?:gives|give|gave|produces|produce|produced|yields|yield|yielded) (?:the )?(?P<most>most|least|fewest) (?P<noun>[a-z]+(?: [a-z]+)?)",
    re.I,
)
_NEEDS = re.compile(r"how (?:many|much) (?P<noun>[a-z]+(?: [a-z]+)?) (?:does|do|did|has|have|will|would) (?P<who>.+?) (?P<verb>[a-z]+(?: (?:for|in|up|out|through))?)", re.I)  # fmt: skip
_NEEDING = frozenset(map(root, "need require use take call consume".split()))
_TOP = re.compile(
    r"(?:(?:who|what|which) (?:are|were|is) )?(?:the |our )?top (?P<number>\d+|two|three|four|five|six|seven|eight|nine|ten) (?P<who>[a-z]+(?: [a-z]+)?) by (?:the )?(?P<noun>[a-z]+(?: [a-z]+)?)",
    re.I,
)


def _alike(verb: str, relation: str) -> bool:
    """Whether a verb says a relation: "need" or "take" of `calls for`."""
    first = verb.split()[0]
    said = {root(w) for w in relation.split()}
    base = root(verb_done(first) or verb_of(first) or first)
    return base in said or (base in _NEEDING and not said.isdisjoint(_NEEDING))


def _period_at(words: Sequence[str]) -> int | None:
    """Where a name says its period: "day rate", "rent pm", "milk l per day", "hourly rate"; a `birth_year` and `hours` have none."""
    for at, word in enumerate(words):
        if word not in _OF_PERIOD:
            continue
        before, after = words[at - 1] if at else "", words[at + 1] if at + 1 < len(words) else ""
        adverb = word.endswith("ly") or word in ("annual", "pm", "pcm", "pw", "pa", "ph")
        counted = bool(units(before)) or before in _RATED or before.isdigit()
        if before == "per" or (after in _RATED) or (adverb and len(words) > 1) or (not after and counted):
            return at
    return None


def _without_whole(text: str) -> tuple[str, str]:
    """A question without the words that say that it adds up, or takes the average, and which."""
    said = list(_WHOLE.finditer(text))
    kinds = {"AVG" if m["avg"] or m["first"] else "SUM" for m in said if m["sum"] or m["avg"] or m["first"]}
    return " ".join(_WHOLE.sub(" ", text).split()), kinds.pop() if len(kinds) == 1 else ""
