"""What people ask of tables as companies keep them: who is whose boss, what was booked most, what is unpaid."""

import pytest

import graphtalk as gt

TABLES = {
    "bakers": """baker_id,name,team_id,manager_id,hired_on,wage,title
B1,Ada Quill,T1,,2010-03-01,5200,head baker
B2,Bo Larch,T1,B1,2015-06-01,3900,pastry chef
B3,Cy Marl,T2,B1,2019-01-10,3100,pastry chef
B4,Di Oates,T2,B2,2021-09-01,2800,apprentice
B5,Ed Pike,T2,B2,2012-02-01,3300,head baker
""",
    "teams": """team_id,name,town,lead_id
T1,Morning,Leeds,B1
T2,Night,York,B3
""",
    "shops": """shop_id,name,town,delivery,shelf_count
S1,Corner,Leeds,yes,12
S2,Market,York,no,30
S3,Station,Hull,yes,8
""",
    "deliveries": """delivery_id,shop_id,baker_id,delivered_on,hours
D1,S1,B2,2024-01-05,2
D2,S1,B3,2024-01-06,5
D3,S3,B3,2024-02-01,4
D4,S2,B4,2024-02-03,1
""",
    "bills": """bill_id,delivery_id,amount,paid,issued_on
L1,D1,400,yes,2024-01-10
L2,D2,900,no,2024-01-12
L3,D3,650,no,2024-02-10
L4,D4,120,yes,2024-02-11
""",
    "ovens": """oven_id,name,type,thickness_mm,hourly_cost
O1,Vesta,gas,30,4.0
O2,Agni,electric,50,2.0
O3,Loki,gas,20,6.0
""",
    "rotas": """baker_id,oven_id,role
B2,O1,lead
B3,O1,help
B4,O2,lead
""",
}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    folder = tmp_path_factory.mktemp("bakery")
    for name, text in TABLES.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return gt.session(gt.open(gt.import_graph([folder / f"{name}.csv" for name in TABLES], folder / "g.gt")))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is Di Oates's boss?", ["Bo Larch"]),
        ("Who is Di Oates's manager's boss?", ["Ada Quill"]),
        ("What is the wage of Cy Marl's boss?", [5200]),
        ("direct reports of Bo Larch", ["Di Oates", "Ed Pike"]),
        ("Who joined first, Bo Larch or Ed Pike?", ["Ed Pike"]),
        ("members of Night", ["Cy Marl", "Di Oates", "Ed Pike"]),
        ("How many members does Morning have?", [2]),
        ("Which shops have an unpaid bill?", ["Corner", "Station"]),
        ("Which shops have bills above 600?", ["Corner", "Station"]),
        ("Which shops have no bills?", []),
        ("bills over 600", ["L2", "L3"]),
        ("Which baker has the most delivery hours?", ["Cy Marl"]),
        ("Who delivered the most hours?", ["Cy Marl"]),
        ("average hourly cost for each oven type", [{"type": "gas", "average hourly cost": 5.0}, {"type": "electric", "average hourly cost": 2.0}]),
        ("Does the Corner have delivery?", [True]),
        ("Has anyone from Morning delivered to Station?", [False]),
        ("Did anyone from Night deliver to Station?", [True]),
        ("Which shops have never been delivered to?", None),
        ("Which shops aren't in Leeds?", ["Market", "Station"]),
        ("Does Bo Larch earn a higher wage than Cy Marl?", [True]),
        ("How many shelves do the shops have in total?", [50]),  # `shelf_count`
        ("Of the pastry chefs, who was hired most recently?", ["Cy Marl"]),
        ("Bo Larch or Cy Marl - who earns more?", ["Bo Larch"]),
        ("Which head baker earns the least?", ["Ed Pike"]),
        ("Who has been here the longest?", ["Ada Quill"]),
        ("bakers whose manager joined before 2012", ["Bo Larch", "Cy Marl"]),
        ("Which titles do bakers have?", ["head baker", "pastry chef", "apprentice"]),
        ("How many hours did Cy Marl deliver?", [9]),
        ("thickest oven", ["Agni"]),
        ("Which employes earn more then 3500?", ["Ada Quill", "Bo Larch"]),
        ("Which bakers earn more then 3500?", ["Ada Quill", "Bo Larch"]),
    ],
)  # fmt: skip
def test_is_answered(session: gt.Session, question: str, answer: list[object] | None) -> None:
    told = session.ask(question)
    if answer is None:
        assert not told.answered
        return
    assert told.answered or (answer == [] and not told.alternatives), told.text
    value = told.value if isinstance(told.value, list) else [told.value] if told.answered else []
    assert sorted(map(str, value)) == sorted(map(str, answer))


@pytest.mark.parametrize(
    "question",
    [
        "Which team has the most bakers and how many?",  # the second question would go unanswered
        "Did anyone from Noon deliver to Station?",
    ],
)
def test_is_asked_back(session: gt.Session, question: str) -> None:
    assert not session.ask(question).answered


KEEPERS = """keeper_no,name,job,reports_to,speaks,first_aider,hired_on
K1,Ama Quist,Head,,"German, Polish",true,2004-01-01
K2,Bil Rask,Warden,K1,German,false,2011-01-01
K3,Cleo Sund,Warden,K1,Italian,true,2001-01-01
"""
PENS = """pen_no,name,built_on
P1,Oak Run,1999-01-01
P2,Elm Run,2003-01-01
"""
KINDS = """kind_id,name,animal_class
Q1,Ibis,Bird
Q2,Puma,Mammal
"""
ANIMALS = """animal_id,name,kind_id,pen_no,weight_kg
A1,Dot,Q1,P1,2.5
A2,Dot,Q2,P2,41.0
A3,Fig,Q2,P2,38.0
"""
DUTIES = """keeper_no,pen_no,role
K2,P1,lead
K2,P2,lead
K3,P2,backup
"""


@pytest.fixture(scope="module")
def park(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    folder = tmp_path_factory.mktemp("park")
    tables = {"keepers": KEEPERS, "pens": PENS, "kinds": KINDS, "animals": ANIMALS, "duties": DUTIES}
    for name, text in tables.items():
        (folder / f"{name}.csv").write_text(text, encoding="utf-8")
    return gt.session(gt.open(gt.import_graph([folder / f"{name}.csv" for name in tables], folder / "g.gt")))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("Who is Bil Rask's boss?", ["Ama Quist"]),
        ("direct reports of Ama Quist", ["Bil Rask", "Cleo Sund"]),
        ("Which wardens speak Italian?", ["Cleo Sund"]),
        ("How many first aiders do we have?", [2]),
        ("Which colleagues were hired before 2005?", ["Ama Quist", "Cleo Sund"]),
        ("Which animals live in Elm Run?", ["Dot", "Fig"]),
        ("number of animals per animal class", [{"kinds animal class": "Bird", "number of animals": 1}, {"kinds animal class": "Mammal", "number of animals": 2}]),
        ("Who is lead of at least two pens?", ["Bil Rask"]),
        ("Who is the backup for Elm Run?", ["Cleo Sund"]),
    ],
)  # fmt: skip
def test_of_a_park_is_answered(park: gt.Session, question: str, answer: list[object]) -> None:
    told = park.ask(question)
    value = told.value if isinstance(told.value, list) else [told.value]
    assert told.answered and sorted(map(str, value)) == sorted(map(str, answer)), told.text


def test_which_of_two_of_one_name_is_asked_back(park: gt.Session) -> None:
    told = park.ask("How much does Dot weigh?")
    assert not told.answered and len(told.alternatives) == 2
