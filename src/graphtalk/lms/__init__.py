"""Language models: one protocol, providers behind it, and layers around it. Providers load when used."""

from graphtalk.lms.protocol import (
    LanguageModel,
    Layer,
    Message,
    Reply,
    Request,
    ToolCall,
    Usage,
    about_tokens,
    in_one_piece,
    user,
)

__all__ = [
    "LanguageModel",
    "Layer",
    "Message",
    "Reply",
    "Request",
    "ToolCall",
    "Usage",
    "about_tokens",
    "in_one_piece",
    "user",
]
