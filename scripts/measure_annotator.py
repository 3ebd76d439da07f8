"""Measures the offline annotator: table 4 of Graph-ToolFormer, unseen templates, our own paraphrases, time and size.

python scripts/measure_annotator.py --data PROMPTS                  # test prompts of every data set that has them
python scripts/measure_annotator.py --data PROMPTS --train          # the train prompts of all (seen in training)
python scripts/measure_annotator.py --data PROMPTS --folds 6        # leave-template-out: trains six times
python scripts/measure_annotator.py --data PROMPTS --loading 5      # graph loading: train prompts held out by clusters
python scripts/measure_annotator.py --prose FILES                   # texts that are to stay as they are, one a line
python scripts/measure_annotator.py --paraphrases                   # tests/data/annotator_*.tsv, and the time of each
python scripts/measure_annotator.py --pairs 500                     # two of these in one text
"""

import argparse
import statistics
import sys
import time
from collections import Counter
from pathlib import Path

from graphtalk.app.console import progress
from graphtalk.benchmarks.scorers.api_calls import api_calls
from graphtalk.benchmarks.scorers.bleu import corpus_bleu
from graphtalk.benchmarks.scorers.brevity import corpus_brevity
from graphtalk.benchmarks.scorers.given import Given
from graphtalk.benchmarks.scorers.rouge import rouge
from graphtalk.benchmarks.scorers.rouge_lsum import rouge_lsum
from graphtalk.benchmarks.toolformer.figures import METRICS, rows
from graphtalk.benchmarks.toolformer.records import read_records
from graphtalk.reasoners.toolformer.offline import OfflineAnnotator, open_offline_annotator
from graphtalk.training.annotator.examples import calls_in, examples, read_prompts
from graphtalk.training.annotator.fit import FitSettings
from graphtalk.training.annotator.loading import loading_examples
from graphtalk.training.annotator.measure import annotated, in_pairs, leave_templates_out, outcome
from graphtalk.training.annotator.measure_loading import (
    MISTAKES,
    PARTS,
    agreement,
    cross_validate,
    embeddings,
)
from graphtalk.training.annotator.train import lessons

ROOT = Path(__file__).resolve().parents[1]
OFFLINE = ROOT / "src" / "graphtalk" / "reasoners" / "toolformer" / "offline"
HEAD = "| data set | texts | R-1 | R-2 | R-L | R-LSum | BLEU | BP | API | strict | paper's R-1 | BLEU | API |"


def table(annotator: OfflineAnnotator, data: Path, split: str) -> None:
    """Table 4, a row of the paper's beside each of ours; the misses below."""
    print(HEAD, "|" + "---|" * 13, sep="\n")
    misses: list[str] = []
    for name, row in rows().items():
        file = data / row.folder / split
        if not file.is_file():
            continue
        asked = read_records(file).asked
        given = [Given(a.question, annotated(annotator, a.question), None, a.gold) for a in asked]
        scores = [{**rouge(g), **rouge_lsum(g), **api_calls(g)} for g in given]
        mean = {key: 100 * statistics.fmean(score[key] for score in scores) for key in scores[0]}
        pairs = [(g.text, g.gold.text) for g in given]
        mean |= {"bleu": 100 * corpus_bleu(pairs), "bp": 100 * corpus_brevity(pairs)}
        cells = [f"{mean[key]:.2f}" for key in (*METRICS, "correct")]
        paper = [f"{row.scores[key]:.2f}" for key in ("rouge1", "bleu", "api")]
        print(f"| {name} | {len(asked)} | {' | '.join(cells + paper)} |", flush=True)
        if name != "graph-loading":
            misses += [g.question for g, s in zip(given, scores, strict=True) if not s["api"]]
        else:
            failures = Counter(_failure(g.text, g.gold.text) for g in given)
    if split == "prompts_test":
        print("\ngraph loading:", dict(failures.most_common()))
    print(f"\nother misses: {len(misses)}", *misses[:20], sep="\n")


def _failure(ours: str, gold: str) -> str:
    """What is wrong with a graph loading call."""
    call = [
        each.removeprefix("[GL(").removesuffix(")]") for each in (*calls_in(ours)[:1], *calls_in(gold)[:1])
    ]
    if len(call) < 2:
        return "no call"
    parts = [[p.replace(" ", "").lower() for p in _parts(each)] for each in call]
    if len(parts[1]) != 3:
        return "the right call has not three parts"
    wrong = [n for n, a, b in zip(("name", "nodes", "links"), *parts, strict=False) if a != b]
    return f"wrong {' and '.join(wrong)}" if wrong else "right"


def _parts(call: str) -> list[str]:
    depth, parts = 0, [""]
    quoted = False
    for letter in call:
        quoted ^= letter == '"'
        depth += (letter in "{(") - (letter in "})") if not quoted else 0
        if letter == "," and not depth and not quoted:
            parts.append("")
        else:
            parts[-1] += letter
    return parts


def templates(annotator: OfflineAnnotator, data: Path, folds: int) -> None:
    """Leave-template-out."""
    files = [f for f in sorted(data.rglob("prompts_train")) if "loading" not in f.parent.name]
    asking = examples([p for f in files for p in read_prompts(f)], annotator.catalogue)
    settings = FitSettings()
    with progress("learning", "folds", folds) as advance:
        learnt = lessons(asking, settings)
        shares, missed = leave_templates_out(annotator, asking, learnt, folds, settings, lambda: advance(1))
    print("| data set | templates | right call | all calls right |", "|---|---|---|---|", sep="\n")
    for name, share in sorted(shares.items()):
        print(f"| {name} | {share.templates} | {share.right} | {share.all_right} |")
    print(*(f"{miss.example.prompt.input}\n    {miss.given}" for miss in missed), sep="\n")


def loading(data: Path, folds: int) -> None:
    """Graph loading in cross-validation, and how far the prompts agree with each other."""
    shown = loading_examples(read_prompts(data / "graph_data_loading" / "prompts_train"))
    vectors = embeddings(shown)
    with progress("learning", "folds", folds) as advance:
        right = cross_validate(shown, vectors, folds, lambda: advance(1))
    twins = agreement(shown, vectors)
    print(f"| of {len(shown)} prompts | {' | '.join(PARTS)} |", "|" + "---|" * (1 + len(PARTS)), sep="\n")
    print("| right, held out |", " | ".join(f"{100 * right[part]:.1f}" for part in PARTS), "|")
    cells = " | ".join(f"{100 * share:.1f}" for share in twins.shares.values())
    print(f"| equal in {twins.pairs} pairs of like sentences | {cells} | | | |")
    print(
        "", "| where it is wrong, the right one has | name | nodes | links |", "|---|---|---|---|", sep="\n"
    )
    for mistake in MISTAKES:
        shares = (100 * right[f"{part}: {mistake}"] for part in ("name", "nodes", "links"))
        print(f"| {mistake} | {' | '.join(f'{share:.1f}' for share in shares)} |")


_OUTCOMES = ("texts", "right", "nothing", "wrong")


def paraphrases(annotator: OfflineAnnotator) -> None:
    """Our own paraphrases: which get the right calls, none, or wrong ones, by family; and milliseconds a text."""
    seconds: list[float] = []
    for file in sorted((ROOT / "tests" / "data").glob("annotator_*.tsv")):
        counts: dict[str, Counter[str]] = {}
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                continue
            family, text, wanted = line.split("\t")
            started = time.perf_counter()
            found, given = outcome(annotator, text, wanted)
            seconds.append(time.perf_counter() - started)
            counts.setdefault(family, Counter()).update(["texts", found])
            if found != "right":
                print(f"{found}: {text}\n    wanted {wanted}\n    given {given}")
        total = sum((c for c in counts.values()), Counter())
        print(f"| {file.name} | texts | right | no call | wrong |", "|---|---|---|---|---|", sep="\n")
        for family, count in (*counts.items(), ("all", total)):
            print(f"| {family} | {' | '.join(str(count[key]) for key in _OUTCOMES)} |")
    ordered = sorted(1000 * s for s in seconds[1:])
    print(f"first text {1000 * seconds[0]:.0f} ms; then median {statistics.median(ordered):.1f} ms,", end=" ")
    print(f"95 % under {ordered[int(0.95 * len(ordered))]:.1f} ms")
    size = sum(file.stat().st_size for file in OFFLINE.iterdir() if file.is_file())
    print(f"size of the offline annotator in the package: {size / 1e6:.2f} MB, code and weights")


def pairs(annotator: OfflineAnnotator, count: int) -> None:
    """Two of our own paraphrases in one text: how many become what both should, come back or are declined, or are wrong."""
    counts: Counter[str] = Counter()
    files = sorted((ROOT / "tests" / "data").glob("annotator_*.tsv"))
    lines = [line for file in files for line in file.read_text(encoding="utf-8").splitlines()]
    rows = [tuple(line.split("\t")[1:]) for line in lines if not line.startswith("#")]
    alone = [(text, wanted) for text, wanted in rows if outcome(annotator, text, wanted)[0] == "right"]
    for text, wanted in in_pairs(alone, count):
        found, given = outcome(annotator, text, wanted)
        counts["not annotated" if given == text else found] += 1
        if found == "wrong":
            print(f"{text}\n    wanted {wanted}\n    given {given}")
    print(f"of {count} pairs:", dict(counts))


def prose(annotator: OfflineAnnotator, files: list[Path]) -> None:
    """How many texts of each file do not come back as they are, and the first of them."""
    for file in files:
        texts = [line for line in file.read_text(encoding="utf-8").splitlines() if line and line[0] != "#"]
        changed = [text for text in texts if annotated(annotator, text) != text]
        print(f"{file.name}: {len(changed)} of {len(texts)} get a call", *changed[:20], sep="\n  ")


def main() -> int:
    """Runs what the options ask for."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, help="folder of Graph-ToolFormer's prompts")
    parser.add_argument("--train", action="store_true", help="the train prompts instead of the test prompts")
    parser.add_argument("--folds", type=int, help="leave-template-out in so many folds")
    parser.add_argument("--loading", type=int, help="graph loading, cross-validated in so many folds")
    parser.add_argument("--paraphrases", action="store_true", help="our own paraphrases, time and size")
    parser.add_argument(
        "--prose", type=Path, nargs="+", help="texts that are to stay as they are, one a line"
    )
    parser.add_argument("--pairs", type=int, help="so many texts of two of our own paraphrases each")
    options = parser.parse_args()
    annotator = open_offline_annotator()
    if options.paraphrases:
        paraphrases(annotator)
    elif options.prose:
        prose(annotator, options.prose)
    elif options.pairs:
        pairs(annotator, options.pairs)
    elif options.data is None:
        parser.error("--data is needed, or --paraphrases")
    elif options.loading:
        loading(options.data, options.loading)
    elif options.folds:
        templates(annotator, options.data, options.folds)
    else:
        table(annotator, options.data, "prompts_train" if options.train else "prompts_test")
    return 0


if __name__ == "__main__":
    sys.exit(main())
