"""People who have left: a question about now says how many of its answer they are."""

import pytest

import graphtalk as gt
from phrase_graphs import imported

TABLES = {
    "teams": "team_id,name\nT1,Harbour Rovers\nT2,Old Town\n",
    "coaches": "coach_id,name,team_id,start_date,end_date\nC1,Iris Kane,T1,2018-07-01,2022-06-30\nC2,Omar Diaz,T1,2022-07-01,\nC3,Lena Voss,T2,2020-01-01,\n",
}


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> gt.Session:
    return imported(TABLES, tmp_path_factory.mktemp("club"))


def test_it_is_said_of_what_is_asked_of_now(club: gt.Session) -> None:
    now, then, one = (
        club.ask(q)
        for q in ("Who coaches Harbour Rovers?", "Who coached Harbour Rovers?", "Who coaches Old Town?")
    )
    assert "1 of 2 has an end date." in now.text
    assert "end date" not in then.text and "end date" not in one.text
    assert sorted(now.value) == sorted(then.value) == ["Iris Kane", "Omar Diaz"]


def test_who_has_left_is_read(club: gt.Session) -> None:
    assert club.ask("Which coaches have left?").value == ["Iris Kane"]
    assert club.ask("Is Omar Diaz still here?").value is True
