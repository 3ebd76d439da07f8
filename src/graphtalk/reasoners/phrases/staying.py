"""Where people are: what is a place of work, what one of living, and what words of a schema say of either."""

from collections.abc import Iterable

from graphtalk.reasoners.around.names import root

AT_WORK = frozenset(
    map(
        root,
        "office department company employer team ward branch division unit organization organisation firm workplace "
        "institution university hospital clinic school agency studio lab laboratory shop store site plant factory depot "
        "warehouse station restaurant library museum theatre theater bank hotel garage workshop".split(),
    )
)
AT_HOME = frozenset(
    map(root, "city town country state address residence home village street hometown region".split())
)

ON_TASKS = frozenset(
    map(root, "work assignment assigned contributor contributes task job duty staffing crew".split())
)
"""What relations are called by which people work on something."""

_LIVES = {"born": frozenset({"birth", "born"}), "die": frozenset(map(root, ("death", "died", "dies")))}


def stays(verb: str, words: Iterable[str]) -> bool:
    """Whether one may `live`, `work`, be `born`, `die` or just `be` at what words of a schema name."""
    named = {root(w) for w in words}
    if verb in _LIVES:
        return bool(named & _LIVES[verb])
    if verb == "work":
        return bool(named & (AT_WORK | {"work", "employ"})) and not named & {"home", "birth", "born"}
    if verb in ("live", "come"):
        elsewhere = {"birth", "work", "born"} | AT_WORK
        return bool(named & (AT_HOME | {"live", "resid"})) and not named & elsewhere
    return not named & {"birth", "born", "death"}
