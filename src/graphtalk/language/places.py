"""Adjectives of place, and the names that they come from."""

from collections.abc import Iterator

# endings of adjectives of place, and what the noun has instead
_ENDINGS = (("n", ""), ("an", ""), ("ian", ""), ("ian", "y"), ("ian", "e"), ("ean", ""), ("ean", "e"), ("ese", ""),
            ("ese", "a"), ("ish", ""), ("ish", "land"), ("i", ""), ("ic", ""), ("ic", "ia"), ("", "y"))  # fmt: skip

_OTHERS = {  # adjectives that no ending tells the place of
    "french": "France", "dutch": "Netherlands", "greek": "Greece", "swiss": "Switzerland", "spanish": "Spain", "danish": "Denmark",
    "swedish": "Sweden", "turkish": "Turkey", "norwegian": "Norway", "welsh": "Wales", "thai": "Thailand", "czech": "Czechia",
    "british": "United Kingdom", "portuguese": "Portugal", "filipino": "Philippines", "slovak": "Slovakia", "belgian": "Belgium",
    "argentine": "Argentina", "argentinian": "Argentina", "mexican": "Mexico", "moroccan": "Morocco", "american": "United States",
    "peruvian": "Peru", "canadian": "Canada", "congolese": "Congo", "kazakh": "Kazakhstan", "uzbek": "Uzbekistan", "afghan": "Afghanistan",
    "croat": "Croatia", "serb": "Serbia", "slovene": "Slovenia", "lebanese": "Lebanon", "ukrainian": "Ukraine", "burmese": "Myanmar",
}  # fmt: skip

_ONE_PLACE = (  # everyday names of one country
    ("us", "u.s", "usa", "u.s.a", "united states", "united states of america", "america"),
    ("uk", "u.k", "united kingdom", "great britain", "britain"),
    ("uae", "united arab emirates"), ("ussr", "soviet union"), ("holland", "netherlands"), ("czechia", "czech republic"),
    ("turkey", "türkiye"), ("burma", "myanmar"), ("ivory coast", "côte d'ivoire"), ("swaziland", "eswatini"),
    ("south korea", "republic of korea"), ("russia", "russian federation"), ("drc", "dr congo", "democratic republic of the congo"),
)  # fmt: skip
_NAMES = {name: place for place in _ONE_PLACE for name in place}


def other_names(text: str) -> list[str]:
    """Other everyday names of a country, long ones first, for short ones may be codes: "the US" → "united states of america", …"""
    place = text.casefold().removeprefix("the ").removesuffix(".")
    return [name for name in sorted(_NAMES.get(place, ()), key=len, reverse=True) if name != text.casefold()]


def nouns_of(adjective: str) -> Iterator[str]:
    """Names that an adjective of place may come from: "African" → "Africa", "Italian" → "Italy"."""
    other = _OTHERS.get(adjective.casefold())
    if other is not None:
        yield other if adjective[:1].isupper() else other.casefold()
    for ending, instead in _ENDINGS:
        if adjective.endswith(ending) and len(adjective) > len(ending) + 2:
            yield adjective[: len(adjective) - len(ending)] + instead
