"""Stores as somebody would make them who means harm: changed, and with checksums that fit."""

import hashlib
import json
from pathlib import Path
from typing import Any

from graphtalk.graphs.store import _checksum


def seal(folder: Path, **entries: Any) -> None:
    """Write the manifest of a store anew, with the sizes and checksums that its files have now."""
    file = folder / "manifest.json"
    manifest = {**json.loads(file.read_text()), **entries}
    manifest.pop("checksum", None)
    for name in manifest["files"]:
        held = (folder / name).read_bytes()
        manifest["files"][name] = [len(held), hashlib.sha256(held).hexdigest()]
    file.write_text(json.dumps({**manifest, "checksum": _checksum(manifest)}))
