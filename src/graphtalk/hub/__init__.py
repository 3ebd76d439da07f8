"""The hub: cards of data sets, where their files come from, and lazy names for their graphs."""

from graphtalk.hub.card import DataCard, DataFile, card_names, read_card
from graphtalk.hub.hub import Hub, hub_folder

__all__ = ["DataCard", "DataFile", "Hub", "card_names", "hub_folder", "read_card"]
