"""Drawings as PNG, by Pillow: the same places and colours as the SVG."""

import io
import math
from typing import Any

from graphtalk.core.text import visible
from graphtalk.graphs.drawing import MOST_NAMED_EDGES, Drawing, colours, cut, places
from graphtalk.graphs.extras import library

_SCALE = 2  # pixels a unit, so that text is sharp
_LINE, _TEXT, _FAINT = "#999999", "#222222", "#777777"


def check_installed() -> None:
    """Raise UsageError, with the command that installs it, where Pillow is missing."""
    library("PIL", "draw")


def to_png(drawing: Drawing, highlighted: frozenset[str] = frozenset()) -> bytes:
    """The drawing as PNG; nodes whose label is `highlighted` stand out."""
    image_module, draw_module, font_module = (
        library(f"PIL.{name}", "draw") for name in ("Image", "ImageDraw", "ImageFont")
    )
    points, width, height = places(drawing)
    image = image_module.new("RGB", (width * _SCALE, (height + 24) * _SCALE), "white")
    pen = draw_module.Draw(image)
    small, plain = (font_module.load_default(size * _SCALE) for size in (10, 12))
    at = [(float(x) * _SCALE, float(y) * _SCALE) for x, y in points]
    named = len(drawing.edges) <= MOST_NAMED_EDGES
    for source, relation, target in drawing.edges:
        _edge(pen, at[source], at[target], arrow=relation not in drawing.both_ways)
        if named:
            middle = [(a + b) / 2 for a, b in zip(at[source], at[target], strict=True)]
            pen.text((middle[0], middle[1] - 8 * _SCALE), _shown(relation), _FAINT, small, anchor="mm")
    of_kind = colours(drawing)
    radius = 7 * _SCALE
    for (x, y), label, kind in zip(at, drawing.labels, drawing.kinds, strict=True):
        ring = _TEXT if label in highlighted else None
        box = (x - radius, y - radius, x + radius, y + radius)
        pen.ellipse(box, of_kind[kind], ring, 3 * _SCALE if ring else 0)
        pen.text((x, y + 17 * _SCALE), _shown(label), _TEXT, plain, anchor="mm")
    _legend(pen, drawing, of_kind, (height + 10) * _SCALE, plain)
    file = io.BytesIO()
    image.save(file, "PNG", optimize=True)
    return file.getvalue()


def _shown(text: str) -> str:
    return visible(cut(text)).replace("\n", " ")


def _edge(pen: Any, start: tuple[float, float], end: tuple[float, float], arrow: bool) -> None:
    if start == end:
        x, y = start
        reach = 10 * _SCALE
        pen.ellipse((x - reach, y - 2.2 * reach, x + reach, y - 0.2 * reach), outline=_LINE, width=_SCALE)
        return
    pen.line((*start, *end), _LINE, _SCALE)
    if arrow:
        angle = math.atan2(end[1] - start[1], end[0] - start[0])
        tip = [end[i] - 8 * _SCALE * f(angle) for i, f in enumerate((math.cos, math.sin))]
        sides = [
            (tip[0] - 7 * _SCALE * math.cos(angle + turn), tip[1] - 7 * _SCALE * math.sin(angle + turn))
            for turn in (0.4, -0.4)
        ]
        pen.polygon([tuple(tip), *sides], _LINE)


def _legend(pen: Any, drawing: Drawing, of_kind: dict[str, str], y: float, font: Any) -> None:
    x = 12.0 * _SCALE
    for kind, colour in of_kind.items():
        if kind:
            pen.ellipse((x, y - 4 * _SCALE, x + 8 * _SCALE, y + 4 * _SCALE), colour)
            pen.text((x + 12 * _SCALE, y), _shown(kind), _FAINT, font, anchor="lm")
            x += 24 * _SCALE + pen.textlength(_shown(kind), font)
    if drawing.left_out:
        pen.text((x, y), f"and {drawing.left_out:,} more nodes", _FAINT, font, anchor="lm")
