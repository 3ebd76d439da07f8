"""Records and errors that every room shares. Standard library only."""

from graphtalk.core.errors import (
    BudgetError,
    CallError,
    CheckError,
    GraphtalkError,
    LimitError,
    LmBusyError,
    LmError,
    ParseError,
    SourceError,
    StoreError,
    ToolError,
    UsageError,
    choices,
)
from graphtalk.core.records import JSON, Answer, Call, Evidence, Observation, Question, Step, Stop, Trace

__all__ = [
    "JSON",
    "Answer",
    "BudgetError",
    "Call",
    "CallError",
    "CheckError",
    "Evidence",
    "GraphtalkError",
    "LimitError",
    "LmBusyError",
    "LmError",
    "Observation",
    "ParseError",
    "Question",
    "SourceError",
    "Step",
    "Stop",
    "StoreError",
    "ToolError",
    "Trace",
    "UsageError",
    "choices",
]
