"""Groups by the time at which something was done, and flags whose names have a word of time: nobody works full years."""

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "departments": "department_id,name\nd1,Sales\nd2,Legal\n",
    "employees": "employee_id,name,department_id,hired_on,full_time,stock\n"
    "e1,Ann Lee,d1,2019-02-01,true,3\ne2,Bob Orr,d1,2019-06-01,false,0\ne3,Cy Moss,d2,2021-03-01,true,8\n",
}


@pytest.fixture(scope="module")
def staff(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    return imported(TABLES, tmp_path_factory.mktemp("staff"))


@pytest.mark.parametrize(
    "question",
    [
        "How many employees were hired per year?",
        "How many employees were hired each year?",
        "How many employees were hired in each year?",
    ],
)
def test_each_year_is_that_of_the_deed(staff: gt.Session, question: str) -> None:
    found = staff.ask(question)
    assert found.answered, found.text
    assert sorted(tuple(row.values()) for row in found.value) == [(2019, 2), (2021, 1)], found.reading


def test_what_is_in_stock_is_more_than_none(staff: gt.Session) -> None:
    assert sorted(staff.ask("Which employees are in stock?").value) == ["Ann Lee", "Cy Moss"]
    assert staff.ask("Which employees are out of stock?").value == ["Bob Orr"]


@pytest.mark.parametrize(
    "question",
    [
        "Which women were hired in 2019?",
        "How many men work in Sales?",
        "How many employees opened the stock?",
        "Which ladies are full time?",
        "How many employees resigned?",
    ],
)
def test_what_nothing_tells_is_asked_back(staff: gt.Session, question: str) -> None:
    found = staff.ask(question)
    assert not found.answered, found.reading
