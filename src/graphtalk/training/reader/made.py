"""Questions made by program: a reading is drawn over a made-up schema, and put in words at the same time."""

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property

from graphtalk.reasoners.reader.reading import (
    Best,
    Column,
    Constant,
    Hop,
    Item,
    Measure,
    Reading,
    Test,
    Value,
    canonical,
    parsed,
    written,
)
from graphtalk.reasoners.reader.shape import spoken
from graphtalk.reasoners.reader.words import stem
from graphtalk.training.reader.examples import Example, marked
from graphtalk.training.reader.lexicon import (
    adjectives,
    asked_for,
    base,
    chosen,
    everyday,
    past,
    plural,
    pool,
    wordings,
)
from graphtalk.training.reader.phrases import PARTICIPLES, Phrases, Said, flat, perfected

PEOPLE = (
    "person",
    "people",
    "individual",
    "human",
    "user",
    "author",
    "actor",
    "artist",
    "player",
    "employee",
    "student",
)


class Questions(Phrases):
    """Makes questions over one world."""

    def make(self) -> Example | None:
        """A question with its reading; None where the world has nothing for the kind that was drawn."""
        self._values = []
        kinds: list[tuple[int, Callable[[], tuple[str, Reading | None] | None]]] = [
            (22, self._rows),
            (12, self._did_or_who),
            (10, self._few),
            (13, self._columns),
            (7, self._node_columns),
            (13, self._count),
            (8, self._aggregate),
            (9, self._best),
            (12, self._ranked),
            (9, self._most),
            (3, self._most_beyond),
            (6, self._groups),
            (4, self._best_group),
            (6, self._asks),
            (2, self._share),
            (3, self._sorted),
            (3, self._values_of),
            (4, self._none),
        ]
        picked = self.random.choices([k for _, k in kinds], [w for w, _ in kinds])[0]
        try:
            made = picked()
            return None if made is None else self._finished(*made)
        except (IndexError, KeyError):
            return None

    def _finished(self, text: str, reading: Reading | None) -> Example | None:
        text = re.sub(r"\s+([?.,])", r"\1", re.sub(r"\s+", " ", text)).strip()
        text = re.sub(r"\b([Aa]) (?=[aeiou])", r"\1n ", text)
        roll = self.random.random()
        if roll < 0.95:
            text = text[:1].upper() + text[1:]
        if roll > 0.9 or roll < 0.06:
            text = text.rstrip("?.")
        if roll < 0.1:
            text = text.lower()
        actions = ["NONE"] if reading is None else written(canonical(reading, self.shape))
        example = marked(text, self._values, actions, self.random)
        if example is None or reading is None:
            return example
        # The values are numbered by their places now, and the order of conditions follows them.
        read = parsed(example.actions, self.shape)
        assert read is not None
        return replace(example, actions=tuple(written(canonical(read, self.shape))))

    # Questions

    def _rows(self) -> tuple[str, Reading] | None:
        t = self._type()
        conditions = self._conditions(t, 0, 3, 0 if self.random.random() < 0.06 else 1)
        return self._framed(t, conditions, "rows", "main", (Column("NODE"),))

    def _framed(
        self, t: str, conditions: list[Said], plain: str, main: str, columns: tuple[Column, ...]
    ) -> tuple[str, Reading]:
        """The last condition as what the nodes do, where it can be said so and the dice agree."""
        last = conditions[-1] if conditions else None
        if last is not None and last.main and self.random.random() < 0.55:
            text, items = self._described(t, conditions[:-1])
            question = chosen(main, self.random, N=text, c=last.main)
            return question, Reading(t, (*items, *flat(last.item)), "RETURN", columns)
        text, items = self._described(t, conditions)
        return chosen(plain, self.random, N=text), Reading(t, items, "RETURN", columns)

    def _did_or_who(self) -> tuple[str, Reading] | None:
        """Active questions: "Who directed X?", "Which films did X direct?"."""
        t = self._type()
        step, verb, forward = self._step(t)
        if not verb.past:
            return None
        text, items, mark = self._object(step.target, 1)
        hop = Hop(step.action, items)
        if forward:
            more = self._conditions(t, 1, 1) if self.random.random() < 0.2 else []
            if self._noun(t) in PEOPLE or self.random.random() < 0.45:
                main = perfected(chosen("forward main", self.random, d=verb.past, O=text), verb.past)
                people = self._noun(t) in PEOPLE or verb.source_noun.endswith(("er", "or", "ist"))
                kind = "who" if people or self.random.random() < 0.25 else "what"
                return chosen(kind, self.random, c=main), Reading(t, (hop,), "RETURN", (Column("NODE"),))
            noun, others = self._described(t, more)
            main = perfected(chosen("forward main", self.random, d=verb.past, O=text), verb.past)
            return chosen("main", self.random, N=noun, c=main), Reading(
                t, (*others, hop), "RETURN", (Column("NODE"),)
            )
        if not mark or verb.past.startswith(("was ", "were ")):
            return None
        more = self._conditions(t, 1, 1) if self.random.random() < 0.25 else []
        noun, others = self._described(t, more)
        count = self.random.random() < 0.25
        question = chosen(
            "count did" if count else "did", self.random, N=noun, O=text, b=base(verb.past), d=verb.past
        )
        columns = (Column("COUNT" if count else "NODE"),)
        return perfected(question, verb.past), Reading(t, (*others, hop), "RETURN", columns)

    def _few(self) -> tuple[str, Reading] | None:
        t = self._type()
        conditions = self._conditions(t, 0, 2)
        text, items = self._described(t, conditions)
        mark, span = self._count_value(2, 10)
        question = chosen("few", self.random, N=text, k=mark)
        return question, Reading(t, items, "RETURN", (Column("NODE"),), None, span)

    def _entity(self, t: str) -> tuple[str, tuple[Item, ...], bool]:
        """What a property is asked of: mostly one node by name."""
        if self.random.random() < 0.6:
            held = self._named(t)
            mark, span = self._value(held)
            text = mark if self.random.random() < 0.6 else f"the {self._noun(t)} {mark}"
            return text, (Test(held.action, "EQ", (span,)),), text == mark
        if self.random.random() < 0.25:
            best = self._best_phrase(t)
            if best is not None:
                return f"the {best[0]}", best[1], False
        text, items = self._described(t, self._conditions(t, 0, 2, 1), self.random.random() < 0.4)
        return text, items, False

    def _columns(self) -> tuple[str, Reading] | None:
        t = self._type()
        held = self._held(t, "text", "number", "date", "boolean", "list")
        text, items, named = self._entity(t)
        if held.naming and named:
            return None
        items, order = self._lifted(items)
        word = self._word(held)
        column = Column("NODE", held.action)
        words = adjectives(self.world.qualities[held.action].name, False) if held.kind == "number" else None
        reading = Reading(t, items, "RETURN", (column,), order, Constant(1) if order else None)
        if named and words and self.random.random() < 0.3:
            return chosen("how", self.random, how=self.random.choice(words[4]), e=text).replace(
                "how much is is", "how much is"
            ), reading
        quality = self.world.qualities[held.action]
        unnamed = asked_for(quality.name) if named else []
        if unnamed and self.random.random() < 0.4:
            question = self.random.choice(unnamed).replace("{e}", text)
            return f"{question}{self.random.choice(('?', '?', ''))}", reading
        if named and held.kind == "number" and word.endswith("s") and self.random.random() < 0.5:
            return chosen("how many", self.random, e=text, p=word), reading
        if named and quality.kind in ("place", "country") and self.random.random() < 0.4:
            return chosen("where", self.random, e=text), reading
        if named and self.world.qualities[held.action].name in PARTICIPLES and self.random.random() < 0.6:
            return chosen("when", self.random, e=text, p=self.world.qualities[held.action].name), reading
        if named and self.random.random() < 0.25:
            return chosen("column possessive", self.random, e=text, p=word), reading
        if self.random.random() < 0.2:
            other = self._held(t, "text", "number", "date")
            if other != held:
                question = chosen("columns", self.random, p=word, q=self._word(other), N=text)
                return question, replace(reading, columns=(column, Column("NODE", other.action)))
        return chosen("column", self.random, p=word, N=text), reading

    def _lifted(self, items: tuple[Item, ...]) -> tuple[tuple[Item, ...], Best | None]:
        """A best among the root's items is the reading's order."""
        best = next((i for i in items if isinstance(i, Best)), None)
        return tuple(i for i in items if i is not best), best

    def _node_columns(self) -> tuple[str, Reading] | None:
        t = self._type()
        r = self.random
        conditions = self._conditions(t, 0, 1)
        text, items = self._described(t, conditions)
        if r.random() < 0.5:
            held = self._held(t, "text", "number", "date")
            if held.naming:
                return None
            question = chosen("node and column", r, N=text, p=self._word(held))
            return question, Reading(t, items, "RETURN", (Column("NODE"), Column("NODE", held.action)))
        step, verb, forward = self._step(t)
        noun = (verb.target_noun if forward else verb.source_noun) or self._noun(step.target)
        hop = Hop(step.action, (), name="told")
        question = chosen("node and node", r, N=text, r=plural(noun))
        return question, Reading(
            t, (*items, hop), "RETURN", (Column("NODE"), Column("NODE", "", None, "told"))
        )

    def _count(self) -> tuple[str, Reading] | None:
        t = self._type()
        if self.random.random() < 0.2:  # how many followers does X have
            step, verb, forward = self._step(t)
            noun = (verb.source_noun if forward else verb.target_noun) or self._noun(t)
            held = self._named(step.target)
            mark, span = self._value(held)
            question = chosen("count of", self.random, r=plural(noun), e=mark)
            return question, Reading(
                t, (Hop(step.action, (Test(held.action, "EQ", (span,)),)),), "RETURN", (Column("COUNT"),)
            )
        conditions = self._conditions(t, 0, 3, 0 if self.random.random() < 0.15 else 1)
        return self._framed(t, conditions, "count", "count main", (Column("COUNT"),))

    def _aggregate(self) -> tuple[str, Reading] | None:
        t = self._type()
        held = self._held(t, "number")
        kind = self.random.choice(("AVG", "AVG", "SUM", "MAX", "MIN"))
        text, items = self._described(t, self._conditions(t, 0, 2))
        question = chosen(kind, self.random, p=self._word(held), N=text)
        return question, Reading(t, items, "RETURN", (Column(kind, held.action),))

    def _values_of(self) -> tuple[str, Reading] | None:
        t = self._type()
        held = self._held(t, "text")
        if held.naming:
            return None
        text, items = self._described(t, self._conditions(t, 0, 1))
        if self.random.random() < 0.5:
            return chosen("VALUES", self.random, p=plural(self._word(held)), N=text), Reading(
                t, items, "RETURN", (Column("VALUES", held.action),)
            )
        return chosen("listed values", self.random, p=plural(self._word(held)), N=text), Reading(
            t, items, "RETURN", (Column("NODE", held.action),)
        )

    def _best(self) -> tuple[str, Reading] | None:
        t = self._type()
        r = self.random
        if r.random() < 0.3:
            held = self._held(t, "number", "date")
            top = r.random() < 0.65
            text, items = self._described(t, self._conditions(t, 1, 1) if r.random() < 0.4 else [], True)
            text = re.sub("^(the|a) ", "", text)
            sup = self._superlative(held, top)
            question = chosen(
                "which",
                r,
                n=text,
                sup=sup,
                p=self._word(held),
                first=r.choice(("first", "top")) if top else "last",
            )
            return question, Reading(
                t,
                items,
                "RETURN",
                (Column("NODE"),),
                Best(top, Measure("PROPERTY", held.action)),
                Constant(1),
            )
        best = self._best_phrase(t)
        if best is None:
            return None
        items, order = self._lifted(best[1])
        return chosen("one", r, n=best[0]), Reading(t, items, "RETURN", (Column("NODE"),), order, Constant(1))

    def _ranked(self) -> tuple[str, Reading] | None:
        """The top k by a property, a count or an aggregate."""
        t = self._type()
        r = self.random
        top = r.random() < 0.75
        text, items = self._described(t, self._conditions(t, 0, 1) if r.random() < 0.5 else [])
        mark, span = self._count_value(2, 10)
        frame = r.choice(("rows", "rows", "one"))
        columns: tuple[Column, ...] = (Column("NODE"),)
        roll = r.random()
        if roll < 0.35:
            step, verb, forward = self._step(t)
            far = plural((verb.target_noun if forward else verb.source_noun) or self._noun(step.target))
            phrase = chosen("most k" if top else "fewest k", r, k=mark, N=text, M=far)
            order = Best(top, Measure("CNT", "", Hop(step.action)))
        else:
            held = self._held(t, "number", "date")
            dated = held.kind == "date" or self.world.qualities[held.action].kind == "year"
            words = adjectives(self.world.qualities[held.action].name, dated)
            order = Best(top, Measure("PROPERTY", held.action))
            if words and r.random() < 0.4:
                phrase = chosen("top k adjective", r, k=mark, sup=r.choice(words[2 if top else 3]), N=text)
            else:
                phrase = chosen(
                    "top k" if top else "bottom k",
                    r,
                    k=mark,
                    N=text,
                    sup=self._superlative(held, top),
                    p=self._word(held),
                )
            if r.random() < 0.15:
                columns = (Column("NODE"), Column("NODE", held.action))
                phrase = f"{phrase} and their {self._word(held)}"
        question = chosen(frame, r, N=phrase, n=phrase)
        return question, Reading(t, items, "RETURN", columns, order, span)

    def _sorted(self) -> tuple[str, Reading] | None:
        t = self._type()
        held = self._held(t, "number", "date", "text")
        down = self.random.random() < 0.5
        text, items = self._described(t, self._conditions(t, 0, 1))
        phrase = chosen("sorted down" if down else "sorted up", self.random, N=text, p=self._word(held))
        return chosen("rows", self.random, N=phrase), Reading(
            t, items, "RETURN", (Column("NODE"),), Best(down, Measure("PROPERTY", held.action))
        )

    def _most(self) -> tuple[str, Reading] | None:
        """The one with the most: by number of neighbours, or by an aggregate over them."""
        t = self._type()
        r = self.random
        step, verb, forward = self._step(t)
        noun = (verb.target_noun if forward else verb.source_noun) or self._noun(step.target)
        far, inner = self._described(
            step.target, self._conditions(step.target, 2, 1) if r.random() < 0.3 else [], False, noun
        )
        top = r.random() < 0.8
        text, items = self._described(t, self._conditions(t, 1, 1) if r.random() < 0.25 else [], True)
        text = re.sub("^(the|a) ", "", text)
        hop = Hop(step.action, inner)
        limit: Value = Constant(1)
        if r.random() < 0.2:
            held = self._held(step.target, "number")
            kind = r.choice(("AVG", "SUM", "MAX"))
            phrase = chosen(
                "most aggregate",
                r,
                n=text,
                sup=r.choice(("highest", "largest", "greatest") if top else ("lowest", "smallest")),
                a=r.choice(wordings()[f"a {kind}"]),
                p=self._word(held),
                M=far,
            )
            reading = Reading(
                t, items, "RETURN", (Column("NODE"),), Best(top, Measure(kind, held.action, hop)), limit
            )
            return chosen("one", r, n=phrase), reading
        order = Best(top, Measure("CNT", "", hop))
        reading = Reading(t, items, "RETURN", (Column("NODE"),), order, limit)
        if verb.past and forward and r.random() < 0.6:
            return perfected(
                chosen("most did" if top else "fewest did", r, n=text, d=verb.past, M=far), verb.past
            ), reading
        if verb.passive and not forward and top and r.random() < 0.4:
            return chosen("most passive", r, n=text, s=verb.passive, M=far), reading
        return chosen("one", r, n=chosen("most" if top else "fewest", r, n=text, M=far)), reading

    def _most_beyond(self) -> tuple[str, Reading] | None:
        """The one, or some, with the most of what is two hops off."""
        t = self._type()
        r = self.random
        first, verb, forward = self._step(t)
        second, other, onward = self._step(first.target)
        if second.link == first.link:
            return None
        near = plural((verb.target_noun if forward else verb.source_noun) or self._noun(first.target))
        far = plural((other.target_noun if onward else other.source_noun) or self._noun(second.target))
        text, items = self._described(t, [])
        top = r.random() < 0.85
        order = Best(top, Measure("VALUES", "", Hop(first.action), "", Hop(second.action)))
        slots = {"M": near, "F": far, "most": r.choice(wordings()["most of" if top else "fewest of"])}
        if r.random() < 0.6:
            mark, span = self._count_value(2, 10)
            kind = "beyond k by" if top and r.random() < 0.3 else "beyond k"
            phrase = chosen(kind, r, k=mark, N=text, **slots)
            return chosen("rows", r, N=phrase), Reading(t, items, "RETURN", (Column("NODE"),), order, span)
        phrase = chosen("beyond", r, n=self._noun(t), **slots)
        return chosen("one", r, n=phrase), Reading(t, items, "RETURN", (Column("NODE"),), order, Constant(1))

    def _groups(self) -> tuple[str, Reading] | None:
        t = self._type()
        r = self.random
        roll = r.random()
        if roll < 0.5:
            held = self._held(t, "text", "number", "date", "boolean")
            if held.naming or (held.kind == "number" and self.world.qualities[held.action].kind != "year"):
                return None
            text, items = self._described(t, self._conditions(t, 0, 1) if r.random() < 0.4 else [])
            key = Column("NODE", held.action)
            if roll < 0.3:
                question = chosen("by property count", r, N=text, p=self._word(held))
                return question, Reading(t, items, "RETURN", (key, Column("COUNT")))
            number = self._held(t, "number")
            kind = r.choice(("AVG", "SUM", "MAX", "MIN"))
            question = chosen(
                "by property aggregate",
                r,
                a=r.choice(wordings()[f"a {kind}"]),
                p=self._word(number),
                q=self._word(held),
                N=text,
            )
            return question, Reading(t, items, "RETURN", (key, Column(kind, number.action)))
        step, verb, forward = self._step(t)
        noun = (verb.target_noun if forward else verb.source_noun) or self._noun(step.target)
        far, inner = self._described(
            step.target, self._conditions(step.target, 2, 1) if r.random() < 0.2 else [], False, noun
        )
        text, items = self._described(t, [], True)
        single = re.sub("^(the|a) ", "", text)
        many, _ = self._described(t, [])
        if roll < 0.8:
            question = chosen("by node count", r, M=far, n=single, N=many)
            return question, Reading(
                t, items, "RETURN", (Column("NODE"), Column("CNT", "", Hop(step.action, inner)))
            )
        number = self._held(step.target, "number")
        kind = r.choice(("AVG", "AVG", "SUM", "MAX", "MIN"))
        question = chosen(
            "by node aggregate", r, a=r.choice(wordings()[f"a {kind}"]), p=self._word(number), n=single, M=far
        )
        return question, Reading(
            t, items, "RETURN", (Column("NODE"), Column(kind, number.action, Hop(step.action, inner)))
        )

    def _best_group(self) -> tuple[str, Reading] | None:
        """The value of a property that most nodes have, or whose nodes have the most of something, alone or by a neighbour."""
        t = self._type()
        r = self.random
        held = self._held(t, "text", "boolean", "date")
        if held.naming:
            return None
        text, items = self._described(t, self._conditions(t, 0, 1) if r.random() < 0.3 else [])
        top = r.random() < 0.8
        key, slots = Column("NODE", held.action), {"q": self._word(held), "N": text}
        most = wordings()["most of" if top else "fewest of"]
        roll = r.random()
        if roll < 0.5:
            measure = Measure("COUNT")
            question = chosen("best group count", r, most=r.choice(most), **slots)
        else:
            path = None
            owner = t
            if roll > 0.7:
                step, verb, forward = self._step(t)
                path, owner = Hop(step.action), step.target
                far = plural((verb.target_noun if forward else verb.source_noun) or self._noun(owner))
            if path is not None and r.random() < 0.5:
                measure = Measure("CNT", "", path)
                question = chosen("best group of others", r, M=far, most=r.choice(most), **slots)
            else:
                number = self._held(owner, "number")
                measure = Measure(r.choice(("AVG", "SUM")), number.action, path)
                slots |= {"a": r.choice(wordings()[f"a {measure.kind}"]), "p": self._word(number)}
                far_text = f" of {slots['N']}" if path is None else f" of the {far} of {slots['N']}"
                best = r.choice(("highest", "largest") if top else ("lowest", "smallest"))
                question = chosen("best group aggregate", r, best=best, W=far_text, **slots)
        column = Column(measure.kind, measure.held, measure.path)
        return question, Reading(t, items, "RETURN", (key, column), Best(top, measure), Constant(1))

    def _asks(self) -> tuple[str, Reading] | None:
        t = self._type()
        r = self.random
        roll = r.random()
        if roll < 0.3:
            conditions = self._conditions(t, 0, 2, 1)
            one, items = self._described(t, conditions, True)
            state, values = r.getstate(), len(self._values)
            text = chosen("ask", r, n="\x04", N="\x05")
            if "\x05" in text:
                r.setstate(state)
                del self._values[values:]
                return text.replace("\x05", _many(one, self._noun(t))), Reading(t, items, "ASK")
            return text.replace("\x04", re.sub("^(the|a) ", "", one)), Reading(t, items, "ASK")
        held = self._named(t)
        mark, span = self._value(held, bare=True)
        own: tuple[Item, ...] = (Test(held.action, "EQ", (span,)),)
        if roll < 0.7:
            step, verb, forward = self._step(t)
            text, items, _ = self._object(step.target, 2)
            reading = Reading(t, (*own, Hop(step.action, items)), "ASK")
            if forward and verb.past and not verb.past.startswith("was"):
                return perfected(
                    chosen("ask did", r, e=mark, b=base(verb.past), d=verb.past, O=text), verb.past
                ), reading
            if not forward and verb.passive:
                return chosen("ask passive", r, e=mark, s=verb.passive, O=text), reading
            return None
        other = self._held(t, "boolean", "number", "text")
        if other == held:
            return None
        word = self._word(other)
        if other.kind == "boolean":
            return chosen("ask flag", r, e=mark, p=word), Reading(t, (*own, Test(other.action, "YES")), "ASK")
        if other.kind == "number":
            compared, (operator, spans), second = self._compared(other, "")
            tests = [Test(other.action, operator, spans), *([Test(other.action, *second)] if second else [])]
            return chosen("ask compare", r, e=mark, p=word, cmp=compared), Reading(t, (*own, *tests), "ASK")
        value, more = self._value(other)
        return chosen("ask is", r, e=mark, p=word, v=value), Reading(
            t, (*own, Test(other.action, "EQ", (more,))), "ASK"
        )

    def _share(self) -> tuple[str, Reading] | None:
        t = self._type()
        conditions = [c for c in self._conditions(t, 0, 1, 1) if c.main]
        if not conditions:
            return None
        text, _ = self._described(t, [])
        return chosen("share", self.random, N=text, c=conditions[0].main), Reading(
            t, flat(conditions[0].item), "SHARE"
        )

    def _none(self) -> tuple[str, None]:
        """What no reading answers: off the topic, or of a property that nothing here has."""
        r = self.random
        if r.random() < 0.25:
            return r.choice(pool("off topic")) + r.choice(("?", "", ".")), None
        t = self._type()
        noun, verb = self._foreign("noun"), self._foreign("verb")
        roll = r.random()
        if roll < 0.4:
            text, _, _ = self._entity(t)
            return chosen("column", r, p=noun, N=text), None
        if roll < 0.6:
            return chosen(r.choice(("rows", "count")), r, N=plural(noun)), None
        if roll < 0.8:
            text, _ = self._described(t, self._conditions(t, 0, 1))
            slots = {"m": noun, "M": plural(noun), "v": self._value(self._named(t))[0]}
            kind = r.choice(("with main", "with such main"))
            return chosen("main", r, N=text, c=chosen(kind, r, **slots)), None
        text, _, _ = self._object(t, 1)
        return chosen("who", r, c=f"{past(verb)} {text}"), None

    def _foreign(self, kind: str) -> str:
        """An everyday word that no name of the schema has."""
        words = everyday(kind)
        while True:
            word = self.random.choice(words)
            if stem(word) not in self._own:
                return word

    @cached_property
    def _own(self) -> frozenset[str]:
        """The stems of all words that stand for a part of the schema."""
        verbs = [v for v, _ in self.world.verbs.values()]
        said = [w for v in verbs for w in (v.past, v.passive, v.source_noun, v.target_noun)]
        names = [*self.world.nouns.values(), *(q.name for q in self.world.qualities.values()), *said]
        return self.shape.vocabulary | {stem(w) for name in names for w in spoken(name).split()}


def _many(one: str, noun: str) -> str:
    """A described single thing in the plural."""
    return re.sub(
        rf"^(?:the |a )?(.*?)\b{re.escape(noun)}\b", lambda m: f"{m[1]}{plural(noun)}", one, count=1
    )
