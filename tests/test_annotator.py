"""The offline annotator: mentions, functions, statements, and what is left alone or declined."""

from pathlib import Path

import pytest

from graphtalk.core import UsageError
from graphtalk.graphs import GraphSet, builtin
from graphtalk.reasoners.toolformer.annotator import DeclinedError
from graphtalk.reasoners.toolformer.offline import DataSet, OfflineAnnotator, open_offline_annotator
from graphtalk.reasoners.toolformer.offline.catalogue import shipped_catalogue
from graphtalk.reasoners.toolformer.offline.mentions import read
from graphtalk.training.annotator.measure import outcome

DATA = Path(__file__).parent / "data"


@pytest.fixture(scope="module")
def annotator() -> OfflineAnnotator:
    return open_offline_annotator()


def gpr(name: str, rest: str) -> str:
    return f'[GR(GL("gpr", {{"{name}"}}), "toolx:{rest}")-->r]'


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "What is the order of the diamond graph?",
            f"The order of the diamond graph is {gpr('diamond_graph', 'order')}.",
        ),
        (
            "The path graph has a center at nodes [TBR].",
            f"The path graph has a center at nodes {gpr('path_graph', 'center')}.",
        ),
        (
            "Paper #2998, situated in the citeseer bibliographic network, is centered around the [TBR] topic.",
            'Paper #2998, situated in the citeseer bibliographic network, is centered around the [GR(GL("citeseer"), '
            '"graph_bert:topic", paper#2998)-->r] topic.',
        ),
        (
            "The chemical molecular graph numbered 239 in ptc is characterized by a function of [TBR].",
            'The chemical molecular graph numbered 239 in ptc is characterized by a function of [GR(GL("ptc"), '
            '"seg_bert:molecule_function", instance#239)-->r].',
        ),
        (
            "In Movielens, the top 10 movies that user #u272 likes include [TBR].",
            'In Movielens, the top 10 movies that user #u272 likes include [GR(GL("movielens"), '
            '"bpr:topk_recommendation", user#u272, 10)-->r].',
        ),
        (
            "In the online social network foursquare, which community is user user/1265481 involved in?",
            "In the online social network foursquare, user user/1265481 is involved in the "
            '[GR(GL("foursquare"), "kmeans:community", user#user/1265481)-->r] communities formed by users.',
        ),
        (
            "According to the Freebase knowledge graph, what is the relation between entity#/m/053yx and entity#/m/015_1q?",
            "According to the Freebase knowledge graph, the relation between entity#/m/053yx and entity#/m/015_1q is "
            '[GR(GL("freebase"), "transe:relation", entity#/m/053yx, entity#/m/015_1q)-->r].',
        ),
    ],
)
def test_cases_of_the_papers_table_5(annotator: OfflineAnnotator, text: str, wanted: str) -> None:
    assert annotator.annotate(text) == wanted


@pytest.mark.parametrize(
    ("text", "function"),
    [
        ("There exist [TBR] nodes in the lollipop graph.", "toolx:order"),
        ("Via [TBR] links, nodes in the lollipop graph are all connected.", "toolx:size"),
        ("The diameter of the lollipop graph is [TBR] due to the long 'tail'.", "toolx:diameter"),
        (
            "In the Amazon recommender system, user #A240ORQ2LF9LUI rates item #0077613252 with a score of [TBR].",
            "bpr:recommendation",
        ),
        ("Within cora, paper #13195 is dedicated to the study of [TBR].", "graph_bert:topic"),
    ],
)
def test_cases_of_the_papers_tables_1_and_2(annotator: OfflineAnnotator, text: str, function: str) -> None:
    assert f'"{function}"' in annotator.annotate(text)


def test_a_quantity_that_others_are_told_by_is_kept_in_memory(annotator: OfflineAnnotator) -> None:
    given = annotator.annotate(
        "The central nodes of the star graph, those whose eccentricity is smallest, are [TBR]."
    )
    assert 'eccentricity [GR(GL("gpr", {"star_graph"}), "toolx:eccentricity")] is smallest' in given
    assert given.endswith(f"are {gpr('star_graph', 'center')}.")


def test_each_place_gets_a_call_of_its_own(annotator: OfflineAnnotator) -> None:
    given = annotator.annotate("The lollipop graph has [TBR] nodes and [TBR] edges.")
    assert (
        given
        == f"The lollipop graph has {gpr('lollipop_graph', 'order')} nodes and {gpr('lollipop_graph', 'size')} edges."
    )


def test_two_properties_in_one_question(annotator: OfflineAnnotator) -> None:
    given = annotator.annotate("What are the radius and the diameter of the bull graph?")
    assert (
        given
        == f"The radius of the bull graph is {gpr('bull_graph', 'radius')} and the diameter is {gpr('bull_graph', 'diameter')}."
    )


def test_a_data_set_has_the_properties_of_any_graph(annotator: OfflineAnnotator) -> None:
    given = annotator.annotate("What is the diameter of the online social network Twitter?")
    assert (
        given
        == 'The diameter of the online social network Twitter is [GR(GL("twitter"), "toolx:diameter")-->r].'
    )


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("What is the density of the Random Graph?", 'GL("gpr", {"random_graph"}), "toolx:density")'),
        (
            "What is the topic of paper #1111 in the DBLP bibliographic network?",
            'GL("dblp"), "graph_bert:topic", paper#1111)',
        ),
        (
            "In AlphaFold, instance #30 of the protein molecular graph demonstrates a function of [TBR].",
            'GL("alphafold"), "seg_bert:molecule_function", instance#30)',
        ),
        (
            "What is the rating score user #Bob gives to movie #Titanic at IMDB?",
            'GL("imdb"), "bpr:recommendation", user#Bob, movie#Titanic)',
        ),
        (
            "In Facebook, what is the id of user #random_user's community?",
            'GL("facebook"), "kmeans:community", user#random_user)',
        ),
        (
            "According to the wikipedia knowledge graph, what is the relation between entity #Donald_Trump and entity "
            "#United_State_of_America?",
            'GL("wikipedia"), "transe:relation", entity#Donald_Trump, entity#United_State_of_America)',
        ),
        (
            "In the email communication social network, there exist a number of [TBR] local communities formed by users.",
            'GL("email"), "kmeans:community_count")',
        ),
        (
            "The video sharing social network youtube houses the largest user-formed local community, which consists of "
            "[TBR] users.",
            'GL("youtube"), "kmeans:community_max_size")',
        ),
        (
            "How many atoms are there in the protein molecular graph #111 in mutag?",
            'GL("mutag", {instance#111}), "toolx:order")',
        ),
    ],
)
def test_graphs_of_the_papers_tables_that_nobody_knows_get_their_calls(
    annotator: OfflineAnnotator, text: str, call: str
) -> None:
    assert f"[GR({call}-->r]" in annotator.annotate(text)


@pytest.mark.parametrize(
    "text",
    [
        "Who are the authors of the paper #111 in the cora bibliographic network?",
        "In Amazon, what is the brand that user #Bob will be mostly likely to purchase next?",
        "In online social network Twitter, are user #Alex and user #Bob both following Elon Musk?",
        "According to the Freebase knowledge graph, how many relations are there between entity #Donald_Trump and "
        "entity #United_States_of_America?",
        "In my opinion, paper #3 is bad. What is your view?",
        "According to Reuters, [TBR] users left the social network.",
        "The best paper in Cora has a topic of [TBR].",
        "Cora has a topic of [TBR].",
        "The first five papers in Cora have topics of [TBR].",
        "In cora, paper #83826 has [TBR] citations.",
        "In mutag, the molecule #5 has [TBR] carbon atoms.",
        "In mutag, the molecule #5 has [TBR] rings.",
        "The first paper cited by paper #35 in Cora has a topic of [TBR].",
        "The paper that cites paper #35 in Cora is about [TBR].",
        "The oldest paper in Cora delves into the subject matter of [TBR].",
        "The neighbour of user #u12 in twitter belongs to community [TBR].",
        "What rating does user #u2 give artist #i52 in last-fm?",
        "The author of ./data/roads.csv is [TBR].",
    ],
)
def test_what_no_function_gives_is_declined(annotator: OfflineAnnotator, text: str) -> None:
    with pytest.raises(DeclinedError):
        annotator.annotate(text)


FIRST = '"graph_bert:topic", GR("graph:nth", "paper", 1))-->r]'


@pytest.mark.parametrize(
    ("text", "call"),
    [
        ("The first paper in Cora has a topic of [TBR].", FIRST),
        ("The initial article in Cora focuses on the subject of [TBR].", FIRST),
        ("In Cora, the premier paper addresses [TBR] as its main theme.", FIRST),
        ("The foremost paper in the Cora collection pertains to the field of [TBR].", FIRST),
        ("What is the topic of the first paper in Cora bibliographic network?", FIRST),
        ("The last paper in Cora has a topic of [TBR].", FIRST.replace("1)", "-1)")),
        ("What is the topic of the 12th paper in citeseer?", FIRST.replace("1)", "12)")),
        (
            "The first molecule in mutag has a function of [TBR].",
            '"seg_bert:molecule_function", instance#0)-->r]',
        ),
        ("In mutag, the molecule #5 has [TBR] atoms.", 'GL("mutag", {instance#5}), "toolx:order")-->r]'),
        (
            "How many bonds does the first molecule of ptc have?",
            'GL("ptc", {instance#0}), "toolx:size")-->r]',
        ),
        (
            "User #196 gives a rating of [TBR] to item #251 at MovieLens.",
            '"mf:rating", user#196, movie#251)-->r]',
        ),
        ("How many stars would u196 give i251 in movielens?", '"mf:rating", user#u196, movie#i251)-->r]'),
        (
            "User #u196 of movielens would rate movie #i242 with [TBR].",
            '"mf:rating", user#u196, movie#i242)-->r]',
        ),
        ("How likely will u196 rate movie #i251 highly in movielens?", '"bpr:recommendation", user#u196'),
        ("Cora’s inaugural publication delves into the subject matter of [TBR].", FIRST),
        ("What does the first paper in Cora discuss?", "The first paper in Cora discusses [GR("),
        (
            "The graph in ./graphs/lollipop has a diameter of [TBR].",
            'GL("./graphs/lollipop"), "toolx:diameter")-->r]',
        ),
        (
            "What is the density of the network at https://a.org/g.graphml?",
            'GL("https://a.org/g.graphml"), "toolx:density")-->r]',
        ),
        ("In Cora, the first paper's topic is [TBR].", FIRST),
        ("Paper number two in Cora is about [TBR].", FIRST.replace("1)", "2)")),
        ("The last of all papers of Cora is about [TBR].", FIRST.replace("1)", "-1)")),
        (
            "The first movie that user #u5 should see in MovieLens is [TBR].",
            '"bpr:topk_recommendation", user#u5, 1)-->r]',
        ),
        ("The DBLP network has a diameter of [TBR].", 'GL("dblp"), "toolx:diameter")-->r]'),
        (
            "The number of communities in the Facebook social network is [TBR].",
            'GL("facebook"), "kmeans:community_count")-->r]',
        ),
        (
            "Which book would user #u3 buy next at Goodreads?",
            'GL("goodreads"), "bpr:topk_recommendation", user#u3, 1)-->r]',
        ),
        (
            "In the Yelp data set, which rating would user #Ann give to restaurant #Luigi?",
            'GL("yelp"), "mf:rating", user#Ann, restaurant#Luigi)-->r]',
        ),
        (
            "On Steam, user #Kim will most likely play game #Go with a score of [TBR].",
            'GL("steam"), "bpr:recommendation", user#Kim, game#Go)-->r]',
        ),
        (
            "In Wordnet, a hyponym of dog.n.01 is [TBR].",
            '"transe:tail_entity", entity#dog.n.01, relation#_hyponym)-->r]',
        ),
    ],
)
def test_what_is_told_by_its_place_counted_or_rated(
    annotator: OfflineAnnotator, text: str, call: str
) -> None:
    assert call in annotator.annotate(text)


@pytest.mark.parametrize(
    "text",
    [
        "In Movielens, user u196 would rate movie Star Wars (1977) with [TBR].",
        'In movielens, user #u5 would give the film "Fargo" a rating of [TBR].',
        "In last-fm, user #2 will listen to Madonna with a score of [TBR].",
    ],
)
def test_what_is_asked_of_a_thing_by_its_name_gets_no_list_of_others(
    annotator: OfflineAnnotator, text: str
) -> None:
    with pytest.raises(DeclinedError):
        annotator.annotate(text)


def test_a_declined_text_is_told_what_there_is(annotator: OfflineAnnotator) -> None:
    with pytest.raises(DeclinedError, match=r"cora\. It offers: graph_bert:topic"):
        annotator.annotate("Who wrote paper #35 in cora?")
    with pytest.raises(DeclinedError, match="names no graph that is known"):
        annotator.annotate("The diameter of that graph is [TBR].")


@pytest.mark.parametrize(
    "text",
    [
        "How do I boil an egg?",
        "Amazon shares fell by three percent on Tuesday.",
        "The radius of the Earth is about 6,371 kilometres.",
        "Thursday's verdict only added to the intrigue.\nIt was a long day.",
        "",
        "   ",
        'The order is [GR(GL("gpr", {"bull_graph"}), "toolx:order")-->r].',
    ],
)
def test_texts_that_need_no_call_come_back_as_they_are(annotator: OfflineAnnotator, text: str) -> None:
    assert annotator.annotate(text) == text


@pytest.mark.parametrize(
    "text",
    [
        "Does the Moebius-Kantor graph have more nodes than the Heawood graph?",
        "Which has more edges, the bull graph or the house graph?",
        "Are the petersen graph and the heawood graph both connected?",
        "The bull graph has [TBR] nodes, the house graph [TBR].",
    ],
)
def test_texts_about_several_graphs_are_declined(annotator: OfflineAnnotator, text: str) -> None:
    with pytest.raises(DeclinedError, match=r"several graphs: .*(heawood|house)_graph"):
        annotator.annotate(text)


def test_comparisons_in_one_graph_are_declined(annotator: OfflineAnnotator) -> None:
    for text in (
        "Has the petersen graph got more edges than nodes?",
        "Does the wheel graph have as many edges as nodes?",
    ):
        with pytest.raises(DeclinedError, match="toolx:size"):
            annotator.annotate(text)


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (
            "What's the shortest path length between node 3 and node 7 in the cycle graph?",
            "The shortest path length between node 3 and node 7 in the cycle graph is "
            '[GR(GL("gpr", {"cycle_graph"}), "toolx:shortest_path", "node#3", "node#7")-->r].',
        ),
        (
            "Could you tell me the diameter of the barbell graph, please?",
            f"The diameter of the barbell graph is {gpr('barbell_graph', 'diameter')}.",
        ),
        (
            "Would you mind telling me how many vertices the wheel graph has?",
            f"The wheel graph has {gpr('wheel_graph', 'order')} vertices.",
        ),
        (
            "Please tell me what the radius of the star graph is.",
            f"The radius of the star graph is {gpr('star_graph', 'radius')}.",
        ),
        (
            "Are @alice and @bob.b of twitter members of one and the same community?",
            '@alice and @bob.b of twitter are members of [GR(GL("twitter"), "kmeans:common_community_check", '
            "user#alice, user#bob.b)-->r] community.",
        ),
    ],
)
def test_polite_and_short_questions_become_statements(
    annotator: OfflineAnnotator, text: str, wanted: str
) -> None:
    assert annotator.annotate(text) == wanted


@pytest.mark.parametrize(
    ("text", "function"),
    [
        ("In WordNet, what is the end with the tail entity #a.n.01 and relation #_hypernym?", "head_entity"),
        ("In WordNet, what is the end with the head entity #a.n.01 and relation #_hypernym?", "tail_entity"),
    ],
)
def test_the_end_that_is_given_is_not_asked_for(
    annotator: OfflineAnnotator, text: str, function: str
) -> None:
    assert f'"transe:{function}"' in annotator.annotate(text)


def test_what_somebody_says_of_their_own_is_no_graph(annotator: OfflineAnnotator) -> None:
    own = "Our network of volunteers meets every Sunday."
    assert annotator.annotate(own) == own
    assert "[GL(" in annotator.annotate(own.replace("Our", "The"))


def test_a_data_set_of_ones_own(annotator: OfflineAnnotator) -> None:
    own = open_offline_annotator((DataSet("dblp", ("dblp",), "bibliographic"),))
    given = own.annotate("What is the topic of paper #1111 in the DBLP bibliographic network?")
    assert given.endswith('is [GR(GL("dblp"), "graph_bert:topic", paper#1111)-->r].')
    with pytest.raises(UsageError, match="bibliografic"):
        open_offline_annotator((DataSet("dblp", ("dblp",), "bibliografic"),))


def test_a_statement_about_a_graph_loads_it(annotator: OfflineAnnotator) -> None:
    given = annotator.annotate("The food web of the lake is a network with forty species.")
    assert given.replace("[", "").count("GL(") == 1
    assert given.startswith("The [GL(") and given.endswith(
        ")] food web of the lake is a network with forty species."
    )


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("Which subject does article 31336 of Cora deal with?", ["31336"]),
        ("In foursquare, what is the id of user sparkey215's community?", ["sparkey215"]),
        ("How far is it from node 3 to vertex #8 in the petersen graph?", ["3", "8"]),
        ("In WordNet, _hyponym leads from plaything.n.01 to [TBR].", ["_hyponym", "plaything.n.01"]),
        ("Does u12 like i50 on movie-lens?", ["u12", "i50"]),
    ],
)
def test_mentions_are_found_however_they_are_spelt(text: str, kinds: list[str]) -> None:
    found = read(text, shipped_catalogue())
    assert [token.value for token in found.tokens if token.value and not token.kind.startswith("<")] == kinds


def test_the_graphs_of_gpr_are_those_that_ship() -> None:
    graphs = builtin.load("gpr")
    assert isinstance(graphs, GraphSet)
    assert sorted(shipped_catalogue().members) == sorted(graphs.names)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 10_000,
        "[GR(" * 2_000,
        "user #" * 1_500 + " in twitter?",
        "\x00\x07 [TBR] \ud800",
        "the " * 2_500 + "graph",
    ],
)
def test_hostile_texts_are_declined_or_left_alone(annotator: OfflineAnnotator, text: str) -> None:
    try:
        assert annotator.annotate(text) == text
    except DeclinedError as error:
        assert str(error)


def _paraphrases(name: str) -> list[list[str]]:
    lines = (DATA / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if not line.startswith("#")]


@pytest.mark.parametrize("name", sorted(file.name for file in DATA.glob("annotator_*.tsv")))
def test_our_own_paraphrases(annotator: OfflineAnnotator, name: str) -> None:
    """Never shown to training; the figures of each kind are in docs/annotator.md."""
    rows = _paraphrases(name)
    found = [(*outcome(annotator, text, wanted), family, text) for family, text, wanted in rows]
    missed = [each for each in found if each[0] != "right"]
    assert len(missed) <= 0.07 * len(rows), missed
    # A wrong call is worse than none: no prose may be asked of a function.
    wrong = [each for each in missed if each[0] == "wrong"]
    assert len(wrong) <= 0.03 * len(rows), wrong
    assert not [each for each in wrong if "[GR(" in each[1]], wrong


@pytest.mark.parametrize(
    "folder",
    ["graph_properties", "bibliographic_networks/cora", "molecular_graphs/mutag", "recommender_systems/movielens",
     "social_networks/twitter", "knowledge_graphs/wordnet"],
)  # fmt: skip
def test_official_prompts(annotator: OfflineAnnotator, shared_data: Path, folder: str) -> None:
    from graphtalk.benchmarks.scorers.api_calls import api_calls
    from graphtalk.benchmarks.scorers.given import Given
    from graphtalk.benchmarks.toolformer.records import read_records

    asked = read_records(shared_data / "graph_toolformer_prompts" / folder / "prompts_test").asked
    given = [Given(a.question, annotator.annotate(a.question), None, a.gold) for a in asked]
    assert len(given) == 160
    assert sum(api_calls(g)["api"] for g in given) >= 159


@pytest.mark.parametrize(
    ("text", "annotated"),
    [
        (
            "There exist a carbon-oxygen double bond in the Acetaldehyde molecular graph.",
            'There exist a [GL("acetaldehyde-molecular-graph", {Carbon, Oxygen}, {(Carbon, Oxygen)})] carbon-oxygen double '
            "bond in the Acetaldehyde molecular graph.",
        ),
        (
            "The lollipop graph looks like a spoon.",
            'The [GL("lollipop-graph", "all nodes", "all links")] lollipop graph looks like a spoon.',
        ),
        (
            "The paper#10 in the Cora bibliographic network introduces the Transformer model.",
            'The [GL("cora", {Paper#10}, "all related citation links")] paper#10 in the Cora bibliographic network introduces '
            "the Transformer model.",
        ),
        (
            'At the IMDB recommender system, David rates the "The Avengers" movie with a 10-star review score.',
            'At the [GL("imdb-recommender-system", {"David", "The Avengers"}, {("David", "The Avengers")})] IMDB recommender '
            'system, David rates the "The Avengers" movie with a 10-star review score.',
        ),
        (
            "According to the Freebase knowledge graph, Donald Trump was born in 1946 at the Jamaica Hospital Medical Center "
            "in New York.",
            'According to the [GL("freebase", {"Donald Trump", "Jamaica Hospital Medical Center", "New York"}, '
            '{("Donald Trump", "Jamaica Hospital Medical Center"), ("Jamaica Hospital Medical Center", "New York")})] Freebase '
            "knowledge graph, Donald Trump was born in 1946 at the Jamaica Hospital Medical Center in New York.",
        ),
        (
            "Paper #35 cites paper #40 in the Cora network.",
            '[GL("cora", {Paper#35, Paper#40}, {(Paper#35, Paper#40)})] Paper #35 cites paper #40 in the Cora network.',
        ),
        (
            "Papers #3 and #17 of the Citeseer network cite each other.",
            '[GL("citeseer", {Paper#3, Paper#17}, {(Paper#3, Paper#17)})] Papers #3 and #17 of the Citeseer network cite each '
            "other.",
        ),
        (
            "Nodes 0, 1 and 2 of the karate graph form a triangle.",
            '[GL("karate-graph", {0, 1, 2}, "all related links")] Nodes 0, 1 and 2 of the karate graph form a triangle.',
        ),
        (
            "The link between node 4 and node 9 of the Petersen graph is a bridge.",
            'The link between [GL("petersen-graph", {4, 9}, {(4, 9)})] node 4 and node 9 of the Petersen graph is a bridge.',
        ),
        (
            "The protein 1abc consists of atoms {0,1,2} with links {(0,1),(1,2)}.",
            'The [GL("protein-1abc-graph", {0,1,2}, {(0,1),(1,2)})] protein 1abc consists of atoms {0,1,2} with links '
            "{(0,1),(1,2)}.",
        ),
        (
            "In the Cora network, {Paper#10, Paper#12} is a set of two.",
            'In the Cora network, [GL("cora", {Paper#10, Paper#12}, "all related links")] {Paper#10, Paper#12} is a set of two.',
        ),
        (
            "The formaldehyde molecular graph contains the link (C=O).",
            'The formaldehyde molecular graph contains the link [GL("formaldehyde-molecular-graph", "all related nodes", '
            "{(C=O)})] (C=O).",
        ),
        (
            "The file ./data/roads.csv holds the road network of Ohio.",
            'The file [GL("./data/roads.csv", "all nodes", "all links")] ./data/roads.csv holds the road network of Ohio.',
        ),
        (
            "Nodes {1, 2} of the graph at https://a.org/g.graphml have the link {(1, 2)}.",
            'Nodes {1, 2} of the graph at [GL("https://a.org/g.graphml", {1, 2}, {(1, 2)})] https://a.org/g.graphml have the '
            "link {(1, 2)}.",
        ),
        (
            "User #u196 gives a rating of 0.902 to item #i251 in movielens.",
            '[GL("movielens", {User#u196, Item#i251}, "all related links")] User #u196 gives a rating of 0.902 to item #i251 '
            "in movielens.",
        ),
        (
            "Nodes 2 and 5 of the bull graph are not linked.",
            '[GL("bull-graph", {2, 5}, "all related links")] Nodes 2 and 5 of the bull graph are not linked.',
        ),
        (
            "In mutag, the molecule #5 has a link (C=O).",
            'In mutag, the [GL("mutag", {instance#5}, "all related nodes", {(C=O)})] molecule #5 has a link (C=O).',
        ),
        (
            "In ptc, the compound #12 contains a carbon-chlorine bond.",
            'In ptc, the [GL("ptc", {instance#12}, {Carbon, Chlorine}, {(Carbon, Chlorine)})] compound #12 contains a '
            "carbon-chlorine bond.",
        ),
        (
            "The molecule #5 in mutag with the bonds (N=O) has [TBR] nodes.",
            'The molecule #5 in mutag with the bonds (N=O) has [GR(GL("mutag", {instance#5}, "all related nodes", {(N=O)}), '
            '"toolx:order")-->r] nodes.',
        ),
        (
            "What is the diameter of the nodes {0, 1, 2} of the lollipop graph?",
            'The diameter of the nodes {0, 1, 2} of the lollipop graph is [GR(GL("gpr", {"lollipop_graph"}, {0, 1, 2}, '
            '"all links"), "toolx:diameter")-->r].',
        ),
    ],
)
def test_subsets_are_read_from_the_text(annotator: OfflineAnnotator, text: str, annotated: str) -> None:
    """The first five are the paper's own examples, but for a word of the third that its output leaves out."""
    assert annotator.annotate(text) == annotated


@pytest.mark.parametrize(
    "text",
    [
        "What is the eccentricity of the nodes {0, 1, 2} of the lollipop graph?",
        "What is the topic of {Paper#10, Paper#12} in cora?",
        "What function does molecule #5 of mutag with the links {(C=O)} have?",
    ],
)
def test_what_no_function_gives_of_a_part_is_declined(annotator: OfflineAnnotator, text: str) -> None:
    with pytest.raises(DeclinedError, match="writes a part of the graph"):
        annotator.annotate(text)


@pytest.mark.parametrize(
    "text",
    [
        "Rename the frucht graph to G.",
        "Add an edge between node 1 and 2 in the bull graph.",
        "Delete node 4 of the petersen graph.",
    ],
)
def test_commands_that_no_function_carries_out_load_no_graph(annotator: OfflineAnnotator, text: str) -> None:
    assert annotator.annotate(text) == text


def test_who_is_curious_asks(annotator: OfflineAnnotator) -> None:
    found = annotator.annotate("I'd be curious what paper #6215 in Citeseer is about.")
    assert '[GR(GL("citeseer"), "graph_bert:topic", paper#6215)-->r]' in found


@pytest.mark.parametrize(
    "text",
    [
        "The weather in Paris is fine.",
        "In the United States, John and Mary met Ann.",
        "Colour the vertices of the cycle graph red.",
        "Amazon is a large company.",
        "The minutes are kept in ./notes/today.txt.",
        "Put {name} in place of the brackets.",
    ],
)
def test_prose_names_no_subsets(annotator: OfflineAnnotator, text: str) -> None:
    assert annotator.annotate(text) == text
