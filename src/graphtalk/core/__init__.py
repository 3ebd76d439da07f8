"""Records and errors that every room shares. Standard library only."""

from graphtalk.core.errors import (
    CallError,
    CheckError,
    GraphtalkError,
    LimitError,
    ParseError,
    SourceError,
    StoreError,
    ToolError,
    UsageError,
    choices,
)
from graphtalk.core.records import JSON, Answer, Call, Evidence, Observation, Question, Step, Trace

__all__ = [
    "JSON",
    "Answer",
    "Call",
    "CallError",
    "CheckError",
    "Evidence",
    "GraphtalkError",
    "LimitError",
    "Observation",
    "ParseError",
    "Question",
    "SourceError",
    "Step",
    "StoreError",
    "ToolError",
    "Trace",
    "UsageError",
    "choices",
]
