"""What `graphtalk train g-retriever` does: data, retrieval, model, training, and the scores of the test split.

The folder of a training:

model.json           what is trained, on what, and how; written first
last.safetensors     where training stands
best.safetensors     what was learnt when the validation loss was lowest
answers.jsonl        the answers to the test split, with their scores
result.json          scores, epochs and times; written last
"""

import json
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from graphtalk.app import console, render
from graphtalk.benchmarks import find_task, tasks
from graphtalk.benchmarks.folder import write_whole
from graphtalk.benchmarks.graphqa import trainings
from graphtalk.benchmarks.graphqa.questions import GraphQuestion, Splits
from graphtalk.benchmarks.graphqa.tasks import GraphQATask
from graphtalk.benchmarks.scorers.given import Given
from graphtalk.benchmarks.scorers.names import fold
from graphtalk.benchmarks.scorers.registry import find_scorers
from graphtalk.core import JSON, UsageError, choices
from graphtalk.training.prompts import Example, Reader, TextVectors
from graphtalk.training.retrieval import Retrieval, retrieve
from graphtalk.training.settings import Lengths, Lora, Schedule, Setting, idle, setting_of
from graphtalk.training.text_graphs import TextGraph

if TYPE_CHECKING:
    from graphtalk.lms.hf import HfLM
    from graphtalk.training.checkpoint import Epoch
    from graphtalk.training.g_retriever import GRetriever
    from graphtalk.training.prompts import Item

PREFIX = "hf:"


@dataclass(frozen=True)
class Chosen:
    """What a person chose to train. `limit` of None is all examples of a split, `retrieval` of None the task's own."""

    task: str
    lm: str
    data: Path
    out: Path
    setting: str = "frozen"
    ablated: tuple[str, ...] = ()
    encoder: str = "gt"
    layers: int = 4
    heads: int = 4
    hidden: int = 1024
    lengths: Lengths = field(default_factory=Lengths)
    lora: Lora = field(default_factory=Lora)
    schedule: Schedule = field(default_factory=Schedule)
    answer_batch: int = 32
    limit: int | None = None
    retrieval: Retrieval | None = None
    embedder: str = "minilm"
    eight_bit: bool = False


def run(chosen: Chosen, as_json: bool, seeds: int = 1, given: Sequence[str] = ()) -> int:
    """Train, or take a training up; then answer and score the test split. With several seeds, one after the other.

    `given`: the options that were asked for; those that change nothing here are named.
    """
    from graphtalk.training.loop import optimiser_called

    setting = setting_of(chosen.setting, chosen.ablated)
    task = _task(chosen.task)
    optimiser_called(chosen.schedule.optimizer)  # one that cannot be had is refused before a folder is made
    _say_idle(chosen, setting, task, given)
    name = _model_name(chosen.lm)
    splits = task.splits(chosen.data)
    for complaint in splits.complaints[:10]:
        console.say(complaint)
    results: list[dict[str, JSON]] = []
    for one in _of_seeds(chosen, seeds):
        if seeds > 1:
            console.say(f"seed {one.schedule.seed}: {one.out}")
        results.append(train_and_score(one, task, splits, _opened(name, chosen)))  # tuning changes a model
    if not all(results):
        return 0  # one of several processes, which the first speaks for
    if as_json:
        console.write(render.dumps(results[0] if seeds == 1 else {"seeds": [*results]}))
        return 0
    found = [trainings.Training(str(chosen.out), result) for result in results]
    (whole,) = trainings.of_seeds(found)
    rows = [
        (score, trainings.percent(value, whole.deviation(score)))
        for score, value in whole.facts["scores"].items()
    ]
    render.print_table(console.stdout(), ("score", "%"), rows)
    return 0


def _say_idle(chosen: Chosen, setting: Setting, task: GraphQATask, given: Sequence[str]) -> None:
    """Says which options change nothing, so that no figure is taken for that of an option."""
    named = " without ".join([chosen.setting, *chosen.ablated])
    for name in idle(setting, chosen.encoder, given):
        console.say(f"--{name.replace('_', '-')} changes nothing here: {named} does not use it.")
    if "retrieval" in chosen.ablated and not (chosen.retrieval or task.retrieval):
        console.say(
            f"--ablate retrieval changes nothing here: {chosen.task} has no retrieval, unless --retrieve."
        )


def _of_seeds(chosen: Chosen, seeds: int) -> list[Chosen]:
    """The trainings of so many seeds, each with a folder of its own where there are several."""
    if seeds == 1:
        return [chosen]
    numbers = range(chosen.schedule.seed, chosen.schedule.seed + seeds)
    return [
        replace(chosen, out=chosen.out / f"seed-{n}", schedule=replace(chosen.schedule, seed=n))
        for n in numbers
    ]


def train_and_score(chosen: Chosen, task: GraphQATask, splits: Splits, lm: "HfLM") -> dict[str, JSON]:
    """Train in the folder `chosen.out`, and score the test split. Returns what `result.json` says."""
    from graphtalk.models.encoders import EncoderSize
    from graphtalk.search.embedder import load_embedder
    from graphtalk.training.checkpoint import Checkpoints
    from graphtalk.training.facts import write_facts
    from graphtalk.training.g_retriever import Design, make_model
    from graphtalk.training.loop import Watch, train
    from graphtalk.training.parallel import processes

    setting, how = setting_of(chosen.setting, chosen.ablated), chosen.retrieval or task.retrieval
    size = EncoderSize(chosen.layers, chosen.heads, chosen.hidden)
    design = Design(setting, chosen.encoder, size, chosen.lora, chosen.lengths)
    vectors = TextVectors(load_embedder(chosen.embedder))
    reader = Reader(lm.tokenizer, vectors, chosen.lengths, setting.text, setting.retrieved)
    parts = [part[: chosen.limit] for part in (splits.train, splits.validation, splits.test)]
    with console.progress("retrieving", "graphs", sum(map(len, parts))) as advance:
        examples = [[_example(q, how, vectors, advance) for q in part] for part in parts]
    training, validation, test = (reader.items(part) for part in examples)
    model = make_model(lm.model, design, vectors.table, chosen.schedule.seed)
    more: dict[str, JSON] = {
        "task": chosen.task,
        "setting": " without ".join([chosen.setting, *chosen.ablated]),
        "schedule": json.loads(json.dumps(asdict(chosen.schedule))),
        "examples": [len(part) for part in parts],
        "retrieval": asdict(how) if how and setting.retrieved else None,
    }
    together = processes()
    if together.first:
        write_facts(
            chosen.out, lm.name.removeprefix(PREFIX), load_embedder(chosen.embedder).name, design, more
        )
    history: list[Epoch] = []
    if setting.trained:
        total = chosen.schedule.epochs * len(training)
        with console.progress("training", "examples", total) as advance:
            watch = Watch(_tell, advance)
            history = train(
                model, training, validation, chosen.schedule, Checkpoints(chosen.out), watch, together
            )
    if not together.first:
        return {}  # the first answers and writes
    started = time.perf_counter()
    scores = _score(chosen, task, parts[2], model, lm, test)
    result: dict[str, JSON] = {
        **more,
        "lm": lm.name,
        "embedder": load_embedder(chosen.embedder).name,
        "eight_bit": chosen.eight_bit,
        "size": asdict(size),
        "lora": asdict(chosen.lora) if setting.lora else None,
        "lengths": asdict(chosen.lengths),
        "encoder": chosen.encoder if setting.soft == "graph" else None,
        "scores": dict(scores),
        "epochs": [asdict(epoch) for epoch in history],
        "minutes_per_epoch": sum(e.seconds for e in history) / 60 / len(history) if history else None,
        "seconds_to_answer": time.perf_counter() - started,
        "trained_parameters": sum(v.numel() for v in model.parameters() if v.requires_grad),
        "tokens_read": _mean([len(item.before) + len(item.after) for item in test]),
        **_retrieved(lm, examples[2], parts[2]),
    }
    write_whole(chosen.out / "result.json", json.dumps(result, ensure_ascii=False, indent=2) + "\n")
    return result


def retrieval_of(told: str) -> Retrieval | None:
    """The retrieval that `--retrieve N,E,C` asks for; None for the task's own. Raises UsageError for another form."""
    if not told:
        return None
    try:
        nodes, edges, cost = told.split(",")
        how = Retrieval(int(nodes), int(edges), float(cost))
    except ValueError:
        raise UsageError(f"--retrieve {told!r}: give three numbers, such as 3,5,0.5.") from None
    if min(how.nodes, how.edges) < 0 or not 0 < how.edge_cost < float("inf"):
        raise UsageError(f"--retrieve {told!r}: nodes and edges from 0 on, and a cost above 0.")
    return how


def _task(name: str) -> GraphQATask:
    task = find_task(name)
    if not isinstance(task, GraphQATask):
        valid = [known for known, task in tasks().items() if isinstance(task, GraphQATask)]
        raise UsageError(
            f"{name} cannot be trained on: its questions bring no graphs. {choices(name, valid)}"
        )
    return task


def _model_name(lm: str) -> str:
    name = lm.removeprefix(PREFIX)
    if name == lm or not name.strip():
        raise UsageError(f"--lm is {lm!r}; training needs a local model: hf:FOLDER, or hf:NAME on its hub.")
    return name


def _retrieved(
    lm: "HfLM", examples: Sequence[Example], questions: Sequence[GraphQuestion]
) -> dict[str, JSON]:
    """What retrieval left of graphs, on the mean: whether a right answer is there; nodes and tokens, before and after."""
    held = [float(_holds_answer(e, q)) for e, q in zip(examples, questions, strict=True)]
    return {
        "answers_retrieved": _mean(held),
        "nodes_before": _mean([len(e.whole.nodes) for e in examples]),
        "nodes_after": _mean([len(e.graph.nodes) for e in examples]),
        "tokens_before": _mean([_tokens(lm, e.whole) for e in examples]),
        "tokens_after": _mean([_tokens(lm, e.graph) for e in examples]),
    }


def _holds_answer(example: Example, question: GraphQuestion) -> bool:
    """Whether a right answer is among the texts of the nodes that were retrieved (the paper's appendix D.4)."""
    gold = question.asked.gold
    wanted = {fold(name) for name in gold.names or (gold.text,)}
    return not wanted.isdisjoint(map(fold, example.graph.nodes))


def _opened(name: str, chosen: Chosen) -> "HfLM":
    try:
        import torch_geometric  # noqa: F401 - to say early what lacks
        from safetensors import safe_open  # noqa: F401

        from graphtalk.training.annotator_lm.tune import opened
    except ModuleNotFoundError as error:
        raise UsageError(
            f'Training needs {error.name}, which is not installed: python -m pip install "graphtalk[train]".'
        ) from error
    return opened(name, chosen.eight_bit, chosen.schedule.offload)


def _example(
    question: GraphQuestion, how: Retrieval | None, vectors: TextVectors, advance: console.Advance
) -> Example:
    asked, whole = question.asked, question.graph
    part = whole if how is None else retrieve(whole, asked.question, vectors, how)
    advance(1)
    return Example(asked.id, question.prompt, asked.gold.text, part, whole)


def _tokens(lm: "HfLM", graph: TextGraph) -> int:
    """How many tokens the text of a graph has, before it is cut."""
    return len(lm.tokenizer(graph.as_csv(), add_special_tokens=False, verbose=False)["input_ids"])


def _tell(epoch: "Epoch") -> None:
    console.say(
        f"epoch {epoch.number}: loss {epoch.loss:.4f}, validation {epoch.validation:.4f}, "
        f"{render.duration(epoch.seconds)}"
    )


def _score(
    chosen: Chosen,
    task: GraphQATask,
    questions: Sequence[GraphQuestion],
    model: "GRetriever",
    lm: "HfLM",
    items: "Sequence[Item]",
) -> Mapping[str, float]:
    """Mean scores of the answers, which are written beside."""
    from graphtalk.training.trained import answers

    scorers = find_scorers(task.scorers)
    rows = []
    with console.progress("answering", "questions", len(items)) as advance:
        told = answers(model, lm.tokenizer, items, chosen.answer_batch, advance)
        for question, text in zip(questions, told, strict=True):
            given = Given.of(question.asked, True, text, None)
            scores = {name: value for scorer in scorers for name, value in scorer(given).items()}
            rows.append({"id": question.asked.id, "answer": text, "gold": given.gold.text, "scores": scores})
    write_whole(
        chosen.out / "answers.jsonl", "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
    )
    names = rows[0]["scores"] if rows else {}
    assert isinstance(names, dict)
    return {name: _mean([row["scores"][name] for row in rows]) for name in names}  # type: ignore[index]


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / max(len(numbers), 1)
