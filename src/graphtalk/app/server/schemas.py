"""What is asked of the API and what it gives, typed. An answer is the object of `graphtalk ask --json`."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, WithJsonSchema

MOST_QUESTION = 10_000
MOST_CALL = 20_000

GraphName = Annotated[str, Field(max_length=200, description="The name of a graph of this server.")]
Json = Any
_KINDS = ("object", "array", "string", "number", "boolean", "null")
# Any JSON, spelt out: the MCP Inspector warns of a schema without a keyword, which clients may not take.
Anything = Annotated[Json, WithJsonSchema({"anyOf": [{"type": kind} for kind in _KINDS]})]


class Model(BaseModel):
    """A model that takes no field it does not know."""

    model_config = ConfigDict(extra="forbid")


class Problem(BaseModel):
    """What was wrong and what would be right (RFC 9457)."""

    type: str
    title: str
    status: int
    detail: str


_REFUSED: dict[str, Any] = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
PROBLEMS: dict[int | str, dict[str, Any]] = {
    "4XX": {
        "description": "Refused: what was wrong with the request.",
        "model": Problem,
        "content": _REFUSED,
    },
    "5XX": {"description": "Not available: what failed here.", "model": Problem, "content": _REFUSED},
}


class AskRequest(Model):
    """A question about a graph. With `conversation` it may be a follow-up; an empty one begins a new one."""

    graph: GraphName
    question: Annotated[str, Field(max_length=MOST_QUESTION)]
    reasoner: Annotated[str, Field(max_length=100)] = ""
    lm: Annotated[str, Field(max_length=200)] = ""
    conversation: Annotated[str | None, Field(max_length=100)] = None
    choose: Annotated[
        int,
        Field(
            ge=0, le=4, description="Answer by the alternative of this number; 0: by the likeliest reading."
        ),
    ] = 0
    trace: bool = False


class CallRequest(Model):
    """A call in any spelling, on a graph."""

    graph: GraphName
    call: Annotated[str, Field(max_length=MOST_CALL)]


class QueryRequest(Model):
    """A Cypher query that reads, on a graph. `parameters` are the values of `$name` in it."""

    graph: GraphName
    cypher: Annotated[str, Field(max_length=MOST_CALL)]
    parameters: dict[str, Json] = {}


class Feedback(Model):
    """Whether an answer was right, to be kept as a test case. `note`: what is wrong, or would be right."""

    graph: GraphName
    question: Annotated[str, Field(min_length=1, max_length=MOST_QUESTION)]
    answer: Json
    call: Annotated[str, Field(max_length=MOST_CALL)] = ""
    right: bool
    note: Annotated[str, Field(max_length=MOST_QUESTION)] = ""


class VerifyRequest(Model):
    """An answer whose calls are to be run again."""

    graph: GraphName
    answer: dict[str, Json]


class RoundsRequest(Model):
    """A question that `graph-agents` answered, whose rounds are wanted."""

    graph: GraphName
    question: Annotated[str, Field(min_length=1, max_length=MOST_QUESTION)]


class Rounds(BaseModel):
    """The rounds of a distributed algorithm: messages and new states in lines, of large graphs a sample, and of small ones a picture (SVG)."""

    lines: list[str]
    picture: str


class Evidence(BaseModel):
    """Nodes by id, and edges as source, relation, target."""

    nodes: list[str]
    edges: list[tuple[str, str, str]]
    complete: bool


class CallRecord(BaseModel):
    """A call that was run."""

    spelling: str
    cypher: str = ""
    result: Anything
    seconds: float


class StepMade(BaseModel):
    """A step of a run."""

    kind: Literal["thought", "call", "observation", "answer"]
    text: str


class Alternative(BaseModel):
    """A reading that was not sure enough: in words, as a call, and how likely it is meant, 0 to 1."""

    reading: str
    call: str
    confidence: float


class Answer(BaseModel):
    """An answer with all it rests on. `parts` are the answers to the questions that a follow-up stood for, if several."""

    answered: bool
    answer: str
    value: Anything
    confidence: float | None = Field(
        None, description="How likely the answer is right, where that was judged."
    )
    alternatives: list[Alternative] = []
    evidence: Evidence
    calls: list[CallRecord]
    near: list[str]
    reason: str = Field("", description="Why there is no answer, without what is offered instead.")
    stopped: str
    unsupported: list[str]
    remarks: list[str]
    reading: str = ""
    reasoner: str
    lm: str
    usage: dict[str, float]
    seconds: float
    trace: list[StepMade] = []
    graph: str = ""
    question: str = Field("", description="The question as it was understood.")
    conversation: str | None = None
    parts: list["Answer"] = []


class CallResult(BaseModel):
    """What a call gave."""

    call: str
    result: Anything
    evidence: Evidence
    calls: list[CallRecord]
    remarks: list[str]
    seconds: float


class QueryRows(BaseModel):
    """The rows of a query, with what they rest on. Of long results only the first rows; `count` says how many there are."""

    columns: list[str]
    rows: list[list[Anything]]
    count: int
    evidence: Evidence
    remarks: list[str]
    call: str
    seconds: float


class Verification(BaseModel):
    """Whether an answer is what its calls give. `same`: nothing differs, and all that can be checked was."""

    same: bool
    verdict: Literal["same", "differs", "concluded", "nothing"]
    differences: list[str]
    checked: list[str]
    unchecked: list[str]


class GraphSummary(BaseModel):
    """A graph in a list."""

    name: str
    nodes: int
    edges: int
    graphs: int


class Graphs(BaseModel):
    """The graphs of this server, and by whom questions can be answered."""

    graphs: list[GraphSummary]
    lms: list[str]
    reasoners: dict[str, list[str]]
    default: dict[str, str]
    upload: int = Field(0, description="Bytes of the largest file that may become a graph; 0: none may.")


class GraphPage(BaseModel):
    """All about a graph: its schema in words and as data, counts, questions to try."""

    name: str
    graphs: int
    nodes: int
    edges: int
    node_types: list[dict[str, Json]]
    relations: list[dict[str, Json]]
    description: str
    questions: list[str]
    bytes: int
    checksum: str


class Example(BaseModel):
    """A question that is known to be answered: its kind, and the call that it means."""

    kind: str
    question: str
    call: str


class Examples(BaseModel):
    """Questions to begin with, of different kinds."""

    examples: list[Example]


class Sample(BaseModel):
    """Nodes of a graph, those with most edges first, and edges among them; each list has one entry for each.

    `type` and `relation` count in `types` and `relations`, `source` and `target` among the nodes. `total` is how many
    nodes there are of these types.
    """

    types: list[str]
    relations: list[str]
    id: list[str]
    label: list[str]
    type: list[int]
    degree: list[int]
    source: list[int]
    target: list[int]
    relation: list[int]
    total: int


class NodeName(BaseModel):
    """A node by id, with what it is called."""

    id: str
    label: str
    type: str


class Hit(NodeName):
    """A node that was found, and how well it fits (0 to 1)."""

    score: float


class Hits(BaseModel):
    """What a search found, best first."""

    hits: list[Hit]


class Node(NodeName):
    """A node with its features, and how many neighbours it has by each relation, as named from its side."""

    features: dict[str, Json]
    relations: dict[str, int]


class Weighed(NodeName):
    """A node by id, with what it is called, and how many edges it has."""

    degree: int


class Neighbour(Weighed):
    """A neighbour, the relation's own name, and the edge as source, relation, target."""

    relation: str
    edge: tuple[str, str, str]


class Neighbours(BaseModel):
    """A page of a node's neighbours."""

    total: int
    limit: int
    offset: int
    neighbours: list[Neighbour]


class NamesRequest(Model):
    """Nodes whose names are wanted, what each has of one feature where `feature` names one, and the edges among them."""

    edges: bool = False
    feature: Annotated[str, Field(max_length=500)] = ""
    ids: Annotated[list[Annotated[str, Field(max_length=2_000)]], Field(max_length=5_000)]


class Called(Weighed):
    """The same, and the feature that was asked for."""

    value: Anything = None


class Names(BaseModel):
    """What nodes are called, those that there are."""

    nodes: list[Called]
    edges: list[tuple[str, str, str]] = []


class TurnKept(BaseModel):
    """A question with its answer."""

    asked: str
    answer: Answer


class Title(Model):
    """What a conversation is to be called."""

    title: Annotated[str, Field(min_length=1, max_length=200)]


class ConversationAbout(BaseModel):
    """A conversation in a list."""

    id: str
    graph: str
    title: str
    changed: float


class ConversationKept(ConversationAbout):
    """A conversation with its turns."""

    turns: list[TurnKept]


class ConversationList(BaseModel):
    """The conversations of whoever asks, the last changed first."""

    conversations: list[ConversationAbout]
