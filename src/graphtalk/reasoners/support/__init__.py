"""Checking what a language model answers against what its calls showed.

`observed.py` knows what was shown, `claims.py` reads what the answer claims, `proofs.py` writes the call that gives
just that, and `check.py` puts them together.
"""

from graphtalk.reasoners.support.check import NOTHING, Supported, support

__all__ = ["NOTHING", "Supported", "support"]
