"""Makes the weights of the offline annotator that ship with the package.

python scripts/train_annotator.py --data PROMPTS            # the folder of Graph-ToolFormer's prompts
python scripts/train_annotator.py --data PROMPTS --functions  # functions.npz and rewritings.json alone
python scripts/train_annotator.py --data PROMPTS --loading  # loading.npz alone

Learns from the grammar of paraphrases and from every file `prompts_train` below the folder; no test prompt is read.
What it writes: functions.npz (what is asked for), rewritings.json (texts of known shapes), loading.npz (graph loading).
"""

import argparse
import sys
import time
from pathlib import Path

from graphtalk.training.annotator.examples import read_prompts
from graphtalk.training.annotator.fit import FitSettings
from graphtalk.training.annotator.make import make_annotator, make_functions, make_loader

OUT = Path(__file__).resolve().parents[1] / "src" / "graphtalk" / "reasoners" / "toolformer" / "offline"


def main() -> int:
    """Trains and writes."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="folder with files prompts_train")
    parser.add_argument("--out", type=Path, default=OUT, help="where the weights are written")
    parser.add_argument("--loading", action="store_true", help="graph loading alone")
    parser.add_argument("--functions", action="store_true", help="all but graph loading")
    options = parser.parse_args()
    started = time.perf_counter()
    files = sorted(options.data.rglob("prompts_train"))
    if options.functions:
        prompts = [prompt for file in files for prompt in read_prompts(file)]
        made = make_functions(prompts, options.out, FitSettings())
    else:
        made = (make_loader if options.loading else make_annotator)(files, options.out)
    for file in made:
        print(f"{file.name}: {file.stat().st_size:,} bytes")
    print(f"{time.perf_counter() - started:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
