"""GRBench's questions in other words than the templates have, filled by the generator, answered offline and compared with its gold."""

from dataclasses import replace

import pytest

import graphtalk as gt
from graphtalk.app.ask import session
from graphtalk.app.settings import DEFAULT
from graphtalk.benchmarks.grbench.generate import Row, generate
from graphtalk.benchmarks.grbench.templates import read
from graphtalk.tools.executor import Executor
from graphtalk.tools.values import as_number
from grbench_graphs import small

AUTHOR, OTHER = "{author} of {organization}", "{other} of {other_organization}"
WORDINGS = {
    "academic-dblp": {
        4: ["Which authors took part in \"{first}\" and in \"{second}\"?"],
        13: [f"How many co-author steps lead from {AUTHOR} to {OTHER}?", f"By how many co-author links are {AUTHOR} and {OTHER} at least apart?"],
        3: [f"Who wrote the paper \"{{paper}}\" together with {AUTHOR}?", f"With which authors did {AUTHOR} write \"{{paper}}\"?",
            f"Who collaborated with {AUTHOR} on \"{{paper}}\"?"],
        5: [f"Who has written the most papers together with {AUTHOR}?", f"Which author shares the largest number of papers with {AUTHOR}?",
            f"Who is the closest colleague of {AUTHOR}, by number of joint papers?"],
        6: [f"How many collaborators did {AUTHOR} have in {{year}}?", f"With how many people did {AUTHOR} write a paper in {{year}}?", f"In {{year}}, how many authors collaborated with {AUTHOR}?",
            f"How many coauthors did {AUTHOR} have in {{year}}?", f"How many people wrote a paper with {AUTHOR} in {{year}}?"],
        7: [f"How many joint papers do {AUTHOR} and {OTHER} have?", f"How many papers did {AUTHOR} and {OTHER} write jointly?",
            f"{AUTHOR} and {OTHER} wrote how many papers together?", f"Of how many papers are {AUTHOR} and {OTHER} both authors?"],
        8: ["How many citations does \"{paper}\" have?", "How often do papers cite \"{paper}\"?"],
        9: ["How many papers are cited by \"{paper}\"?", "How many papers does the paper \"{paper}\" cite?"],
        10: [f"Which of the papers by {AUTHOR} do the most papers cite?", f"Which paper by {AUTHOR} has the most citations?", f"What is the most cited paper by {AUTHOR}?"],
        12: [f"Which venue do most papers by both {AUTHOR} and {OTHER} appear at?", f"What is the most common venue of the joint papers of {AUTHOR} and {OTHER}?"],
        14: [f"Going by keywords, what are the 3 main research fields of {AUTHOR}?", f"The papers of {AUTHOR} have which 3 keywords most frequently?", f"List the 3 most common keywords in the papers by {AUTHOR}."],
    },
    "ecommerce": {
        1: ["How was the item {item} categorized?"],
        4: ["How many items are listed as bought together with {item}?"],
        6: ["People who bought {item} also bought how many items?", "How many items did customers also buy who bought {item}?"],
        8: ["What are the other items with both the brand and the category of {item}?"],
        10: ["Which other items have more than {number} of the bought-together items of {item}?"],
        11: ["How many further items share every bought-together item with {item}?", "Other than {item}, how many items have all of its bought-together items?"],
        13: ["The items that are co-viewed with {item} have what average price?", "Average the prices of all items co-viewed with {item}."],
        14: ["The items bought together with {item} fall most often into which category?", "Which category do the items bought together with {item} have most often?"],
    },
    "literature": {
        16: ["How many volumes are in the series {series}?"],
        17: ["With how many authors did the publisher {publisher} work?"],
        2: ["On which shelves is the book {book} kept?", "Which shelves does {book} stand on?"],
        3: ["Under which genres does {book} fall?", "Which genres is the book {book} listed under?"],
        6: ["Of how many pages does the book {book} consist?"],
        9: ["Which other books have both the author and the publisher of {book}?"],
        10: ["What else did the author of {book} write in the same genre?", "Which other books by an author of {book} share its genre?"],
        18: ["Who is the author of the most books in the genre of {book}?", "Who has written the most books in the genre of {book}?", "In the genre of {book}, which author has written the most books?",
             "Consider all books in the genre of {book}. Which author has the largest number of these?"],
        19: ["In which format does {author} publish most often?", "What is the predominant format of the books of {author}?", "Name the format that {author} writes in most often."],
        20: ["The books of {author} belong most often to which genre?", "By number of books, what is the main genre of {author}?"],
        21: ["In the genre {genre}, from which publisher do most books come?", "Of all books in the genre {genre}, which publisher has the most?", "Among the books of the genre {genre}, which publisher is the most common?"],
        22: ["The books by {author} have which language code most often?"],
    },
    "legal": {
        3: ["Which court dealt with the case with the PACER number {docket}?", "The case with the PACER number {docket} was heard in which court?"],
        6: ["By how many opinions was this opinion cited: {opinion}"],
        10: ["Before how many courts was the case {case} heard?"],
        2: ["How was the {court} cited?", "By which citation string is the {court} known?", "Which citation string goes with the {court}?"],
        7: ["By which judges is the opinion cluster with this opinion: {opinion}", "Which judges are responsible for the cluster in which this opinion appears: {opinion}"],
        8: ["To which docket does this opinion belong? State its PACER case id. {opinion}"],
        11: ["How many opinions are in the clusters about the case {case}?"],
        12: ["Of how many opinions does the cluster consist that this syllabus describes: {cluster}"],
        13: ["This is an opinion: {opinion} How many opinions are in its cluster?"],
        14: ["Which court issued the opinion with this text: {opinion}", "This is an opinion: {opinion} From which court does it come?"],
        15: ["To which court do most references in the opinions of the {court} lead?", "Which court do the opinions of the {court} cite most frequently?"],
    },
}  # fmt: skip


@pytest.mark.parametrize("domain", WORDINGS)
def test_questions_in_other_words_are_answered_right(domain: str) -> None:
    _, graph = small(domain.partition("-")[0])
    templates = read(domain)
    chosen = replace(templates, by_number={n: templates.by_number[n] for n in WORDINGS[domain]})
    wordings = {t.id: WORDINGS[domain][t.number] for t in chosen}
    each = max(map(len, wordings.values()))
    made = generate(Executor(graph), graph, chosen, each, 1, wordings)
    of_template: dict[object, list[Row]] = {}
    for row in made.rows:
        of_template.setdefault(row["template"], []).append(row)
    once = [row for template, rows in of_template.items() for row in rows[: len(wordings[str(template)])]]
    asking = session(graph, replace(DEFAULT, same_or_more=True))
    answers = [(row, asking.ask(str(row["question"]))) for row in once]
    missed = [(row["question"], row["answer"], told.text) for row, told in answers if not right(told, row)]
    assert len(answers) == sum(map(len, wordings.values()))
    assert not missed, "\n".join(map(str, missed))


def right(answer: gt.Answer, row: Row) -> bool:
    """Whether an answer gives the gold names, number or text."""
    told = answer.value if isinstance(answer.value, list) else [answer.value]
    gold = [row["answer"]] if row["names"] is None else row["names"]
    assert isinstance(gold, list)
    number = as_number(str(row["answer"]))
    alike = number is not None and len(told) == 1 and told[0] == pytest.approx(number, rel=1e-3)
    return answer.answered and (alike or set(map(str, told)) == set(map(str, gold)))
