"""What only nodes of another type have: no customer is pending, though orders are, and no department was hired."""

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "suppliers": "supplier_id,name\ns1,Brightway\ns2,Casa Verde\n",
    "products": "product_id,name,supplier_id,launched_on,available,price\np1,Kettle,s1,2019-02-01,true,120\np2,Rake,s2,2021-05-01,false,30\n",
    "customers": "customer_id,name\nu1,Ann Lee\nu2,Bob Orr\n",
    "orders": "order_id,customer_id,product_id,order_date,status,shipping_cost\no1,u1,p1,2024-01-02,pending,5\no2,u2,p2,2024-03-01,cancelled,7\no3,u1,p2,2024-04-01,delivered,4\no4,u1,p1,2024-05-01,pending,5\n",
    "departments": "department_id,name\nd1,Sales\nd2,Legal\n",
    "employees": "employee_id,name,department_id,salary,hired_on,work_mode,manager_id\ne1,Cy Moss,d1,50000,2015-03-01,remote,e2\ne2,Dot Nash,d2,70000,2020-01-01,office,\n",
}


@pytest.fixture(scope="module")
def firm(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    return imported(TABLES, tmp_path_factory.mktemp("firm"))


@pytest.mark.parametrize(
    "question",
    [
        "Which customers are pending?",
        "Which customers were cancelled?",
        "Which suppliers are available?",
        "Which suppliers were launched in 2019?",
        "Which suppliers ordered the Kettle?",
        "Which products ordered Ann Lee?",
        "Which departments are remote?",
        "Which departments were hired in 2015?",
        "Which departments earn more than 60000?",
        "Which suppliers cost more than 100?",
        "Which departments report to Dot Nash?",
    ],
)
def test_it_is_asked_back(firm: gt.Session, question: str) -> None:
    found = firm.ask(question)
    assert not found.answered, found.reading


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which orders are pending?", ["o1", "o4"]),
        ("Which products are available?", ["Kettle"]),
        ("Which products were launched in 2019?", ["Kettle"]),
        ("Which customers ordered the Kettle?", ["Ann Lee"]),
        ("Which employees are remote?", ["Cy Moss"]),
        ("Which employees were hired in 2015?", ["Cy Moss"]),
        ("Which employees earn more than 60000?", ["Dot Nash"]),
        ("Which products cost more than 100?", ["Kettle"]),
        ("Which employees report to Dot Nash?", ["Cy Moss"]),
        ("Which customers have a pending order?", ["Ann Lee"]),
    ],
)
def test_where_it_is_right_it_is_read(firm: gt.Session, question: str, value: list[str]) -> None:
    found = firm.ask(question)
    assert found.answered, found.text
    assert found.value == value, found.reading


@pytest.mark.parametrize(
    "question",
    [
        "Which cars cost more than 100?",
        "How many movies cost more than 100?",
        "Which flights cost the most?",
        "Which patients earn more than 60000?",
        "Which bridges have a price above 100?",
    ],
)
def test_nodes_of_no_type_are_none_of_another(firm: gt.Session, question: str) -> None:
    """Even where no plan tells which words are like nothing in the graph."""
    found = firm.ask(question)
    assert not found.answered, found.reading
