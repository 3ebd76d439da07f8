"""The small language model of measurements: its exercises have the right answers, and its attention begins as it should."""

import sys
from pathlib import Path

import numpy as np
import pytest
import torch
from transformers import LlamaConfig, LlamaForCausalLM

from graphtalk.benchmarks.graphqa.questions import GraphQuestion, Splits
from graphtalk.benchmarks.task import Asked, Gold
from graphtalk.training.text_graphs import TextGraph

sys.path.append(str(Path(__file__).parents[1] / "scripts"))

from induction import begin_with_induction
from joined_graphs import LOOKED_UP, joined
from look_ups import LOOK_UP, exercise

NODE = LOOK_UP.split("{")[0]


def model() -> LlamaForCausalLM:
    config = LlamaConfig(
        vocab_size=200,
        hidden_size=64,
        intermediate_size=64,
        num_hidden_layers=3,
        num_attention_heads=2,
        num_key_value_heads=2,
        attention_bias=True,
        rope_theta=1e6,
        initializer_range=0.06,
        attn_implementation="eager",
    )
    torch.manual_seed(0)
    made = LlamaForCausalLM(config)
    torch.nn.init.normal_(made.model.embed_tokens.weight)
    return made


def attention(made: LlamaForCausalLM, ids: list[int]) -> tuple[torch.Tensor, ...]:
    with torch.no_grad():
        return tuple(made(torch.tensor([ids]), output_attentions=True).attentions)


@pytest.mark.parametrize(("layer", "head", "back"), [(0, 0, 1), (0, 1, 3), (2, 0, 1), (2, 1, 2)])
def test_heads_look_a_fixed_way_back(layer: int, head: int, back: int) -> None:
    made = model()
    begin_with_induction(made)
    seen = attention(made, list(range(10, 60)))[layer][0, head]
    assert np.mean([seen[place, place - back] for place in range(5, 50)]) > 0.6


def test_the_second_layer_finds_what_came_after_the_same_token() -> None:
    ids = [*range(10, 40), 17]  # 17 stands at place 7 as well
    before = attention(model(), ids)[1][0, 0, -1, 8]
    made = model()
    begin_with_induction(made)
    assert before < 0.1 < 0.5 < attention(made, ids)[1][0, 0, -1, 8]


def test_an_exercise_asks_for_the_number_that_its_graph_gives() -> None:
    pool = [(f"thing {i}", "is a", f"other {i}") for i in range(9)]
    noise = np.random.default_rng(0)
    for triples in range(1, 8):
        first, *_ = turns = exercise(pool, triples, 4, noise)
        graph, _ = TextGraph.of_csv(first[0])
        for prompt, answer in turns:
            assert graph.nodes[int(answer)] == prompt.rpartition(NODE)[2]


def test_joined_graphs_are_asked_for_a_stance_and_for_a_node_by_its_number() -> None:
    graphs = [
        TextGraph.of_triples([(f"a{i}", "causes", f"b{i}"), ("same", "is a", f"c{i}")]) for i in range(6)
    ]
    part = tuple(
        GraphQuestion(Asked(str(i), f"stance {i}?", Gold("support")), graph, f"Stance {i}:")
        for i, graph in enumerate(graphs)
    )
    made = joined(Splits(part, part, part), 3)
    assert len(made.train) == 12
    for question in made.train:
        assert len(question.graph.nodes) == 12
        own = graphs[int(question.asked.id.removesuffix(LOOKED_UP))]
        assert set(own.nodes) <= set(question.graph.nodes)
        if question.asked.id.endswith(LOOKED_UP):
            node = question.graph.nodes[int(question.asked.gold.text)]
            assert question.prompt == LOOK_UP.format(node=node)
            assert question.graph.nodes.count(node) == 1
        else:
            assert question.asked.gold.text == "support"


def test_right_answers_that_list_their_support_name_nothing_that_is_not_there() -> None:
    pytest.importorskip("torch_geometric", reason="the measurement trains graph encoders")
    from graphtalk.benchmarks.graphqa.graphs import stored
    from graphtalk.benchmarks.hallucination import check
    from measure_trained_hallucination import asked

    part = [
        GraphQuestion(
            Asked(str(n), "Which stance?", Gold("support")),
            TextGraph.of_triples([(f"thing {n}", "is a", f"kind {n}"), (f"kind {n}", "not desires", "harm")]),
            "Which stance?",
        )
        for n in range(6)
    ]
    for question, alone in zip(asked(part, 0), part, strict=True):
        checked = check(question.asked.gold.text, stored(question.graph, ""))
        assert checked.fully_valid and len(checked.nodes) == 3 and len(checked.edges) == 2
        assert len(question.graph.nodes) == 6
        other = stored(part[(int(alone.asked.id) + 1) % 6].graph, "")
        assert not check(question.asked.gold.text, other).fully_valid
