"""GRBench's healthcare questions on Hetionet: our gold answers are the published ones, and generated ones are right."""

import csv
import gzip
import importlib.util
import json
import re
import sys
from collections import defaultdict
from pathlib import Path
from types import ModuleType

import pytest

import graphtalk as gt
from graphtalk.benchmarks import find_task
from graphtalk.benchmarks.grbench.questions import Reader
from graphtalk.benchmarks.grbench.templates import read
from graphtalk.tools.executor import Executor
from grbench_graphs import most, names_in, small

MEASURE = Path(__file__).resolve().parents[1] / "scripts" / "measure_grbench_gold.py"
LACKING = {"02", "03", "05", "19", "20", "21", "25"}  # our copy of Hetionet has no whole edges for them

pytestmark = [pytest.mark.slow, pytest.mark.shared]


@pytest.fixture(scope="module")
def measure() -> ModuleType:
    spec = importlib.util.spec_from_file_location("measure_grbench_gold", MEASURE)
    assert spec and spec.loader
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def hetionet(shared_data: Path) -> gt.Graph:
    graph = gt.open(shared_data / "hetionet", recipe="hetionet")
    assert isinstance(graph, gt.Graph)
    return graph


def test_published_gold_is_ours(measure, hetionet, shared_data):
    task = find_task("grbench-healthcare")
    questions = task.load(Executor(hetionet), shared_data / "grbench" / "biomedical" / "data.jsonl")
    assert len(questions.asked) == 162 and not questions.complaints
    compared = list(measure.compare(task, hetionet, questions.asked))
    computed = [c for c in compared if c.call]
    assert len(computed) == 120
    assert [c for c in computed if c.cause] == []
    assert {c.asked.template[-2:] for c in compared if not c.call} == LACKING


@pytest.mark.parametrize("name", ["amazon", "dblp", "goodreads", "maple/Biology", "maple/Medicine"])
def test_published_files_of_other_graphs_have_their_levels(name, shared_data):
    task, graph = {
        "amazon": ("grbench-ecommerce", "ecommerce"),
        "dblp": ("grbench-academic-cs", "academic"),
        "goodreads": ("grbench-literature", "literature"),
        "maple/Biology": ("grbench-academic-biology", "academic"),
        "maple/Medicine": ("grbench-academic-medicine", "academic"),
    }[name]
    executor = Executor(small(graph)[1])
    reader = Reader.of(executor, small(graph)[1], find_task(task).templates)
    found = reader.read(shared_data / "grbench" / name / "data.jsonl")
    assert not found.complaints
    assert len({a.template for a in found.asked}) == len(find_task(task).templates)
    assert all(a.level for a in found.asked)


@pytest.mark.parametrize(
    ("domain", "names"),
    [
        ("healthcare", ["biomedical"]),
        ("academic-dblp", ["dblp"]),
        ("academic-mag", ["maple/Biology", "maple/Materials_Science", "maple/Medicine", "maple/Physics"]),
        ("ecommerce", ["amazon"]),
        ("literature", ["goodreads"]),
    ],
)
def test_no_wording_is_a_published_one(domain, names, shared_data):
    files = [shared_data / "grbench" / name / "data.jsonl" for name in names]
    published = [json.loads(line)["question"] for file in files for line in file.read_text().splitlines()]
    for template in read(domain):
        for wording in template.ask:
            parts = map(re.escape, re.split(r"\{\w+\}", wording.rstrip("?.")))
            form = re.compile(".+".join(parts) + r"\W*", re.IGNORECASE)
            assert not [q for q in published if form.fullmatch(q)], wording


def test_generated_gold_is_what_plain_python_finds_in_the_files(hetionet, shared_data):
    folder = shared_data / "hetionet"
    with gzip.open(folder / "nodes.tsv.gz", "rt", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    name = {r["id"]: r["name"] for r in rows}
    ids = {(r["kind"], r["name"]): r["id"] for r in rows}
    near: dict[str, dict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    with gzip.open(folder / "edges.sif.gz", "rt", encoding="utf-8") as file:
        next(file)
        for line in file:
            source, edge, target = line.rstrip("\n").split("\t")
            near[edge][source].add(target)
            near[edge][target].add(source)

    checked = 0
    for row in find_task("grbench-healthcare").generate(Executor(hetionet), 10, 11).rows:
        template, names = str(row["template"])[-2:], names_in(str(row["call"]))
        gold = set(row["names"] or [row["answer"]])
        if template == "00":
            ours = {name[n] for n in near["CcSE"][ids["Compound", names[0]]]}
        elif template == "07":
            ours = {name[n] for n in set.intersection(*(near["CtD"][ids["Disease", d]] for d in names))}
        elif template == "16":
            ours = {str(sum(n.startswith("Compound") for n in near["CtD"][ids["Disease", names[0]]]))}
        elif template == "22":
            diseases = near["DpS"][ids["Symptom", names[0]]]
            genes = {g for d in diseases for g in near["DuG"][d]}
            ours = {name[p] for p in most(p for g in genes for p in near["GpPW"][g])}
        else:
            continue
        assert gold == ours, row
        checked += 1
    assert checked == 40
