"""Phrases and what they mean: values, nouns, and conditions on them, drawn over a made-up schema.

A value stands in the text as a mark until the text is whole; then its place is known and the values are numbered as
they come. What the graph would know of a value (which properties have it) is made up too.
"""

import re
from dataclasses import dataclass, replace
from random import Random

from graphtalk.core.text import NUMBER_WORDS
from graphtalk.reasoners.reader.reading import (
    Best,
    Compared,
    Constant,
    Either,
    Hop,
    Item,
    Measure,
    Not,
    Span,
    Test,
    Value,
)
from graphtalk.reasoners.reader.shape import Held, Shape, Step, spoken
from graphtalk.training.reader.domains import Quality, Verb, World, invented
from graphtalk.training.reader.examples import Mention
from graphtalk.training.reader.lexicon import (
    adjectives,
    base,
    chosen,
    gerund,
    joined,
    perfect,
    plural,
    pool,
    synonym,
    wordings,
)

PARTICIPLES = (
    "released",
    "founded",
    "born",
    "published",
    "created",
    "opened",
    "joined",
    "hired",
    "built",
    "filed",
    "launched",
    "signed",
    "discovered",
    "established",
    "completed",
    "appointed",
    "introduced",
    "approved",
    "admitted",
    "installed",
    "raised",
    "aired",
    "held",
    "placed",
    "sent",
    "formed",
    "started",
    "detected",
    "bought",
)


PLACES = (
    "city",
    "country",
    "state",
    "region",
    "county",
    "continent",
    "district",
    "town",
    "province",
    "place",
    "site",
)


@dataclass(frozen=True)
class Both:
    """Two items that stand side by side in the end."""

    first: "Item | Both"
    second: "Item | Both"


def flat(item: Item | Both) -> tuple[Item, ...]:
    return (*flat(item.first), *flat(item.second)) if isinstance(item, Both) else (item,)


@dataclass(frozen=True)
class Said:
    """A condition and its wordings: after the noun, as what the noun does (or ""), before the noun (or "")."""

    item: "Item | Both"
    post: str
    main: str = ""
    pre: str = ""
    noun: str = ""  # what the thing is called instead: "directors" of X


class Phrases:
    """Draws phrases over one world."""

    def __init__(self, world: World, random: Random) -> None:
        self.world = world
        self.shape: Shape = world.shape
        self.random = random
        self._values: list[Mention] = []

    # Values

    def _mark(self, text: str, kind: str, owners: tuple[str, ...], than: bool = False) -> tuple[str, Span]:
        self._values.append(Mention(text, kind, owners))
        return f"\x02{len(self._values) - 1}\x03", Span(len(self._values) - 1, than)

    def _value(self, held: Held, part: bool = False, bare: bool = False) -> tuple[str, Span]:
        """A value of a property, marked; `part`: only a piece of a text."""
        quality = self.world.qualities[held.action]
        text = self._drawn(held, quality)
        if held.kind in ("number", "date"):
            return self._numeral(text, quality)
        if part:
            words = text.split()
            text = self.random.choice(
                [
                    self.random.choice(words),
                    text,
                    self.random.choice(pool("words")),
                    text[: self.random.randint(1, 3)],
                ]
            )
        quoted = not bare and self.random.random() < (0.75 if part or quality.kind == "text" else 0.35)
        known = () if part or (self.random.random() < 0.15) else self._owners(held, quality)
        mark, span = self._mark(text, "quoted" if quoted else "name", known)
        return (self.random.choice(("'{}'", '"{}"', "'{}'")).format(mark) if quoted else mark), span

    def _drawn(self, held: Held, quality: Quality) -> str:
        values = self.world.values.setdefault(held.action, [])
        if len(values) < 4:
            values.append(invented(quality, self.random))
        return self.random.choice(values)

    def _owners(self, held: Held, quality: Quality) -> tuple[str, ...]:
        """The properties that the graph knows to have a value: the right one, and others of its kind at times."""
        others = [
            a
            for a, q in self.world.qualities.items()
            if q.kind == quality.kind and a != held.action and self.shape.properties[a].kind == "text"
        ]
        self.random.shuffle(others)
        more = others[: self.random.choice((0, 0, 0, 0, 1, 1, 2))]
        return (held.action, *more)

    def _numeral(self, text: str, quality: Quality) -> tuple[str, Span]:
        if quality.kind in ("date", "year"):
            if quality.kind == "date" and self.random.random() < 0.7:
                text = text[:4]
            elif quality.kind == "date" and self.random.random() < 0.5:
                months = (
                    "January",
                    "February",
                    "March",
                    "April",
                    "May",
                    "June",
                    "July",
                    "August",
                    "September",
                    "October",
                    "November",
                    "December",
                )
                year, month, day = text.split("-")
                name = months[int(month) - 1]
                text = self.random.choice(
                    (f"{name} {year}", f"{name} {int(day)}, {year}", f"{int(day)} {name} {year}")
                )
            return self._mark(text, "date" if not text.isdigit() else "number", ())
        number = float(text)
        if number >= 1_000_000 and number % 100_000 == 0 and self.random.random() < 0.6:
            text = f"{number / 1e6:g} million"
        elif number >= 1000 and number == int(number) and self.random.random() < 0.4:
            text = f"{int(number):,}"
        elif number == int(number) and 0 <= number <= 12 and self.random.random() < 0.4:
            text = NUMBER_WORDS[int(number)]
        return self._mark(text, "number", ())

    def _count_value(self, low: int = 2, high: int = 12, words: float = 0.4) -> tuple[str, Span]:
        k = (
            self.random.randint(low, high)
            if self.random.random() < 0.8
            else self.random.choice((3, 5, 10, 20, 100))
        )
        text = NUMBER_WORDS[k] if k <= 12 and self.random.random() < words else str(k)
        return self._mark(text, "number", ())

    # Nouns

    def _noun(self, node_type: str) -> str:
        return self.world.nouns.get(node_type, spoken(node_type))

    def _word(self, held: Held) -> str:
        """What a question calls a property."""
        roll = self.random.random()
        quality = self.world.qualities[held.action]
        name = quality.name.replace("_", " ")
        if roll < 0.35:
            return spoken(held.name)
        return synonym(name, "properties", self.random) if roll < 0.6 else name

    def _held(self, owner: str, *kinds: str) -> Held:
        found = [
            self.shape.properties[a]
            for a in self.shape.held_by.get(owner, ())
            if self.shape.properties[a].kind in kinds
        ]
        return self.random.choice(found)

    def _type(self) -> str:
        return self.random.choice(self.shape.types)

    # Conditions

    def _conditions(self, node_type: str, depth: int, most: int = 2, least: int = 0) -> list[Said]:
        number = self.random.choices((0, 1, 2, 3), (25, 55, 18, 2))[0]
        number = max(least, min(most, number))
        said: list[Said] = []
        for _ in range(number):
            one = self._condition(node_type, depth)
            if (
                one is not None
                and not (one.noun and any(s.noun for s in said))
                and not (one.pre and any(s.pre for s in said))
            ):
                said.append(one)
        return said

    def _condition(self, node_type: str, depth: int) -> Said | None:
        r = self.random
        for _ in range(6):
            try:
                roll = r.random()
                if roll < 0.42 or depth >= 2:
                    said = self._property_condition(node_type)
                elif roll < 0.84:
                    said = self._hop_condition(node_type, depth)
                elif roll < 0.92:
                    said = self._count_condition(node_type)
                elif roll < 0.96:
                    said = self._either_condition(node_type, depth)
                elif roll < 0.98:
                    said = self._same_condition(node_type)
                else:
                    said = self._than_condition(node_type)
            except (IndexError, KeyError):
                continue
            if said is not None:
                return said
        return None

    def _property_condition(self, owner: str, edge: bool = False) -> Said | None:
        held = self.random.choice([self.shape.properties[a] for a in self.shape.held_by.get(owner, ())])
        quality = self.world.qualities[held.action]
        word = self._word(held)
        if self.random.random() < 0.05:
            kind = self.random.choice(("NULL", "NOTNULL"))
            return self._worded(Test(held.action, kind), kind, p=word)
        if held.kind == "boolean":
            kind = self.random.choice(("YES", "YES", "NO"))
            said = self._worded(Test(held.action, kind), kind, p=word)
            pre = self.random.random() < 0.3
            return replace(said, pre=word if kind == "YES" else f"non-{word}") if pre else said
        if held.kind == "date" or quality.kind == "year":
            return self._date_condition(held, word)
        if held.kind == "number":
            return self._number_condition(held, word)
        return self._text_condition(held, quality, word)

    def _worded(self, item: Item, kind: str, **slots: str) -> Said:
        main = chosen(f"{kind} main", self.random, **slots) if f"{kind} main" in wordings() else ""
        return Said(item, chosen(f"{kind} post", self.random, **slots), main)

    def _compared(
        self, held: Held, kinds: str
    ) -> tuple[str, tuple[str, tuple[Span, ...]], tuple[str, tuple[Span, ...]] | None]:
        """A comparison in words, and its one or two operators with their values."""
        operator = self.random.choice(("GT", "GT", "GT", "GE", "LT", "LT", "LE", "EQ", "between"))
        mark, span = self._value(held)
        if operator == "between":
            other, more = self._value(held)
            text = chosen(f"{kinds}between", self.random, v=mark, w=other)
            return text, ("GE", (span,)), ("LE", (more,))
        return chosen(f"{kinds}{operator}", self.random, v=mark), (operator, (span,)), None

    def _number_condition(self, held: Held, word: str) -> Said:
        text, (operator, values), second = self._compared(held, "")
        item: Item = Test(held.action, operator, values)
        words = adjectives(self.world.qualities[held.action].name, False)
        if words and operator in ("GT", "LT") and self.random.random() < 0.2:
            return Said(
                item,
                f"{self.random.choice(words[0 if operator == 'GT' else 1])} than \x02{values[0].index}\x03",
            )
        counted = word.endswith("s") or word.startswith("number of")
        said = self._worded(
            item, "number count" if counted and self.random.random() < 0.5 else "number", p=word, cmp=text
        )
        return said if second is None else replace(said, item=Both(item, Test(held.action, *second)))

    def _date_condition(self, held: Held, word: str) -> Said:
        if self.random.random() < 0.06:
            mark, span = self._mark(
                f"{self._drawn(held, self.world.qualities[held.action])[:3]}0s", "number", ()
            )
            text = chosen("decade", self.random, v=mark)
            return self._worded(Test(held.action, "EQ", (span,)), "date", p=word, cmp=text)
        text, (operator, values), second = self._compared(held, "year ")
        item: Item = Test(held.action, operator, values)
        quality = self.world.qualities[held.action]
        participle = quality.name in PARTICIPLES and self.random.random() < 0.75
        said = self._worded(
            item, "participle" if participle else "date", p=quality.name if participle else word, cmp=text
        )
        if not participle and operator == "EQ" and self.random.random() < 0.3:
            said = replace(said, post=f"from \x02{values[0].index}\x03")
        return said if second is None else replace(said, item=Both(item, Test(held.action, *second)))

    def _text_condition(self, held: Held, quality: Quality, word: str) -> Said:
        r = self.random
        roll = r.random()
        if quality.kind in ("word", "place", "country") and roll < 0.72:
            mark, span = self._value(held)
            item = Test(held.action, "EQ", (span,))
            if roll < 0.12:
                other, more = self._value(held)
                item = Test(held.action, "EQ", (span, more))
                mark = chosen("list and", r, v=mark, w=other)
            said = self._worded(item, "word" if quality.kind == "word" else "place", p=word, v=mark)
            return replace(said, pre=mark) if quality.kind == "word" and r.random() < 0.35 else said
        if roll < 0.80:
            mark, span = self._value(held)
            if held.naming and roll < 0.3:
                return Said(Test(held.action, "EQ", (span,)), chosen("named post", r, v=mark))
            kind = r.choices(("EQ", "NE"), (5, 1))[0]
            return self._worded(Test(held.action, kind, (span,)), f"text {kind}", p=word, v=mark)
        mark, span = self._value(held, part=True)
        if quality.kind == "text" and r.random() < 0.25:
            return Said(Test(held.action, "HAS", (span,)), chosen("about post", r, v=mark))
        kind = r.choice(("HAS", "HAS", "STARTS", "ENDS"))
        return self._worded(Test(held.action, kind, (span,)), f"text {kind}", p=word, v=mark)

    def _than_condition(self, node_type: str) -> Said | None:
        held = self._held(node_type, "number", "date")
        name = self._named(node_type)
        mark, span = self._value(name, bare=True)
        more = self.random.random() < 0.6
        item = Test(held.action, "GT" if more else "LT", (replace(span, than=True),))
        words = adjectives(self.world.qualities[held.action].name, held.kind == "date")
        if words and self.random.random() < 0.6:
            return Said(
                item,
                chosen(
                    "than adjective", self.random, more=self.random.choice(words[0 if more else 1]), e=mark
                ),
            )
        if held.kind == "date":
            return None
        degree = self.random.choice(wordings()["than more" if more else "than less"])
        return Said(item, chosen("than post", self.random, more=degree, p=self._word(held), e=mark))

    def _named(self, node_type: str) -> Held:
        action = self.shape.name_of(node_type)
        if action is None:
            raise IndexError
        return self.shape.properties[action]

    def _step(self, node_type: str) -> tuple[Step, Verb, bool]:
        """A view from a type, its verb, and whether it goes the verb's way."""
        step = self.shape.steps[self.random.choice(self.shape.steps_from[node_type])]
        verb, turned = self.world.verbs[step.link.key]
        return step, verb, step.out != turned

    def _object(self, node_type: str, depth: int, link: str = "") -> tuple[str, tuple[Item, ...], str]:
        """The far end: a named node, nodes with conditions, or any; its text, items, and the bare name's mark."""
        r = self.random
        roll = r.random()
        if roll < 0.6:
            held = self._named(node_type)
            mark, span = self._value(held)
            text = mark
            if r.random() < 0.3:
                text = (
                    chosen("object", r, v=mark, m=self._noun(node_type))
                    if "object" in wordings()
                    else f"the {self._noun(node_type)} {mark}"
                )
            items: tuple[Item, ...] = (Test(held.action, "EQ", (span,)),)
            if r.random() < 0.06:
                other, more = self._value(held)
                text, items = chosen("list and", r, v=mark, w=other), (Test(held.action, "EQ", (span, more)),)
            return text, items, mark
        if roll < 0.7:
            best = self._best_phrase(node_type)
            if best is not None:
                return f"the {best[0]}", (*best[1],), ""
        conditions = self._conditions(node_type, depth + 1, 1, 1 if roll < 0.93 else 0)
        if not conditions:
            return chosen("any", r, m=self._noun(node_type), M=plural(self._noun(node_type))), (), ""
        text, items = self._described(node_type, conditions, r.random() < 0.75)
        return text, items, ""

    def _hop_condition(self, node_type: str, depth: int) -> Said | None:
        step, verb, forward = self._step(node_type)
        r = self.random
        if depth < 2 and r.random() < 0.08:
            return self._through(node_type)
        far_noun = verb.target_noun if forward else verb.source_noun
        if depth < 2 and r.random() < (0.35 if far_noun else 0.1):
            return self._having(step, far_noun or self._noun(step.target), depth)
        negated = r.random() < 0.14
        text, items, mark = self._object(step.target, depth, step.link.key)
        edge: Said | None = None
        if self.shape.held_by.get(step.link.key) and r.random() < 0.3:
            edge = self._property_condition(step.link.key, True)
            if edge is not None:
                text, items = f"{text} {edge.post}", (*items, *flat(edge.item))
        star = step.source == step.target and r.random() < 0.12
        hop = Hop(step.action, items, star)
        item: Item = Not(hop) if negated else hop
        noun = verb.target_noun if forward else verb.source_noun
        if star:
            text = f"{text} {chosen('star', r)}"
        said = self._hop_wording(verb, forward, negated, text, mark, noun, step, bool(items))
        return None if said is None else replace(said, item=item)

    def _having(self, step: Step, noun: str, depth: int) -> Said | None:
        """The far end by what it is to this one, with conditions of its own: "that have a supplier with a revenue over 5"."""
        r = self.random
        conditions = self._conditions(step.target, depth + 1, 2, 1)
        if not conditions or any(c.noun for c in conditions):
            return None
        text, items = self._described(step.target, conditions, r.random() < 0.6, noun)
        slots = {"O": re.sub("^the ", r.choice(("a ", "a ", "")), text)}
        return Said(
            Hop(step.action, items), chosen("having post", r, **slots), chosen("having main", r, **slots)
        )

    def _through(self, node_type: str) -> Said | None:
        """A named node two hops off; what lies between is not said: "firms in France", whose cities are in it."""
        first, _, _ = self._step(node_type)
        second, _, _ = self._step(first.target)
        if second.link == first.link or second.target == node_type:
            return None
        held = self._named(second.target)
        mark, span = self._value(held)
        hop = Hop(first.action, (Hop(second.action, (Test(held.action, "EQ", (span,)),)),))
        noun = self._noun(second.target)
        place = self.world.qualities[held.action].kind in ("place", "country") or noun in PLACES
        kind = "place" if place and self.random.random() < 0.8 else "through"
        return self._worded(hop, kind, v=mark, p=noun, m=noun)

    def _hop_wording(
        self,
        verb: Verb,
        forward: bool,
        negated: bool,
        text: str,
        mark: str,
        noun: str,
        step: Step,
        filled: bool,
    ) -> Said | None:
        r = self.random
        dummy = Not(Hop(""))
        head = "not " if negated else ""
        far = noun or self._noun(step.target)
        if r.random() < 0.35 and mark and not negated and (noun or not verb.past):
            slots = {"m": far, "v": mark, "M": plural(far)}
            return Said(dummy, chosen("with post", r, **slots), chosen("with main", r, **slots))
        if (not filled or negated) and (not mark) and (noun or r.random() < 0.3 or not verb.past):
            slots = {"m": far, "M": plural(far) if not filled else text}
            kind = "not with" if negated else "with such"
            return Said(dummy, chosen(f"{kind} post", r, **slots), chosen(f"{kind} main", r, **slots))
        role = verb.source_noun if forward else verb.target_noun
        if role and not negated and r.random() < 0.4:
            post = chosen("role", r, r="", O=text)
            if mark and r.random() < 0.3:
                return Said(dummy, "", "", "", f"{mark}'s {{}}|{role}")
            return Said(dummy, post.strip(), "", "", role)
        if forward and verb.past:
            slots = {
                "d": perfect(verb.past) if r.random() < 0.0 else verb.past,
                "b": base(verb.past),
                "ing": gerund(verb.past),
                "O": text,
            }
            return Said(
                dummy,
                perfected(chosen(f"{head}forward post", r, **slots), verb.past),
                perfected(chosen(f"{head}forward main", r, **slots), verb.past),
            )
        if not forward and verb.passive:
            slots = {"s": verb.passive, "O": text}
            return Said(
                dummy, chosen(f"{head}passive post", r, **slots), chosen(f"{head}passive main", r, **slots)
            )
        if not forward and verb.past and not negated:
            return Said(dummy, perfected(chosen("object post", r, O=text, d=verb.past), verb.past))
        if not verb.past:
            slots = {"m": far, "M": text if filled and not mark else plural(far), "v": mark or text}
            kind = ("not with" if negated else "with such") if not mark else "with"
            if negated and mark:
                return Said(dummy, f"without the {far} {mark}", f"do not have the {far} {mark}")
            return Said(dummy, chosen(f"{kind} post", r, **slots), chosen(f"{kind} main", r, **slots))
        return None

    def _count_condition(self, node_type: str) -> Said | None:
        step, verb, forward = self._step(node_type)
        r = self.random
        noun = verb.target_noun if forward else verb.source_noun
        conditions = self._conditions(step.target, 2, 1) if r.random() < 0.25 else []
        far, items = self._described(step.target, conditions, False, noun if r.random() < 0.6 else "")
        value: Value
        if r.random() < 0.15:
            text, operator, value = chosen("several", r), "GT", Constant(1)
        else:
            operator = r.choice(("GT", "GT", "GT", "GE", "LT", "LE", "EQ"))
            mark, span = self._count_value(1, 12)
            text, value = chosen(f"count {operator}", r, v=mark), span
        item = Compared(Measure("CNT", "", Hop(step.action, items)), operator, value)
        slots = {"cmp": text, "M": far}
        kinds = ["count"]
        if verb.past and forward:
            kinds.append("count forward")
            slots["d"] = verb.past
        if verb.passive and not forward:
            kinds.append("count passive")
            slots["s"] = verb.passive
        kind = r.choice(kinds)
        return Said(
            item,
            perfected(chosen(f"{kind} post", r, **slots), verb.past),
            perfected(chosen(f"{kind} main", r, **slots), verb.past),
        )

    def _either_condition(self, node_type: str, depth: int) -> Said | None:
        r = self.random
        roll = r.random()
        if roll < 0.5:  # the same hop to two: both, neither
            step, verb, forward = self._step(node_type)
            if not (forward and verb.past) and not (not forward and verb.passive):
                return None
            held = self._named(step.target)
            (a, one), (b, two) = self._value(held, bare=True), self._value(held, bare=True)
            hops = [Hop(step.action, (Test(held.action, "EQ", (span,)),)) for span in (one, two)]
            neither = roll < 0.2
            text = chosen("neither" if neither else "both", r, v=a, w=b)
            both = Both(Not(hops[0]), Not(hops[1])) if neither else Both(*hops)
            verbal = verb.past if forward else verb.passive
            return Said(
                both,
                f"that {'' if forward else 'were '}{verbal} {text}",
                f"{'' if forward else 'were '}{verbal} {text}",
            )
        first, second = self._property_condition(node_type), self._condition(node_type, depth + 1)
        if (
            first is None
            or second is None
            or first.noun
            or second.noun
            or isinstance(first.item, Both)
            or isinstance(second.item, (Both, Either))
        ):
            return None
        item = Either(first.item, second.item)
        main = f"{first.main} or {second.main}" if first.main and second.main else ""
        return Said(item, f"{first.post} or {second.post}", main)

    def _same_condition(self, node_type: str) -> Said | None:
        """Two relations to one node: "who directed and acted in the same film"."""
        steps = [self.shape.steps[a] for a in self.shape.steps_from[node_type]]
        pairs = [(a, b) for a in steps for b in steps if a.target == b.target and a.link != b.link]
        usable = []
        for a, b in pairs:
            (one, turned), (two, other) = self.world.verbs[a.link.key], self.world.verbs[b.link.key]
            if one.past and two.past and a.out != turned and b.out != other:
                usable.append((a, b, one, two))
        a, b, one, two = self.random.choice(usable)
        text = chosen("same", self.random, d=one.past, e=two.past, m=self._noun(a.target))
        return Said(Both(Hop(a.action, (), name="same"), Hop(b.action, (), same="same")), text)

    def _described(
        self, node_type: str, conditions: list[Said], one: bool = False, noun: str = ""
    ) -> tuple[str, tuple[Item, ...]]:
        """A noun phrase and its items: the noun in the plural (or with "the" where `one`), conditions around it."""
        noun = noun or self._noun(node_type)
        items: list[Item] = []
        before = wrap = ""
        after: list[str] = []
        for said in conditions:
            items += flat(said.item)
            if said.noun:
                wrapped, _, role = said.noun.rpartition("|")
                noun, wrap = role, wrapped
                if said.post:
                    after.insert(0, said.post)
            elif said.pre:
                before = f"{said.pre} "
            else:
                after.append(said.post)
        text = f"{before}{noun if one else plural(noun)}"
        if wrap:
            text = wrap.replace("{}", text)
        if after:
            text = f"{text} {joined(after, self.random)}"
        article = f"{self.random.choice(('the', 'a', 'the'))} " if one and not wrap else ""
        return f"{article}{text}", tuple(items)

    def _superlative(self, held: Held, top: bool) -> str:
        if held.kind == "date" or self.world.qualities[held.action].kind == "year":
            return self.random.choice(wordings()["latest" if top else "earliest"])
        return self.random.choice(wordings()["top" if top else "bottom"])

    def _best_phrase(self, t: str) -> tuple[str, tuple[Item, ...]] | None:
        """One node by a superlative: its phrase without an article, and its items, the last of them a Best."""
        r = self.random
        top = r.random() < 0.65
        conditions = self._conditions(t, 2, 1) if r.random() < 0.35 else []
        noun = self._noun(t)
        _, items = self._described(t, conditions, True)
        if any(c.noun or c.pre for c in conditions):
            return None
        after = " ".join(c.post for c in conditions)
        if r.random() < 0.3 and self.shape.steps_from.get(t):
            step, verb, forward = self._step(t)
            far = plural((verb.target_noun if forward else verb.source_noun) or self._noun(step.target))
            text = chosen("most" if top else "fewest", r, n=noun, M=far)
            return (f"{text} {after}" if not after else f"{noun} {after} {text[len(noun) :].strip()}"), (
                *items,
                Best(top, Measure("CNT", "", Hop(step.action))),
            )
        held = self._held(t, "number", "date")
        words = adjectives(
            self.world.qualities[held.action].name,
            held.kind == "date" or self.world.qualities[held.action].kind == "year",
        )
        best = Best(top, Measure("PROPERTY", held.action))
        if words and r.random() < 0.6:
            return (
                f"{chosen('best adjective', r, sup=r.choice(words[2 if top else 3]), n=noun)} {after}".strip(),
                (*items, best),
            )
        return chosen(
            "best with", r, n=f"{noun} {after}".strip(), sup=self._superlative(held, top), p=self._word(held)
        ), (*items, best)


def perfected(text: str, past: str) -> str:
    """`have wrote` becomes `have written`."""
    participle = perfect(past) if past else past
    if participle == past:
        return text
    return re.sub(
        rf"\b(have|has|had|never|ever|been)( ever| never)? {re.escape(past)}",
        lambda m: f"{m[1]}{m[2] or ''} {participle}",
        text,
    )
