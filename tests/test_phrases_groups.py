"""What is counted and added up over tables as companies keep them: by months, by properties of the other end, over edges."""

import pytest

import graphtalk as gt
from graphtalk.language.periods import periods
from phrase_graphs import imported, plain

TABLES = {
    "clients": "client_id,name,city,email\n1,Ada Berg,Bonn,a@x.example\n2,Bo Cech,Aachen,b@x.example\n3,Cy Dias,Bonn,c@x.example\n",
    "bikes": "bike_id,brand,year,client_id\nK1,Velo,2015,1\nK2,Rad,2019,2\nK3,Velo,2021,3\nK4,Rad,2012,1\n",
    "mechanics": "mechanic_id,name,hired_on,monthly_pay\n1,Ona Haas,2016-03-02,2500\n2,Lev Voss,2021-09-17,2100\n",
    "repairs": "repair_id,bike_id,mechanic_id,received_on,finished_on,cost,distance_km,warranty,passed,origin,destination\n"
    "R1,K1,1,2023-01-09,2023-01-11,80,5,yes,yes,North,South\nR2,K2,1,2023-01-20,2023-02-01,40,7,no,no,South,North\n"
    "R3,K3,2,2023-03-04,2023-03-05,120,2,no,yes,North,North\nR4,K1,2,2023-07-08,,60,9,no,yes,South,South\n"
    "R5,K4,1,2022-11-14,2022-11-15,30,4,yes,yes,North,South\n",
    "parts": "part_id,name,price,stock\n1,brake,20,4\n2,chain,35,0\n3,tyre,50,9\n",
    "orders": "client_id,part_id,order_id,ordered_on,units,paid\n1,1,o1,2023-02-01,2,yes\n1,3,o2,2023-02-20,1,no\n"
    "2,1,o3,2023-05-06,4,yes\n3,2,o4,2023-05-30,1,yes\n",
}


@pytest.fixture(scope="module")
def session(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    return imported(TABLES, tmp_path_factory.mktemp("tables"))


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        # parts of dates
        ("How many repairs were received per month in 2023?", {("2023-01", 2), ("2023-03", 1), ("2023-07", 1)}),
        ("In which month were the most repairs received?", "2023-01"),
        ("In which year were the fewest repairs received?", 2022),
        ("orders per quarter", {("2023-Q1", 2), ("2023-Q2", 2)}),
        ("How many orders were made each month?", {("2023-02", 2), ("2023-05", 2)}),
        ("orders by weekday", {("Wednesday", 1), ("Monday", 1), ("Saturday", 1), ("Tuesday", 1)}),
        ("How many repairs were received in the first quarter of 2023?", 3),
        ("How many orders were made between March and June 2023?", 2),
        ("How many repairs were received in the second half of 2023?", 1),
        ("Which repairs were received on a weekend?", {"R3", "R4"}),
        ("How many repairs were received in January?", 2),
        # the days from one date to another
        ("Which repair took the longest?", "R2"),
        ("How many repairs took longer than 1 day?", 2),
        ("Which repairs are not finished yet?", "R4"),
        # by what rows lead to
        ("number of repairs by client city", {("Bonn", 4), ("Aachen", 1)}),
        ("average repair cost per brand", {("Velo", 260 / 3), ("Rad", 35)}),
        ("total cost of repairs per mechanic", {("Ona Haas", 150), ("Lev Voss", 180)}),
        ("How many repairs does each bike have?", {("K1", 2), ("K2", 1), ("K3", 1), ("K4", 1)}),
        ("number of orders per client", {("Ada Berg", 2), ("Bo Cech", 1), ("Cy Dias", 1)}),
        ("orders by client city", {("Bonn", 3), ("Aachen", 1)}),
        ("total units by part", {("brake", 6), ("chain", 1), ("tyre", 1)}),
        ("How many units did each client order?", {("Ada Berg", 3), ("Bo Cech", 4), ("Cy Dias", 1)}),
        ("Which client has the most orders?", "Ada Berg"),
        ("Which city has the most clients?", "Bonn"),
        ("Which cities have more than one client?", "Bonn"),
        ("Which brand has the highest total cost?", "Velo"),
        # totals
        ("How many units were sold in total?", 8),
        ("What is the total distance of the repairs of Lev Voss?", 11),
        ("What did the repairs of Velo bikes cost in total?", 260),
        ("What is the average cost of Ada Berg's bikes?", 170 / 3),
        # averages as a bound
        ("Which parts cost more than average?", "tyre"),
        ("Which mechanics earn more than the average?", "Ona Haas"),
        ("Which repairs have a cost above average?", {"R1", "R3"}),
        # yes and no, and shares
        ("How many of the repairs failed?", 1),
        ("What percentage of the repairs are under warranty?", 40),
        ("What share of orders are paid?", 0.75),
        ("Which parts are out of stock?", "chain"),
        ("Does Ona Haas earn more than Lev Voss?", True),
        ("Are there more Velo bikes than Rad bikes?", False),
        # columns, and the last of something
        ("name, price and stock of the parts", {("brake", 20, 4), ("chain", 35, 0), ("tyre", 50, 9)}),
        ("What was the last order of Ada Berg?", "o2"),
        ("Which clients have ordered at least two different parts?", "Ada Berg"),
    ],
)  # fmt: skip
def test_rows_are_counted_and_added_up(session: gt.Session, question: str, answer: object) -> None:
    found = session.ask(question)
    assert found.answered, found.text
    expected = pytest.approx(answer) if isinstance(answer, float) else answer
    assert plain(found.value) == expected, found.calls[-1].spelling


@pytest.mark.parametrize(
    "question",
    [
        "repairs per month",  # received or finished
        "How many units were returned in total?",
        "How many units did each client return?",
        "How many of the repairs complained?",
        "Which repairs took longer than 2 weeks?",  # dates give days
        "How many repairs were received in the third half of 2023?",
        "What is the total revenue per client?",
        "How many orders were refunded between March and June 2023?",
        "Which Velo bikes are newer than average?",
    ],
)
def test_what_rows_do_not_say_is_asked_back(session: gt.Session, question: str) -> None:
    assert not session.ask(question).answered


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Q3 2021 and 2022-Q1", ["2021-Q3", "2022-Q1"]),
        ("in the last quarter of 2020", ["2020-Q4"]),
        ("in March 2020", []),
        ("from May to July, 2021", ["2021-05"]),
        ("on weekends in June", ["--06", "weekend"]),
        ("in May and June", []),
    ],
)
def test_periods(text: str, found: list[str]) -> None:
    assert [p.text for p in periods(text)] == found
