"""Pictures of the page that are compared with those that were kept: coarse ones, which fonts and graphics hardly change.

A picture is brought down to 48 by 30 shades of grey, without the drawing and what other tests said before. Masks are laid over
hidden parts too, so that these are named as they are seen. WRITE_STATES=1 keeps what is seen now.
"""

import base64
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page

KEPT = Path(__file__).parent / "data" / "page_states.json"
SHOTS = Path(__file__).resolve().parents[1] / "build" / "screenshots"
MOST = 12  # shades, of 256, that a picture may differ on the mean: other fonts wrap otherwise; a lost part or theme differs by more
_SHADES = """async (png) => {
  const picture = new Image();
  picture.src = `data:image/png;base64,${png}`;
  await picture.decode();
  const canvas = document.createElement("canvas");
  [canvas.width, canvas.height] = [48, 30];
  const context = canvas.getContext("2d");
  context.imageSmoothingQuality = "high";
  context.drawImage(picture, 0, 0, 48, 30);
  const pixels = context.getImageData(0, 0, 48, 30).data;
  return Array.from({length: 48 * 30}, (_, at) => Math.round((pixels[4 * at] + pixels[4 * at + 1] + pixels[4 * at + 2]) / 3));
}"""


def differs(page: "Page", beside: "Page", name: str) -> float:
    """How many shades the page differs on the mean from the picture kept as `name`. `beside` is an empty page."""
    masked = [page.locator(part) for part in (".canvas", ".trace", ".history[open] .past")]
    png = page.screenshot(mask=masked, mask_color="#888888", animations="disabled", caret="hide")
    SHOTS.mkdir(parents=True, exist_ok=True)
    (SHOTS / f"{name}.png").write_bytes(png)
    seen = beside.evaluate(_SHADES, base64.b64encode(png).decode())
    known = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    if os.environ.get("WRITE_STATES"):
        KEPT.write_text(json.dumps({**known, name: bytes(seen).hex()}, indent=0, sort_keys=True) + "\n")
        return 0.0
    kept = bytes.fromhex(known[name])
    return sum(abs(one - other) for one, other in zip(seen, kept, strict=True)) / len(kept)
