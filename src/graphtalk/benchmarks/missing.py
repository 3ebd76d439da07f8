"""Which of the papers' tables a report does not have, for want of runs, and which commands make these."""

from collections.abc import Iterable

from graphtalk.benchmarks.report import Table

_TRAIN = "train g-retriever"
_PAPERS: dict[str, tuple[tuple[str, str], ...]] = {
    "graphqa-": (
        ("Settings (table 3)", f"{_TRAIN} --setting …; bench run graphqa-… --reasoner zero-shot, …"),
        ("Retrieval (table 4)", _TRAIN),
        ("Hallucination (table 5)", "bench run graphqa-scenegraphs --limit 100 --reasoner g-retriever-list"),
        ("Parts left out (table 6)", f"{_TRAIN}, and again with --ablate"),
        ("Graph encoders (table 7)", f"{_TRAIN} with each --encoder"),
        ("Language models (table 8)", f"{_TRAIN} with several --lm"),
        ("Effect of k (table 10)", f"{_TRAIN} with several --retrieve"),
        ("Retrieval accuracy (table 11)", f"{_TRAIN} --task graphqa-webqsp"),
        ("Time (table 12)", f"{_TRAIN} --task graphqa-webqsp; bench run graphqa-webqsp"),
    ),
    "grbench-": (
        ("Methods by domain (table 2)", "bench run grbench-… --reasoner base, text-rag, graph-rag, graph-cot"),
        ("Graph-CoT by language model (table 3)", "bench run grbench-… --reasoner graph-cot with several --lm"),
        ("Ways to retrieve (table 4)", "bench run grbench-… --reasoner base, text-rag, graph-rag, graph-cot"),
    ),
    "toolformer-": (
        ("Cases (table 5)", "bench run toolformer-DATASET --reasoner toolformer"),
        (
            "Statements that differ from the right ones (table 6)",
            "bench run toolformer-DATASET: none of these runs has one",
        ),
        ("Unknown graphs and tasks (table 7)", "bench run toolformer-unknown"),
        ("Texts that have nothing to do with graphs (table 8)", "bench run toolformer-plain"),
    ),
    "graphinstruct-": (
        ("Graph problems (table 1)", "bench run graphinstruct-TASK"),
        ("Shortest paths on large graphs (table 2)", "bench run graphinstruct-shortest --generate --nodes N"),
        ("Graph problems by size (figures 2 and 4)", "bench run graphinstruct-TASK --generate --nodes N"),
        ("Case study", "bench run graphinstruct-importance --generate"),
    ),
}  # fmt: skip


def missing(tasks: Iterable[str], printed: Iterable[Table]) -> Table:
    """The tables of the papers that `tasks` belong to which are not among those printed, and what makes them."""
    titles, tasks = [table.title for table in printed], list(tasks)
    rows = tuple(
        row
        for prefix, of_paper in _PAPERS.items()
        if any(task.startswith(prefix) for task in tasks)
        for row in of_paper
        if not any(title.startswith(row[0]) for title in titles)
    )
    return Table("Not here, for want of runs", ("table", "made by graphtalk"), rows)
