"""Ask what people ask of any graph: right, declined and wrong, over graphs of tests/around_graphs.py.

python scripts/measure_around.py tests/questions/around.tsv          # counts; --all lists what is not right
"""

import argparse
import sys
import tempfile
from pathlib import Path

import graphtalk as gt

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))


def main() -> None:
    from around_graphs import Known, company, is_right, molecules, roads, social, triples

    asked = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    asked.add_argument("file", type=Path)
    asked.add_argument("--all", action="store_true", help="list what is not right")
    given = asked.parse_args()
    counts = {"right": 0, "declined": 0, "wrong": 0}
    with tempfile.TemporaryDirectory() as folder:
        graphs = {
            "company": company(),
            "social": social(Path(folder)),
            "roads": roads(),
            "triples": triples(Path(folder)),
        }
        known = {name: (Known(each), gt.Session(graph)) for name, (each, graph) in graphs.items()}
        parts, together = molecules()
        session = gt.Session(together)
        known |= {name: (Known(graph), session) for name, graph in parts.items()}
        for line in given.file.read_text("utf-8").splitlines():
            if not line or line.startswith("#"):
                continue
            name, told, question = line.split("\t")
            answer = known[name][1].ask(question)
            fits = told != "declined" and answer.answered and is_right(known[name][0], told, answer.value)
            verdict = (
                "right"
                if fits or (told == "declined" and not answer.answered)
                else "wrong"
                if answer.answered
                else "declined"
            )
            counts[verdict] += 1
            if given.all and verdict != "right":
                print(f"{verdict}\t{line}\t{answer.text[:200]!r}")
    print(", ".join(f"{verdict} {count}" for verdict, count in counts.items()))


if __name__ == "__main__":
    main()
