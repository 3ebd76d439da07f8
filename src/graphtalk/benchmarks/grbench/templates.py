"""GRBench's question templates (Jin et al. 2024, appendix B), read from `templates/DOMAIN.toml`, and checked.

    [[template]]
    number = 7                       its place in the published files: qid // 10
    level = "medium"
    slots = [
      { name = "first", type = "Disease" },                                  a node of a type
      { name = "second", from = 'NeighbourCheck["{first}", "…"]' },          something out of a call's result
    ]
    where = 'Contains[…]'            optional: a draw counts only where this gives something
    ask = ["…{first}…{second}…?"]    five wordings
    answer = 'Intersect[…]'          the gold answer: a call, in which "{first}" stands for the node that was drawn
    most = 5                         the most names that an answer may have (appendix D)

A slot may also be drawn `from` a call that gives a feature, at random from one of `either` of several calls, from
fixed `values`, or be the `shuffle` of earlier slots; `count` makes it several nodes, and `only` demands that the
call gives just one thing. `answer` may list several calls: the first that the graph's schema can run counts.
Where the gold answer cannot be found in a graph, `external` says why; `nearest` says where ours asks for
something else than the paper does. `gives` is the node type of an external answer.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib.resources import files
from typing import Any, get_args

from graphtalk.benchmarks.task import Level
from graphtalk.calls import parse
from graphtalk.calls.ast import Call, Expression, Items, Text
from graphtalk.core import CallError, UsageError, choices
from graphtalk.tools.registry import default_registry

_SLOT = re.compile(r"\{(\w+)\}")
_FOLDER = files(__package__) / "templates"
MOST_NAMES = 5
"""The most names in an answer: the paper's `one_hop` leaves out longer ones (appendix D)."""


@dataclass(frozen=True)
class Slot:
    """What stands in the braces of a template, and where it is drawn from: one of `type`, `calls`, `values`, `shuffle`.

    Of several `calls` one is chosen at random. `longest` bounds the letters of a name.
    """

    name: str
    type: str = ""
    calls: tuple[Call, ...] = ()
    values: tuple[int | str, ...] = ()
    shuffle: tuple[str, ...] = ()
    count: int = 1
    only: bool = False
    longest: int = 500

    @property
    def several(self) -> bool:
        """Whether it stands for more than one node."""
        return self.count > 1 or bool(self.shuffle)

    @property
    def needs(self) -> frozenset[str]:
        """The slots that it is drawn from."""
        return frozenset(self.shuffle).union(*map(slots_of, self.calls))


@dataclass(frozen=True)
class Template:
    """A question template. It has `answers`, or says in `external` why no call can find one."""

    id: str
    number: int
    level: Level
    ask: tuple[str, ...]
    slots: tuple[Slot, ...] = ()
    answers: tuple[Call, ...] = ()
    where: Call | None = None
    most: int = MOST_NAMES
    external: str = ""
    nearest: str = ""
    gives: str = ""


@dataclass(frozen=True)
class Templates:
    """The templates of one domain by number, and the node types that its graphs have."""

    domain: str
    node_types: tuple[str, ...]
    by_number: Mapping[int, Template] = field(default_factory=dict)

    def __iter__(self) -> Iterator[Template]:
        return iter(self.by_number.values())

    def __len__(self) -> int:
        return len(self.by_number)

    def find(self, template_id: str) -> Template | None:
        """The template of this id."""
        return next((t for t in self if t.id == template_id), None)

    def named(self, prefix: str) -> "Templates":
        """The same templates with ids `PREFIX-NN`."""
        renamed = {n: replace(t, id=f"{prefix}-{n:02d}") for n, t in self.by_number.items()}
        return replace(self, by_number=renamed)


def domains() -> list[str]:
    """The domains that have templates."""
    return sorted(f.name.removesuffix(".toml") for f in _FOLDER.iterdir() if f.name.endswith(".toml"))


@cache
def read(domain: str) -> Templates:
    """The templates of a domain. Raises UsageError where there are none, or where one is not well made."""
    if domain not in domains():
        raise UsageError(f"No templates of {domain!r}. {choices(domain, domains())}")
    return parse_templates(domain, (_FOLDER / f"{domain}.toml").read_text(encoding="utf-8"))


def parse_templates(domain: str, text: str) -> Templates:
    """The templates in the text of a TOML file. Raises UsageError, naming the template, for a mistake."""
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise UsageError(f"{domain}.toml: {error}.") from error
    by_number: dict[int, Template] = {}
    for at, entry in enumerate(data.get("template", ())):
        place = f"{domain}.toml, template {entry.get('number', f'at place {at}')}"
        try:
            template = _template(domain, entry)
            _check(template)
        except (KeyError, TypeError, ValueError, CallError) as error:
            raise UsageError(f"{place}: {error}.") from error
        if template.number in by_number:
            raise UsageError(f"{place}: the number is taken.")
        by_number[template.number] = template
    return Templates(domain, tuple(data["node_types"]), by_number)


def _template(domain: str, entry: Mapping[str, Any]) -> Template:
    known = {"number", "level", "ask", "slots", "answer", "where", "most", "external", "nearest", "gives"}
    if unknown := set(entry) - known:
        raise ValueError(f"unknown key {min(unknown)!r}")
    if entry["level"] not in get_args(Level):
        raise ValueError(f"no level {entry['level']!r}")
    return Template(
        f"{domain}-{entry['number']:02d}",
        entry["number"],
        entry["level"],
        tuple(entry.get("ask", ())),
        tuple(_slot(slot) for slot in entry.get("slots", ())),
        _calls(entry.get("answer", ())),
        next(iter(_calls(entry.get("where", ()))), None),
        entry.get("most", MOST_NAMES),
        entry.get("external", ""),
        entry.get("nearest", ""),
        entry.get("gives", ""),
    )


def _slot(entry: Mapping[str, Any]) -> Slot:
    known = {"name", "type", "from", "either", "values", "shuffle", "count", "only", "longest"}
    if unknown := set(entry) - known:
        raise ValueError(f"a slot has the unknown key {min(unknown)!r}")
    return Slot(
        entry["name"],
        entry.get("type", ""),
        _calls(entry.get("from", ())) or _calls(entry.get("either", ())),
        tuple(entry.get("values", ())),
        tuple(entry.get("shuffle", ())),
        entry.get("count", 1),
        entry.get("only", False),
        entry.get("longest", 500),
    )


def _calls(texts: str | list[str] | tuple[()]) -> tuple[Call, ...]:
    listed = [texts] if isinstance(texts, str) else texts
    return tuple(parse(text, default_registry().vocabulary) for text in listed)


def _check(template: Template) -> None:
    """Raise ValueError where a template does not hold together."""
    if template.external and template.answers:
        raise ValueError("it has an answer and says that there is none")
    if template.external:
        return
    if len(set(template.ask)) != 5:
        raise ValueError(f"{len(set(template.ask))} wordings, not 5")
    used = frozenset().union(*(slots_of(call) for call in _whole(template)))
    known: set[str] = set()
    for slot in template.slots:
        if sum(map(bool, (slot.type, slot.calls, slot.values, slot.shuffle))) != 1:
            raise ValueError(f"the slot {slot.name!r} needs one of type, from, either, values and shuffle")
        if missing := slot.needs - known:
            raise ValueError(f"the slot {slot.name!r} needs {min(missing)!r} before it")
        known.add(slot.name)
        used |= slot.needs
    asked = [frozenset(_SLOT.findall(wording)) for wording in template.ask]
    if len(set(asked)) != 1:
        raise ValueError("its wordings differ in their slots")
    if lost := (used | asked[0]) - known:
        raise ValueError(f"no slot {min(lost)!r}")
    if idle := known - used - asked[0]:
        raise ValueError(f"the slot {min(idle)!r} is not used")


def _whole(template: Template) -> tuple[Call, ...]:
    if not template.answers:
        raise ValueError("it has no answer, and does not say why")
    return template.answers + ((template.where,) if template.where else ())


def wording_slots(wording: str) -> list[str]:
    """The slots of a wording, in order, with repeats.

    >>> wording_slots("Who wrote {book}?")
    ['book']
    """
    return _SLOT.findall(wording)


def fill_wording(wording: str, shown: Mapping[str, str]) -> str:
    """A wording with its slots filled in; braces in what is filled in stay as they are.

    >>> fill_wording("Who wrote {book}?", {"book": "{a}"})
    'Who wrote {a}?'
    """
    return _SLOT.sub(lambda found: shown[found[1]], wording)


def slots_of(expression: Expression) -> frozenset[str]:
    """The slots that an expression names."""
    if isinstance(expression, Text):
        found = _SLOT.fullmatch(expression.value)
        return frozenset({found[1]}) if found else frozenset()
    if isinstance(expression, Items):
        return frozenset().union(*map(slots_of, expression.values))
    if isinstance(expression, Call):
        inner = [*expression.arguments, *(value for _, value in expression.keywords)]
        if expression.graph is not None:
            inner.append(expression.graph)
        return frozenset().union(*map(slots_of, inner))
    return frozenset()


def fill_call(call: Call, drawn: Mapping[str, Expression]) -> Call:
    """A call with every `"{slot}"` replaced by what was drawn for it."""
    return replace(
        call,
        arguments=tuple(_filled(value, drawn) for value in call.arguments),
        keywords=tuple((name, _filled(value, drawn)) for name, value in call.keywords),
        graph=None if call.graph is None else _filled(call.graph, drawn),
    )


def _filled(expression: Expression, drawn: Mapping[str, Expression]) -> Expression:
    if isinstance(expression, Text):
        found = _SLOT.fullmatch(expression.value)
        return drawn[found[1]] if found else expression
    if isinstance(expression, Items):
        return Items(tuple(_filled(value, drawn) for value in expression.values))
    return fill_call(expression, drawn) if isinstance(expression, Call) else expression
