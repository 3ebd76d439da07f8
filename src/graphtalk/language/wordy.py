"""What people say at length, said shortly: "based on their size", "mentioned in the database", "along with their respective"."""

import re
from collections.abc import Iterable

from graphtalk.core.text import NUMBER_WORDS
from graphtalk.language.dictionary import verb_done
from graphtalk.language.leading import ORDERS

_IN_PERCENT = re.compile(
    r"\b(?:share|fraction|proportion)(?P<of> of .+?),? (?:in|as an?) (?:percent|per cent|percentage|%)(?=\s*[?.!]*$)",
    re.I,
)
_NOT_ONE = re.compile(
    r"(?P<not>\b(?:not|never|without|no)\b|n['’]t\b)(?P<verb>(?: \w+)?) (?:even )?(?:a|one) single (?=\w)",
    re.I,
)
_NOT_HAD = re.compile(r"\b(?P<have>has|have|had) (?:not|never) had (?:any|an?|one)? ?(?=\w)", re.I)
# What says that something is so up to now, or at any time, where a verb says as much.
_SO_FAR = re.compile(
    r"(?P<verb>\b(?:is|are|was|were|am|be|been|has|have|had|who|that|which|do|does|did|not|never|n['’]t)) (?:(?:still|already)(?!.*\d{4})|currently|yet|ever) (?=\w)"
    r"|(?P<done>\b(?:did|has|have|had|was|were)\b(?: (?!for\b)[\w'’.-]+){1,5}?|\b(?:most|least|\w+est)\b(?: (?!for\b)[\w'’.-]+){1,3}?) ever(?= \w)"
    r"|(?P<denied>\b(?:no|not|never|without|n['’]t)\b[^.?!;]*?) yet\b",
    re.I,
)
_AFTER_PASSIVE = frozenset(
    (
        "",
        *"by in on at to for from with of as under over before after since until through during about and or than".split(),
    )
)
_CONTRACTED = re.compile(r"^(?P<lead>\W*)(?P<who>who|what|where|when|how|which)['’]s (?!got\b)", re.I)
_EACH_PERIOD = re.compile(
    r"(?<=\w) (?:in |for )?(?:each|every) (?P<period>year|quarter|month|week|day|weekday)(?=[?.! ]*$)", re.I
)
# How many are told of what was found.
_LIMITED = re.compile(
    r"(?:[.?!;,]+|(?<=\w)) ?(?:and )?(?:please )?(?:limit(?:ing|ed)?(?: (?:it|them|this|(?:the|your) \w+))? to|(?:show|list|give|return|display|tell)(?: me)? only)"
    r"(?: only)?(?: the)?(?: top| first)? (?P<many>\d+|"
    + "|".join(NUMBER_WORDS[1:])
    + r")(?: (?:of (?:them|these)|results?|rows?|entries|matches|ones))?(?=[.!]*$)",
    re.I,
)
_NOT = re.compile(r"\b(?P<verb>is|are|was|were|do|does|did|has|have|had|could|would|should)n['’]t\b", re.I)
_BEING = re.compile(r"\b(?P<be>(?:is|are|was|were)(?: not)?) being (?=\w+(?:ed|en|wn|ght|lt)\b)", re.I)
_EVERY = re.compile(rf"^(?P<order>\W*(?:{'|'.join(ORDERS)})(?: me)?) every (?=\w)", re.I)
_EXAMPLES = re.compile(
    r" \((?=[^()]*(?:\band so on|\betc|\be\.g\.)|(?:[a-z -]+, )+[a-z -]+\))[^()]*\)(?=[?.! ]*$)"
)
_EITHER_OR = re.compile(r"\beither (?!of\b|one\b|side\b|end\b|way\b|\w+ed\b)(?=[^.?!;]*\bor\b)", re.I)
_ARE_THERE = re.compile(
    r"^(?P<many>\W*how many (?:[\w'’-]+ ){1,4}?)(?:are|were) there (?=(?:in|on|since|before|after|between|during|from) "
    r"(?:[a-z]+ ){0,2}?(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))",
    re.I,
)
_THE_BEST_ONE = re.compile(
    r"(?<=\b(?:is|as) )(?P<best>the (?:(?:most|least) \w+|\w+est)) one(?=\W|$)(?! of\b)|(?<=\bare )(?P<bests>the (?:(?:most|least) \w+|\w+est)) ones(?=\W|$)",
    re.I,
)
_WHICH_ONES = re.compile(r"(?<=, )which ones? (?=\w)", re.I)
_ON_WHICH_DATE = re.compile(r"\bon (?:which|what) (?:date|day) (?=\w)", re.I)
_WHAT_YEAR = re.compile(r"^(?P<lead>\W*)(?:which|what) year (?=(?:do|does|did|has|have)\b)", re.I)
_ACROSS = re.compile(r"\bacross all(?P<the>(?: of)? the)? (?=\w)", re.I)
_WITH_US = re.compile(
    r"(?<=\w)(?<!been)(?<!is)(?<!are)(?<!work)(?<!works) (?:(?:with|for|from|to) us(?=[?.! ]*$| (?:in|on|since|before|after|during|last|this)\b)|between (?:them|themselves)(?=[?.! ]*$))",
    re.I,
)
_BASED = re.compile(
    r"^(?P<where>\W*where (?:is|are) .+?) (?P<based>based|located|situated|headquartered)(?=[?.! ]*$)", re.I
)
_OUTSIDE = re.compile(r"\b(?:from )?outside(?: of)? (?=(?:the )?[A-Z\"'“])")
# What it is the most of is said behind "by".
_MOST_BY = re.compile(
    r"\bmost (?:[a-z]+) (?P<noun>[\w-]+(?: [\w-]+)?) (?:by|in terms of|based on|measured by) (?:the )?(?:total )?(?:number|count) of (?P<what>[\w -]+?)(?=[?.! ]*$)",
    re.I,
)
_HOME_TO = re.compile(r"\b(?P<be>is|are|was|were) (?:the )?home to (?=\w)", re.I)
_MADE_OF = re.compile(
    r"^(?P<lead>\W*)what (?:is|are|was|were) (?P<what>.+?) (?:made|built|composed|formed)(?: up)? (?:of|from|out of)(?=[?.! ]*$)",
    re.I,
)
_MATERIALS = ("material", "materials", "composition", "substance", "fabric")
# Not only one in common.
_SAME_SET = re.compile(
    r"\b(?:an?|the) (?:very |exact(?:ly)? )?(?:same|identical) (?:set|list|group|collection)s? of (?P<what>[\w-]+(?: [\w-]+)??) (?:to|as)\b",
    re.I,
)
_SHORT = re.compile(
    r"(?P<the>\bthe )?(?:\b(?P<avg>avg)\b\.?|(?<![\w#])(?:#|(?:no|nr|num)\.?) of )(?=\s*\w)", re.I
)
_BY_NAME = re.compile(
    rf"^(?P<list>\W*(?:{'|'.join(ORDERS)})\b(?!.*\b(?:sort|order|group|rank)).*) by (?:their )?names?(?=[?.! ]*$)",
    re.I,
)
_TAKES_HOME = re.compile(
    r"\b(?P<take>tak(?:e|es|ing)|took) home (?=an?\b|the\b|more\b|less\b|over\b|under\b|at (?:least|most)\b|between\b|\d)",
    re.I,
)
_TAKEN_ON = re.compile(
    r"\b(?P<were>was|were|been|be) taken on (?=in|since|after|before|during|between|on|by|last|first)\b", re.I
)
_NON = re.compile(r"\bnon[- ]?(?P<word>[a-z]{3,})\b", re.I)
_MONTH = r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*"
_DAY = rf"(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}|{_MONTH} \d{{1,2}}(?:st|nd|rd|th)?)"
_SAME_YEAR = re.compile(
    rf"\b(?P<first>(?:between|from) {_DAY})(?P<to> (?:and|to|until|till) {_DAY},? (?P<year>\d{{4}}))\b", re.I
)
_WHOLE_SPAN = re.compile(
    rf"\b(?:from|between) the (?:start|beginning) of (?P<first>(?:{_MONTH} )?\d{{4}}) (?:to|until|till|through|and) the end of (?=(?:{_MONTH} )?\d{{4}}\b)",
    re.I,
)
_OF_PERIOD = re.compile(  # what is after the start of a year is in it
    rf"\b(?P<at>(?:up )?(?:to|until|till)|after|since|from|before|by) the (?P<end>start|beginning|end) of (?=(?:{_MONTH} )?\d{{4}}\b)",
    re.I,
)
_AT_PERIOD = {
    "after start": "since", "since start": "since", "from start": "since", "before start": "before", "by start": "before",
    "after end": "after", "since end": "after", "from end": "after", "before end": "up to", "by end": "up to",
    "to end": "up to", "until end": "up to", "till end": "up to",
}  # fmt: skip
_OF_THE = re.compile(
    r"\b(?P<many>(?:at least|at most|more than|fewer than|less than|exactly|only) (?:\d+|one|two|three|four|five|six|seven|eight|nine|ten)) of (?:the|our|these|those) (?=[a-z-]+s\b)",
    re.I,
)
_MOST_OF_OUR = re.compile(r"\b(?P<do>do|does|did) most of (?:our|the|these) (?=[a-z-]+s\b)", re.I)
_WE_HAVE = re.compile(
    r"(?<=\w)(?<!\bdo)(?<!\bdid)(?<!\bdoes) (?:that |which )?we (?:own|have|have got|sell|offer|run|stock)(?=[?.! ]*$|, )",
    re.I,
)
_HERE = re.compile(
    r"(?P<work>\b(?:work|works|worked|working|employed)) here(?=[?.! ]*$| at the moment\b)",
    re.I,
)
_LEFT_US = re.compile(r"\b(?P<verb>left|joined|join|leave|cost|costs) (?-i:us)\b", re.I)
_RANK = re.compile(
    r"^(?P<lead>\W*)(?:rank|sort|order) (?:all (?:the |our )?|the |our )(?P<what>[^?.!]+?) (?P<by>by [^?.!]+)",
    re.I,
)
_COMES_TO = re.compile(
    r"^(?P<lead>\W*)what (?:do|does|did) (?:the |all the |all )?(?P<what>[\w-]+) (?P<of>(?:of|for) .+?) (?:come|came|add up|amount|run) to(?: in (?:total|all)| altogether)?(?=[?.! ]*$)",
    re.I,
)
_KNOWN_AS = re.compile(
    r"(?i:\b(?:(?:also|better|commonly) )?(?:known as|by the name of|(?:that|which|who) goes by(?: the name(?: of)?)?)) (?=(?:the |The )?[A-Z\"'“‘])"
)
_WORKED = re.compile(  # "put in the most hours", "how many hours has Ann spent on it"
    r"\b(?:put in|spent|clocked up|racked up|logged)(?= (?:the (?:most|fewest)|more|fewer) (?:hours|days)\b)"
    r"|(?<!\w)(?P<many>(?:how many|the (?:most|fewest)|more|fewer) (?:hours|days) [^?.;]*?)\b(?:put in|spent|clocked up|racked up|logged)(?= (?:on|for|working on|with)\b)",
    re.I,
)
_ANY_AND_WHICH = re.compile(
    r"^\W*(?:(?:is|are|was|were) there (?:any |some |an? )?(?P<there>[^?]+?)|(?:do|does|did|have|has) any (?P<any>[^?]+?))[?,;.]\s*(?:and |if so,? )?"
    r"(?:which|who|list (?:it|them))(?: (?:ones?|is it|are they|are these))?[?. ]*$",
    re.I,
)
_QUOTED = r"(?=[\"'“‘])"
_SET_TO = re.compile(rf"(?<=\w) set to {_QUOTED}", re.I)
_RECORDED = ("mentioned", "listed", "recorded", "stored", "found", "present", "contained", "registered", "available", "included")  # fmt: skip
_KEPT = (
    r"(?:(?:that|which|who) (?:are|is|were|was) )?"
    rf"(?:(?:{'|'.join(_RECORDED)}) )"
)
# "Which are in the system?" asks for just that.
_NO_VERB = "".join(
    rf"(?<!\b{verb})" for verb in ("is", "are", "was", "were", "be", "been", "exist", "exists", "there")
)
_NOT_KEPT = "".join(rf"(?<!\b{word})" for word in _RECORDED)
_UNKNOWN = r"missing|unknown|empty|blank|not (?:known|given|recorded|set|there|stated|specified)"
_STORES = (
    "database",
    "data base",
    "graph",
    "knowledge graph",
    "dataset",
    "data set",
    "data",
    "schema",
    "system",
)
_IF_TIED = (
    r"(?:if|in case) (?:it(?:['’]s| is)|there(?:['’]s| is| are)|they(?:['’]re| are)|several) "
    r"(?:an? |any |more than one |several )?(?:ties?|tied|draws?|drawn|equal)\b"
)
_ALL_TOLD = r"(?:list|give|name|show|tell)(?: me)? (?:them all|all(?: [\w ]{1,40}?)?|both)"
_TIED = re.compile(  # all that are first are told as it is, but for the top three
    rf"^(?!.*\btop\b)(?P<asked>.*?)(?:,? (?:with all that are as (?:common|frequent|many)|or what are those that tie(?: for it)?)(?=[,?.! ]*$)"
    rf"|(?:[,;]|(?P<stop>[.?!])| [-–—])? \(?(?:and )?(?:{_ALL_TOLD}[, ]+)?{_IF_TIED}(?:,? (?:please )?{_ALL_TOLD})?\)?(?P<end>[?.!]?) ?$)",
    re.I,
)
_ON_FILE = re.compile(
    rf"(?P<none>\b(?:no|without(?: an?| any)?|(?:not|n['’]t) (?:have|has|had)(?: an?| any)?)(?: [\w'’-]+){{1,3}}?) (?P<kept>{'|'.join(_RECORDED)}|on (?:record|file)|noted|logged|given)(?=[?.! ]*$)",
    re.I,
)
_RESPECTIVE = re.compile(r"\b(their|its|his|her|the) (?:respective|corresponding|associated) (?=\w)", re.I)
_RESPECTIVELY = re.compile(r",? respectively(?=[ .?!,]|$)", re.I)
_ALONG_WITH = re.compile(r",? (?:along|together) with (?=(?:their|its|his|her)\b)", re.I)
# What has letters and digits is called by it: "the interface with IP '10.0.0.1'".
_ACRONYM = re.compile(r"\bwith (?:(?:the|an?) )?(?P<word>[A-Z]{2,5})s?(?: address)? (?=[\"'][^\"']*\d)")
_NAMED = re.compile(r"(?P<quote>[\"'])(?P<name>\w+)(?P=quote)(?: (?:property|attribute|field|column))?(?!\w)")


def quoted_names(question: str, names: Iterable[str]) -> list[str]:
    """What stands in quotes and is what a property is called: `'createdAt'`."""
    plain = {name.replace(" ", "").casefold() for name in names}
    return [m["name"] for m in _NAMED.finditer(question) if m["name"].replace("_", "").casefold() in plain]


def _has_done(rest: str) -> bool:
    """Whether "who's" is "who has" before this: "been mentored by X", "taught Ann", but not "taught by Ann" and "called Ann".

    >>> _has_done("been here longest"), _has_done("taught Ann Bell?"), _has_done("taught by Ann Bell?"), _has_done("the oldest?")
    (True, True, False, False)
    """
    verb, following, *_ = (*re.findall(r"[\w'’-]+", rest.lower())[:2], "", "")
    if verb in ("been", "had", "got"):
        return True
    return bool(verb_done(verb)) and verb not in ("called", "named") and following not in _AFTER_PASSIVE


def shorter(question: str, names: Iterable[str], texts: Iterable[str] = ()) -> str:
    """The question without the words that say nothing of what is asked for.

    `names`: the properties and relations of the graph in plain words; `texts`: what stands in quotes and is a text of the graph, which stays.

    >>> shorter("List the top 5 teams based on their creation date.", ["creation date"])
    'List the top 5 teams by creation date.'
    >>> shorter("List the 5 oldest teams by the 'createdAt' property.", ["created at"])
    'List the 5 oldest teams by created at.'
    >>> shorter("List all cities mentioned in the database.", [])
    'List all cities.'
    >>> shorter("What is the largest city in Peru by population?", ["population"])
    'What is the city in Peru with the highest population?'
    >>> shorter("List all hubs with IP '10.0.0.1'.", [])
    "List all hubs named '10.0.0.1'."
    >>> shorter("List the teams along with their respective towns.", [])
    'List the teams and their towns.'
    >>> shorter("the share of bills that are paid, in percent", [])
    'the percentage of bills that are paid'
    >>> shorter("List every clerk who isn't away", [])
    'List all clerk who is not away'
    >>> shorter("Which clubs do not have a single member?", [])
    'Which clubs do not have any member?'
    >>> shorter("Which bills are still unpaid?", []), shorter("Has Ann ever flown to Oslo?", [])
    ('Which bills are unpaid?', 'Has Ann flown to Oslo?')
    >>> shorter("Which jobs had already begun in 2020?", [])  # in that year, or before
    'Which jobs had already begun in 2020?'
    >>> shorter("Of the jobs that have no end yet, which one is longest?", [])
    'Of the jobs that have no end, which is longest?'
    >>> shorter("How many non-refundable tickets are there in May 2024?", ["refundable"])
    'How many unrefundable tickets in May 2024?'
    >>> shorter("Whose email is missing?", ["email"]), shorter("the clerks whose email is not known", ["email"])
    ('Who has no email?', 'the clerks without email')
    >>> shorter("the average price across all goods", [])
    'the average price of all goods'
    >>> shorter("films with an identical set of genres to Dune", [])
    'films with the same genres as Dune'
    >>> shorter("avg. price per shop and the # of sales", [])
    'average price per shop and the number of sales'
    >>> shorter("List all gold coins by name.", []), shorter("Who is on it these days?", [])  # now, not ever
    ('List all gold coins.', 'Who is on it these days?')
    >>> shorter("Which clerk takes home the highest wage?", []), shorter("Who was taken on in 2019?", [])
    ('Which clerk earns the highest wage?', 'Who was hired in 2019?')
    >>> shorter("bills sent between 1 March and 30 April 2024", [])
    'bills sent between 1 March 2024 and 30 April 2024'
    >>> shorter("bills from the start of 2015 to the end of May 2018", [])
    'bills between 2015 and May 2018'
    >>> shorter("What do the fees of open jobs come to?", []), shorter("Rank our shops by rent", [])
    ('what is the total fees of open jobs?', 'list all shops ordered by rent')
    >>> shorter("How many clerks have left us?", []), shorter("Who left US?", []), shorter("order count by shop", [])
    ('How many clerks have left?', 'Who left US?', 'order count by shop')
    >>> shorter("shops opened after the start of 2022", []), shorter("bills paid by the end of May 2018", [])
    ('shops opened since 2022', 'bills paid up to May 2018')
    >>> shorter("How many clerks have no desk recorded?", []), shorter("plants with no height noted", ["noted"])
    ('How many clerks have no desk?', 'plants with no height noted')
    >>> shorter("Which clerks are away? Limit to the top 3 results.", [])
    'Which clerks are away, list the first 3.'
    >>> shorter("Where is Ann based?", []), shorter("What is the desk made of?", ["material"])
    ('Where is Ann?', 'what is the material of the desk?')
    >>> shorter("the berth number of the Heron", ["berth no"]), shorter("number of berths", ["berth no"])
    ('the berth no of the Heron', 'number of berths')
    >>> shorter("the three most active clerks by number of bills sent", [])
    'the three clerks with the most bills sent'
    >>> shorter("clerks outside of Rome", []), shorter("Which desk is home to two clerks?", [])
    ('clerks not in Rome', 'Which desk has two clerks?')
    >>> shorter("the bell known as Sweet Anne", []), shorter("Are there any desks we never used? Which?", [])
    ('the bell called Sweet Anne', 'List all desks we never used.')
    >>> shorter("How many hours has Ann put in on repairs?", []), shorter("Who has spent the most hours on it?", [])
    ('How many hours has Ann worked on repairs?', 'Who has worked the most hours on it?')
    >>> shorter("Which desk is the biggest? If there's a tie list them all.", [])
    'Which desk is the biggest?'
    """
    names = [name for name in names if name]
    question = _ANY_AND_WHICH.sub(
        lambda m: f"List all {m['there']}." if m["there"] else f"Which {m['any']}?", question
    )
    question = _IN_PERCENT.sub(r"percentage\g<of>", question)
    question = _NOT.sub(r"\g<verb> not", _EVERY.sub(r"\g<order> all ", _EXAMPLES.sub("", question)))
    question = _CONTRACTED.sub(
        lambda m: f"{m['who']} {'has' if _has_done(question[m.end() :]) else 'is'} ", question
    )
    question = _BEING.sub(r"\g<be> ", question)
    question = _SO_FAR.sub(lambda m: m["verb"] + " " if m["verb"] else m["done"] or m["denied"], question)
    own = {word for name in names for word in name.casefold().split()}
    question = _SHORT.sub(
        lambda m: m[0] if "avg" in own else f"{m['the'] or ''}{'average' if m['avg'] else 'number of '}",
        question,
    )
    question = _THE_BEST_ONE.sub(lambda m: m["best"] or m["bests"], question)
    question = _WHICH_ONES.sub("which ", _ARE_THERE.sub(r"\g<many>", _EITHER_OR.sub("", question)))
    question = _ON_WHICH_DATE.sub("when ", _WITH_US.sub("", question))
    question = _WHAT_YEAR.sub(r"\g<lead>in what year ", question)
    question = _BY_NAME.sub(r"\g<list>", question)
    question = _MOST_BY.sub(r"\g<noun> with the most \g<what>", question)
    question = _OUTSIDE.sub("not in ", _KNOWN_AS.sub("called ", question))
    if own.isdisjoint(("spent", "logged")):
        question = _WORKED.sub(lambda m: f"{m['many'] or ''}worked", question)
    question = _HOME_TO.sub(lambda m: {"is": "has ", "are": "have "}.get(m["be"].lower(), "had "), question)
    for numbered in (name[:-3] for name in names if name.endswith((" no", " nr"))):
        # The "context number" of `context_no`.
        said = re.compile(rf"\b({re.escape(numbered)}) (?:number|no\.|nr\.)(?!\w)", re.I)
        question = said.sub(r"\1 no" if f"{numbered} no" in names else r"\1 nr", question)
    question = _BASED.sub(lambda m: m[0] if m["based"].lower() in own else m["where"], question)
    for material in [name for name in names if name.casefold() in _MATERIALS][:1]:
        question = _MADE_OF.sub(rf"\g<lead>what is the {material} of \g<what>", question)
    question = _TAKES_HOME.sub(
        lambda m: {"takes": "earns ", "took": "earned ", "taking": "earning "}.get(
            m["take"].lower(), "earn "
        ),
        question,
    )
    question = _TAKEN_ON.sub(r"\g<were> hired ", question)
    question = _NOT_HAD.sub(r"\g<have> no ", question)
    question = _NOT_ONE.sub(r"\g<not>\g<verb> any ", question)
    question = _SAME_SET.sub(r"the same \g<what> as", question)
    question = _ACROSS.sub(r"of all\g<the> ", question)
    question = _WHOLE_SPAN.sub(r"between \g<first> and ", question)
    question = _LEFT_US.sub(r"\g<verb>", _HERE.sub(r"\g<work>", _WE_HAVE.sub("", question)))
    question = _MOST_OF_OUR.sub(r"\g<do> most ", _OF_THE.sub(r"\g<many> ", question))
    question = _COMES_TO.sub(r"\g<lead>what is the total \g<what> \g<of>", question)
    question = _RANK.sub(r"\g<lead>list all \g<what> ordered \g<by>", question)
    question = _OF_PERIOD.sub(lambda m: _from_period(m) or m[0], question)
    question = _SAME_YEAR.sub(r"\g<first> \g<year>\g<to>", question)
    kept, plain = set(texts), {name.replace(" ", "").casefold(): name for name in names}

    def unquoted(match: re.Match[str]) -> str:
        name = plain.get(match["name"].replace("_", "").casefold())
        return match[0] if name is None or match["name"] in kept else name

    question = _NAMED.sub(unquoted, question)
    called = "|".join(re.escape(name) for name in sorted(names, key=len, reverse=True))
    if called:
        question = re.sub(
            rf"\b(?:based on|according to|in terms of|going by|(?<!, )(?:split|broken|divided) (?:up |down )?by) (?:(?:the|their|its) )?(?=(?:{called})\b)",
            "by ",
            question,
            flags=re.I,
        )
        question = re.sub(
            rf"(?P<start>^\W*)?\bwhose (?P<name>{called}) (?:is|are) (?:{_UNKNOWN})\b",
            lambda m: (
                f"{m['start']}Who has no {m['name']}" if m["start"] is not None else f"without {m['name']}"
            ),
            question,
            flags=re.I,
        )
        question = re.sub(rf"\b(?:a |an |the )?missing (?=(?:{called})\b)", "no ", question, flags=re.I)
        question = re.sub(rf"\bby (?:the|their|its) (?=(?:{called})[.?!]*$)", "by ", question, flags=re.I)
        question = re.sub(
            rf"\b(largest|biggest|greatest|smallest) ((?:\w+ )+?)(?:by|in) ({called})(?=[.?!]*$)",
            lambda m: f"{m[2]}with the {'lowest' if m[1].lower() == 'smallest' else 'highest'} {m[3]}",
            question,
            flags=re.I,
        )
    words = {name.casefold() for name in names}
    question = _NON.sub(lambda m: f"un{m['word']}" if m["word"].lower() in own else m[0], question)
    stores = "|".join(store for store in _STORES if store not in words)
    for name in names:  # "hours a week" of `hours_per_week`
        one, per, unit = name.partition(" per ")
        if per:
            question = re.sub(
                rf"\b{re.escape(one)} (?:an?|each|every) {re.escape(unit)}\b", name, question, flags=re.I
            )
    question = re.sub(
        rf"{_NO_VERB}(?: {_KEPT}|{_NOT_KEPT} )in (?:the|this|our|your) (?:{stores})(?=[.?!,]|$)",
        "",
        question,
        flags=re.I,
    )
    question = _ACRONYM.sub(lambda m: m[0] if m["word"].casefold() in own else "named ", question)
    question = _SET_TO.sub(" ", question)
    question = _ON_FILE.sub(lambda m: m[0] if m["kept"].casefold() in own else m["none"], question)
    question = _TIED.sub(lambda m: f"{m['asked']}{m['stop'] or m['end'] or ''}", question)
    question = _EACH_PERIOD.sub(r" per \g<period>", question)
    question = _LIMITED.sub(r", list the first \g<many>", question)
    question = _RESPECTIVE.sub(r"\1 ", question)
    question = _RESPECTIVELY.sub("", question)
    return _ALONG_WITH.sub(" and ", question)


def _from_period(match: re.Match[str]) -> str:
    """The words for a time from or up to the start or end of a period: "since" for "after the start of"."""
    side = "start" if match["end"].lower() == "beginning" else match["end"].lower()
    said = _AT_PERIOD.get(f"{match['at'].lower().removeprefix('up ')} {side}")
    return f"{said} " if said else ""
