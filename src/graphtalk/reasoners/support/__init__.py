"""Checking what a language model answers against what its calls showed.

`observed.py` knows what was shown, `claims.py` reads what the answer claims, `proofs.py` writes the call that gives
just that, `refusal.py` tells an answer from the words for having none, and `check.py` puts them together.
"""

from graphtalk.reasoners.support.check import Supported, support

__all__ = ["Supported", "support"]
