"""Tables with short headers (`qty`, `wgt_kg`, `germination_pct`), asked in whole words."""

from pathlib import Path

import pytest

import graphtalk as gt
from phrase_graphs import imported, plain

TABLES = {
    "parts": """part_id,part_name,mfr,wgt_kg,qty,prc_eur,descr,scrap_pct
1,Bolt M4,Acme,0.01,500,0.10,steel bolt,2
2,Gear A,Zenit,2.5,12,45.0,spur gear,5
3,Shaft,Acme,7.2,4,80.0,drive shaft,11
""",
    "bins": """bin_id,part_id,whse,dept,bonus_eur
1,1,North,Assembly,10
2,2,South,Milling,20
3,3,North,Assembly,30
""",
}

SHOP = {
    "goods": """good_id,good_name,category,reference
1,Lamp,Home,R-1
2,Rug,Home,R-2
""",
}
PEOPLE = {
    "emps": """emp_id,emp_name,dept_id,mgr_id,sal,loc
1,Ann Bell,1,,5000,Bern
2,Bob Dale,1,1,4000,Bern
3,Cleo Fox,2,1,4500,Genf
""",
    "depts": """dept_id,dept_name
1,Sales
2,Ops
""",
}


@pytest.fixture(scope="module")
def firm(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Employees and departments; `mgr_id` is an employee."""
    return imported(PEOPLE, tmp_path_factory.mktemp("firm"))


@pytest.fixture(scope="module")
def stock(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    """Parts, and the bins that they lie in."""
    return imported(TABLES, tmp_path_factory.mktemp("stock"))


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the weight of Gear A?", 2.5),
        ("How heavy is the Shaft?", 7.2),
        ("Which part is the heaviest?", ["Shaft"]),
        ("Which parts have a quantity above 10?", ["Bolt M4", "Gear A"]),
        ("total quantity of parts by manufacturer", {"Acme": 504, "Zenit": 12}),
        ("What is the manufacturer of Shaft?", "Acme"),
        ("description of Bolt M4", "steel bolt"),
        ("average price of parts", pytest.approx(41.7)),
        ("What is the average scrap percentage?", 6),
        ("average scrap percentage per manufacturer", {"Acme": 6.5, "Zenit": 5}),
        ("total bonus money of the bins", 60),
        ("How many bins pay 20 euros or more?", 2),
    ],
)
def test_words_find_short_headers(stock: gt.Session, question: str, value: object) -> None:
    answer = stock.ask(question)
    found = answer.value
    if isinstance(value, list):
        assert isinstance(found, list)
        found = sorted(str(v["name"] if isinstance(v, dict) else v) for v in found)
    elif isinstance(value, dict) and isinstance(found, list):
        found = {str(k): v for k, v in (row.values() for row in found if isinstance(row, dict))}
    elif isinstance(found, list) and len(found) == 1:
        found = found[0]
    assert answer.answered and found == value, answer.text


@pytest.mark.parametrize("question", ["What is the supplier of Shaft?", "What is the width of Gear A?"])
def test_what_no_header_stands_for_is_declined(stock: gt.Session, question: str) -> None:
    assert not stock.ask(question).answered


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("How many employees are there?", 3),
        ("How many emps are there?", 3),
        ("Which department has the most employees?", "Sales"),
        ("average sal by dept", {("Sales", 4500), ("Ops", 4500)}),
        ("Who is the manager of Bob Dale?", "Ann Bell"),
        ("Who is the mgr of Bob Dale?", "Ann Bell"),
        ("Which employees report to Ann Bell?", {"Bob Dale", "Cleo Fox"}),
        ("Who works in Sales?", {"Ann Bell", "Bob Dale"}),
        ("Who earns the most?", "Ann Bell"),
    ],
)
def test_short_names_of_tables_and_keys_are_read_whole(
    firm: gt.Session, question: str, value: object
) -> None:
    found = firm.ask(question).value
    assert (set(found.items()) if isinstance(found, dict) else plain(found)) == value


@pytest.mark.parametrize("question", ["How many cats are there?", "Which ref has a Lamp?"])
def test_short_forms_that_are_words_stay_words(tmp_path: Path, question: str) -> None:
    assert not imported(SHOP, tmp_path).ask(question).answered
