"""Orders and their lines: who orders has what the lines of the order are of; nouns of several that are a value; lists of verbs."""

import pytest

import graphtalk as gt
from graphtalk.reasoners.phrases.derived import with_lines
from graphtalk.reasoners.reader.shape import Link, Shape, Step
from phrase_graphs import imported

TABLES = {
    "customers": "customer_id,name,kind\nc1,Brook Cafe,cafe\nc2,Dell School,school\nc3,Fern Hotel,hotel\nc4,Gale Library,library\n",
    "clerks": "clerk_id,name,manager_id,salary\nk1,Ann Bell,,310\nk2,Bob Dale,k1,240\nk3,Cleo Fox,k1,260\n",
    "orders": """order_id,customer_id,handled_by,ordered_on,delivered_on
o1,c1,k1,2023-01-05,2023-02-01
o2,c1,k2,2023-03-06,2023-03-09
o3,c2,k1,2024-02-07,
o4,c3,k2,2024-05-08,2024-05-10
""",
    "products": """product_id,name,category,price
p1,Oak Bench,bench,120
p2,Pine Bench,bench,80
p3,Brass Lamp,lamp,45
p4,Wall Clock,clock,60
p5,Tall Mirror,mirror,95
""",
    "order_items": """order_item_id,order_id,product_id,packed_by,quantity
i1,o1,p1,k3,2
i2,o1,p3,k3,1
i3,o2,p2,k2,4
i4,o3,p1,k3,1
i5,o4,p4,,3
i6,o4,p3,k2,2
""",
}


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Orders of customers, whose items are of products and packed by clerks."""
    return imported(TABLES, tmp_path_factory.mktemp("shop"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which products did Brook Cafe order?", ["Brass Lamp", "Oak Bench", "Pine Bench"]),
        ("Which products were ordered by Fern Hotel?", ["Brass Lamp", "Wall Clock"]),
        ("Which customers ordered the Oak Bench?", ["Brook Cafe", "Dell School"]),
        ("Who ordered the Oak Bench?", ["Brook Cafe", "Dell School"]),
        ("Which customers have never ordered a bench?", ["Fern Hotel", "Gale Library"]),
        ("How many different products has Brook Cafe ordered?", 3),
        ("Which products did Brook Cafe order in 2023?", ["Brass Lamp", "Oak Bench", "Pine Bench"]),
        ("Which customers ordered in 2024?", ["Dell School", "Fern Hotel"]),
        ("Which customers did not order anything in 2024?", ["Brook Cafe", "Gale Library"]),
        ("Which customers have only ordered benches?", ["Dell School"]),
        ("Which month had the most orders?", ["2023-01", "2023-03", "2024-02", "2024-05"]),
        ("What is the total quantity of the Oak Bench?", 3),
        ("Which products have never been ordered?", ["Tall Mirror"]),
        ("Which benches did Brook Cafe order?", ["Oak Bench", "Pine Bench"]),
        ("Which customer ordered the most different products?", ["Brook Cafe"]),
        ("Has Dell School ordered the Brass Lamp?", False),
        ("Has Fern Hotel ordered the Brass Lamp?", True),
        ("How many orders include the Brass Lamp?", 2),
        ("Who packed the Brass Lamp?", ["Bob Dale", "Cleo Fox"]),
        ("Which products has Cleo Fox packed?", ["Brass Lamp", "Oak Bench"]),
        ("Who handled order o4?", ["Bob Dale"]),
        ("What is the average price of the benches?", 100),
        ("How many benches are there?", 2),
        ("Which clerks have never packed a product?", ["Ann Bell"]),
        ("Which clerks have never handled an order or packed a bench?", []),
        ("Which clerks handled an order or packed a lamp?", ["Ann Bell", "Bob Dale", "Cleo Fox"]),
    ],
)
def test_what_is_ordered_is_what_the_lines_are_of(shop: gt.Session, question: str, value: object) -> None:
    answer = shop.ask(question)
    assert answer.answered, answer.text
    found = answer.value
    if isinstance(value, list):
        assert isinstance(found, list) and sorted(map(str, found)) == value, answer.reading
    else:
        assert (found[0] if isinstance(found, list) else found) == value, answer.reading


@pytest.mark.parametrize(
    "question",
    [
        "How many lamps were ordered in total?",  # two orders have three
        "Which two products are most often ordered together?",
        "What is the average price of the sofas?",
        "What do the sofas cost on average?",
        "Which products did Brook Cafe return?",
        "Which products did Ann Bell order?",  # she handled orders
        "Which clerks have a higher salary than their manager?",  # nobody: not those who have more than whom they manage
    ],
)
def test_what_no_line_says_is_not_answered(shop: gt.Session, question: str) -> None:
    answer = shop.ask(question)
    assert not answer.answered, answer.reading


BANDS = {
    "bands": "band_id,name,town\nb1,Gull Wing,Ayton\nb2,Salt Lamp,Barr\nb3,Tin Moth,Ayton\nb4,Wet Slate,Corrie\n",
    "gigs": "gig_id,name,played_by\ng1,Fog Night,b1\ng2,Pier Night,b2\n",
    "albums": "album_id,name,made_by\na1,Kelp,b1\na2,Rust,b3\n",
    "films": "film_id,name,scored_by\nf1,Tide,b2\nf2,Ebb,b3\n",
}


@pytest.fixture(scope="module")
def bands(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Bands with what they played, made and scored."""
    return imported(BANDS, tmp_path_factory.mktemp("bands"))


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Which bands have never played a gig, made an album or scored a film?", ["Wet Slate"]),
        ("Which bands have never played a gig or made an album?", ["Wet Slate"]),
        ("Which bands did not play a gig or score a film?", ["Wet Slate"]),
        ("Which bands played a gig, made an album or scored a film?", ["Gull Wing", "Salt Lamp", "Tin Moth"]),
        ("Which bands played a gig or scored a film?", ["Gull Wing", "Salt Lamp", "Tin Moth"]),
        ("Which bands made an album and scored a film?", ["Tin Moth"]),
    ],
)
def test_one_or_none_of_a_list_of_verbs(bands: gt.Session, question: str, names: list[str]) -> None:
    answer = bands.ask(question)
    assert answer.answered, answer.text
    assert sorted(answer.value) == names, answer.reading


@pytest.mark.parametrize(
    "question",
    [
        "Which bands are not in Ayton or made an album?",  # those made it
        "Which bands have never played a gig or are in Ayton?",
        "Which bands never played a gig or scored no film?",
    ],
)
def test_what_is_not_denied_with_the_first_is_not_denied(bands: gt.Session, question: str) -> None:
    answer = bands.ask(question)
    if answer.answered:
        neither = [["Wet Slate"], ["Salt Lamp", "Wet Slate"]]
        assert sorted(answer.value) not in neither, answer.reading


BUSES = {
    "depots": "depot_id,name\nd1,Moor Lane\nd2,Quay\n",
    "buses": "bus_id,name,depot_id,seats\nb1,Kestrel,d1,40\nb2,Heron,d1,52\nb3,Osprey,d2,30\n",
    "classes": "class_id,title,teacher\nk1,First Aid,Ann Bell\nk2,Driving,Bob Dale\n",
}


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many buses are there?", 3),
        ("Which bus has the most seats?", ["Heron"]),
        ("Which depot has the most buses?", ["Moor Lane"]),
        ("How many buses does each depot have?", {"Moor Lane": 2, "Quay": 1}),
        ("Who is the teacher of the Driving class?", ["Bob Dale"]),
    ],
)
def test_nouns_in_s_are_one_and_several(
    tmp_path_factory: pytest.TempPathFactory, question: str, value: object
) -> None:
    answer = imported(BUSES, tmp_path_factory.mktemp("buses")).ask(question)
    assert answer.answered, answer.text
    found = answer.value
    if isinstance(value, dict):
        assert isinstance(found, list)
        found = dict(tuple(row.values()) for row in found)
    assert found == value or found == [value] or [found] == value, answer.reading


@pytest.mark.parametrize("when", ["in summer", "at weekends", "when it rains", "during the winter"])
def test_a_time_that_the_graph_has_not_is_not_passed_over(
    tmp_path_factory: pytest.TempPathFactory, when: str
) -> None:
    session = imported(BUSES, tmp_path_factory.mktemp("buses"))
    assert session.ask("How many seats does Heron have?").answered
    answer = session.ask(f"How many seats does Heron have {when}?")
    assert not answer.answered, answer.reading


def test_no_edges_are_looked_at_where_nothing_is_called_a_line() -> None:
    """Whether each has one is found by reading all edges of a relation."""
    shape = Shape(
        ("person", "town", "order"), (Link("lives_in", "person", "town"), Link("by", "order", "person")), ()
    )

    def unread(step: Step) -> bool:
        raise AssertionError(step)

    assert with_lines(shape, unread, ("person",)) == shape
