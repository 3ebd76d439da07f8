"""Every annotated statement of the official prompts parses (benchmark data)."""

import re
from collections import Counter
from pathlib import Path

import pytest

from graphtalk.calls import SPELLINGS, cypher, find_calls, graph_cot, json_spelling, toolformer

MODULES = {"toolformer": toolformer, "graph-cot": graph_cot, "json": json_spelling, "cypher": cypher}
OUTPUT = re.compile(r"Output:(.*?)(?:Reasoning Result:|$)")
OPENING = re.compile(r"\[\s*(?:GR|GL)\s*\(")
BROKEN = {
    # Both end in the middle of a text: the source was cut off.
    ("graph_data_loading/prompts_train", 473),
    ("graph_data_loading/prompts_train", 1594),
}


@pytest.mark.shared
@pytest.mark.slow
def test_every_output_parses(shared_data: Path) -> None:
    folder = shared_data / "graph_toolformer_prompts"
    counts = Counter[str]()
    missed = set()
    for path in sorted(folder.rglob("prompts_t*")):
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            output = OUTPUT.search(line)
            assert output is not None
            text = output[1]
            found = find_calls(text)
            counts["records"] += 1
            counts["calls"] += len(found)
            counts["inserting"] += sum(each.inserts for each in found)
            place = (path.relative_to(folder).as_posix(), number)
            if len(found) != len(OPENING.findall(text)):
                missed.add(place)
            for each in found:
                written = toolformer.show(each.call)
                source = text[each.start : each.end].strip("[]").removesuffix("-->r").rstrip()
                counts["printed as in the source"] += written == source
                for spelling in SPELLINGS[
                    number % 20 :
                ]:  # of each twentieth all four, of some fewer: they are much alike
                    module = MODULES[spelling]
                    assert module.parse(module.show(each.call)) == each.call
    assert missed == BROKEN
    # The 25 that print otherwise have words without quotes, or no blank after a comma.
    assert counts == {
        "records": 26_236,
        "calls": 26_400,
        "inserting": 24_497,
        "printed as in the source": 26_375,
    }
