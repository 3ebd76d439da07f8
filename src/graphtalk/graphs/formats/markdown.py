"""Vaults of Markdown (Obsidian, Logseq, a folder of notes): a note is a node, a link to another note an edge.

`[[note]]`, `[[note|shown]]`, `[[folder/note#part]]`, `![[note]]` and `[shown](note.md)` are links; those that stand in a property of
the front matter are of that name, the others `links to`. Other properties are features (`tags` with the tags of the text), and so is
the text. The property `type` is a note's type. A link to a note that is not there makes no edge, and is counted.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from graphtalk.core import SourceError
from graphtalk.core.reading import in_words
from graphtalk.graphs.formats.files import BROKEN, guess_encoding, open_bytes
from graphtalk.graphs.formats.gathered import Gathering
from graphtalk.graphs.formats.tables import inside_of
from graphtalk.graphs.graph import Graph
from graphtalk.graphs.importing import Importing

_ENDINGS = (".md", ".markdown")
_LINK = re.compile(
    r"\[\[([^\[\]|#\n]{1,500})(?:[#^][^\[\]|\n]{0,500})?(?:\|[^\[\]\n]{0,500})?\]\]|\]\(([^()\s]{1,500}\.md)(?:#[^()\s]{0,500})?\)"
)
_TAG = re.compile(r"(?:^|(?<=\s))#([^\W\d_][\w/-]{0,100})")
_CODE = re.compile(r"^```.*?^```|`[^`\n]{0,1000}`", re.MULTILINE | re.DOTALL)
_NUMBER = re.compile(r"[-+]?(?:0|[1-9]\d{0,17})(?:\.\d+)?")  # "007" is a text
_PROPERTY = re.compile(r"^([^\s:#\-\[{\"'][^:\n]{0,200}):(?:\s+(.*))?$")
_MOST_NOTES = 1_000_000
_LONGEST = 64 << 20  # bytes of a note


def sniff(path: Path) -> bool:
    """Whether a file is Markdown, or most files of a folder (and of those in it) are."""
    if path.is_file():
        return path.suffix.lower() in _ENDINGS
    some = [p for _, p in zip(range(1000), _walk(path), strict=False)]
    notes = sum(p.suffix.lower() in _ENDINGS for p in some)
    data = sum(
        p.suffix.lower() in (".csv", ".tsv", ".json", ".parquet", ".xlsx", ".ttl", ".graphml") for p in some
    )
    return notes > 1 and notes > data


def read(sources: Sequence[Path], importing: Importing) -> Graph:
    """Notes of files, and of folders with all that are in them."""
    notes: dict[str, tuple[Path, str]] = {}
    for source in sources:
        found = [source] if source.is_file() else [p for p in _walk(source) if p.suffix.lower() in _ENDINGS]
        for path in found:
            name = (path.name if source.is_file() else path.relative_to(source).as_posix()).rsplit(".", 1)[0]
            notes[name] = (path, _text(path, importing))
            if len(notes) > _MOST_NOTES:
                raise SourceError(f"has more than {_MOST_NOTES:,} notes.", str(source))
    if not notes:
        raise SourceError("has no notes.", str(sources[0]))
    return _graph(notes, sources[0], importing)


def _walk(folder: Path) -> Iterator[Path]:
    """The files in a folder and in its folders, none that is hidden. Raises SourceError where a link leads out of it."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not any(part.startswith(".") for part in path.relative_to(folder).parts):
            yield inside_of(folder, path)


def _text(path: Path, importing: Importing) -> str:
    if not path.stat().st_size:
        return ""
    if path.stat().st_size > _LONGEST:
        raise SourceError(f"is longer than {_LONGEST:,} bytes.", str(path))
    try:
        with open_bytes(path, importing.progress, guess_encoding(path)) as file:
            return file.read().decode("utf-8-sig")
    except (*BROKEN, UnicodeDecodeError) as error:
        raise SourceError(f"cannot be read ({in_words(error)}).", str(path)) from error


def _graph(notes: dict[str, tuple[Path, str]], source: Path, importing: Importing) -> Graph:
    into = Gathering(source, importing, labels=("title",))
    known = _names(notes)
    missing: list[tuple[str, str]] = []
    for name, (_, text) in notes.items():
        properties, body = _front_matter(text)
        plain = _CODE.sub(" ", body)
        links = [("links to", target) for target in _targets(plain)]
        features: dict[str, Any] = {}
        for key, value in properties.items():
            targets = list(_targets(" ".join(value) if isinstance(value, list) else str(value)))
            if targets:
                links += [(key, target) for target in targets]
            elif key not in ("type", "title", "id"):
                features[key] = value
        tags = [*_listed(features.pop("tags", [])), *_TAG.findall(plain)]
        if tags:
            features["tags"] = list(dict.fromkeys(tag.lstrip("#") for tag in tags))
        kind, title = properties.get("type"), properties.get("title")
        shown = str(title) if title else name.rpartition("/")[2]
        into.node(
            name,
            str(kind) if kind else "note",
            {"title": shown} | features | ({"text": body.strip()} if body.strip() else {}),
        )
        for relation, target in dict.fromkeys(links):
            to = _resolved(target, name, known)
            if to is None:
                missing.append((name, target))
            else:
                into.edge(name, to, relation, {})
    if missing:
        first = f"[[{missing[0][1]}]] in {missing[0][0]!r}"
        importing.rejects.note(
            f"{len(missing):,} links lead to notes that are not there, and are no edges (the first: {first})."
        )
    return into.graph()


def _names(notes: dict[str, tuple[Path, str]]) -> dict[str, str]:
    """Notes by their whole names and, where only one is called so, by the last part and by their aliases; in small letters."""
    several: dict[str, set[str]] = {}
    for name, (_, text) in notes.items():
        aliases = _listed(_front_matter(text)[0].get("aliases", []))
        for called in (name.rpartition("/")[2], *aliases):
            several.setdefault(called.lower(), set()).add(name)
    found = {called: next(iter(names)) for called, names in several.items() if len(names) == 1}
    return found | {name.lower(): name for name in notes}


def _targets(text: str) -> Iterator[str]:
    for wiki, plain in _LINK.findall(text):
        target = wiki.strip() or unquote(plain)
        if "://" not in target:
            yield target.removesuffix(".md")


def _resolved(target: str, name: str, known: dict[str, str]) -> str | None:
    """The note that a link in another means: beside it, in the whole vault, or by the last part of its name."""
    beside = f"{name.rpartition('/')[0]}/{target.removeprefix('./')}".lstrip("/")
    for called in (beside, target, target.rpartition("/")[2]):
        if called.lower() in known:
            return known[called.lower()]
    return None


def _front_matter(text: str) -> tuple[dict[str, Any], str]:
    """The properties at the head of a note, and the rest. Of YAML's forms: texts, numbers, truth values, and lists of texts."""
    lines = text.split("\n")
    if not lines or lines[0].strip() != "---":
        return {}, text
    end = next((i for i, line in enumerate(lines[1:1000], 1) if line.strip() in ("---", "...")), 0)
    if not end:
        return {}, text
    found: dict[str, Any] = {}
    key = ""
    for line in lines[1:end]:
        item = line.strip()
        if key and item.startswith("- "):
            held = found.setdefault(key, [])
            if isinstance(held, list):
                held.append(_unquoted(item[2:]))
        elif match := _PROPERTY.match(line.rstrip()):
            key = match[1].strip()
            value = (match[2] or "").strip()
            if value.startswith("[") and value.endswith("]") and not value.startswith("[["):
                found[key] = [_unquoted(part) for part in value[1:-1].split(",") if part.strip()]
            elif value:
                found[key] = _scalar(value)
    return {name: value for name, value in found.items() if value != []}, "\n".join(lines[end + 1 :])


def _scalar(text: str) -> str | int | float | bool:
    said, quoted = _unquoted(text), text.strip()[:1] in ("'", '"')
    if not quoted and _NUMBER.fullmatch(said):
        return float(said) if "." in said else int(said)
    return said == "true" if not quoted and said in ("true", "false") else said


def _unquoted(text: str) -> str:
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "\"'":
        return text[1:-1]
    return text.split(" #")[0].strip()


def _listed(value: Any) -> list[str]:
    if isinstance(value, list):
        return [str(part) for part in value]
    return [part for part in re.split(r"[,\s]+", str(value)) if part]
