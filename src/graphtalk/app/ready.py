"""What all questions need, loaded once: imported by the process that those which answer are forked from.

They begin with all of it, at no cost, and share its memory. Nothing here starts a thread, which a fork would lose.
"""

import gc
import signal

from graphtalk.app.reasoners import OFFLINE
from graphtalk.app.session import Session
from graphtalk.app.settings import Settings
from graphtalk.graphs.convert import from_triples

_FIRST = (
    "Which of them knows the most of what?"  # no pattern has it, so that all readers are loaded to decline it
)

signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for whoever asks, who lets answers finish
Session(from_triples([("Ann", "knows", "Bob")]), Settings(lm=OFFLINE)).ask(_FIRST)
gc.freeze()  # pages that nobody writes stay shared
