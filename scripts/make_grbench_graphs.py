"""Make graphs of GRBench's other four domains in their published schemas, by program, for questions made of them.

    python scripts/make_grbench_graphs.py literature --nodes 10000 --seed 0 --out literature      # literature/graph.json
    graphtalk import literature -o literature.gt
    graphtalk bench run grbench-literature --graph literature.gt --per-template 5 --seed 1 --out runs/literature

GRBench's own graphs are not shipped. These have their node types, features and neighbour types, names that are made up
of words, degrees that follow a power law, and values that some nodes lack, as in the published ones.
"""

import argparse
import itertools
import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

Nodes = dict[str, dict[str, Any]]
DOMAINS = ("academic", "ecommerce", "literature", "legal")
FIRST = "Mei Nkechi Saoirse Tomas Ines Farid Lena Oskar Yuki Amara Pavel Rosa Idris Freya Mateo Zofia Anders Leila".split()
LAST = "Weissmann Carvalho Delgado Tanimura Stein Okafor Lindqvist Haddad Moreau Petrov Sato Nyberg Quispe Ferro".split()
HEADS = "Limits Models Structure Dynamics Origins Estimates Theory Patterns Mechanisms Surveys Benchmarks Costs".split()
TOPICS = (
    "larval dispersal,lithium dendrites,node embeddings,coral bleaching,graph kernels,soil carbon,protein folding,sparse codes,"
    "tidal energy,fault slip,speech parsing,robot grasping,antibody design,ice cores,market games,dark matter"
).split(",")
ADJECTIVES = "Hollow Silent Crimson Folding Northern Broken Golden Hidden Restless Electric Winter Paper Glass Salt Velvet".split()
NOUNS = "Lighthouse Orchard Kettle Chair Compass Harbour Lantern Bridge Mirror Engine Garden Ladder Tent Drum Anchor".split()
ENDS = "of Ash,for a Stranger,in the Rain,under Glass,with Two Doors,at Midnight,from the Coast,without Wheels".split(
    ","
)
CATEGORIES = "Camping & Hiking,Kitchen,Garden Tools,Office Chairs,Lighting,Audio,Cycling,Toys & Games".split(
    ","
)
GENRES = "fantasy,science fiction,romance,mystery,history,poetry,thriller,children".split(",")


class Maker:
    """Nodes with unique names, and edges told at both ends."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.data: dict[str, Nodes] = {}

    def nodes(
        self, kind: str, prefix: str, count: int, features: Callable[[int], dict[str, Any]]
    ) -> list[str]:
        """So many nodes of a type."""
        made = {f"{prefix}{n}": {"features": features(n), "neighbors": {}} for n in range(1, count + 1)}
        self.data[f"{kind}_nodes"] = made
        return list(made)

    def join(
        self, ends: Sequence[str], there: str, other: Sequence[str], back: str, most: int, fewest: int = 0
    ) -> None:
        """Join each of `ends` to some of `other`, the first of which are the most popular; each pair once."""
        of, to = self._of(ends[0]), self._of(other[0])
        for end in ends:
            for far in dict.fromkeys(self._popular(other) for _ in range(self.random.randint(fewest, most))):
                if far != end:
                    of[end]["neighbors"].setdefault(there, []).append(far)
                    if back and end not in to[far]["neighbors"].setdefault(back, []):
                        to[far]["neighbors"][back].append(end)

    def _popular(self, among: Sequence[str]) -> str:
        return among[min(int(len(among) * self.random.random() ** 2), len(among) - 1)]

    def _of(self, node: str) -> Nodes:
        return next(nodes for nodes in self.data.values() if node in nodes)

    def names(self, *parts: Sequence[str]) -> Iterator[str]:
        """Different names of words of each part, in random order; numbered where they run out."""
        whole = [" ".join(words) for words in itertools.product(*parts)]
        self.random.shuffle(whole)
        yield from whole
        yield from (f"{name} {number}" for number in itertools.count(2) for name in whole)

    def people(self) -> Iterator[str]:
        """Names of people."""
        letters = [f"{letter}." for letter in "ABCDEFGHJKLMNPRSTW"]
        return self.names(FIRST, letters, LAST)


def academic(m: Maker, count: int) -> None:
    """Papers, authors, venues: the schema of DBLP."""
    people, titles = m.people(), m.names(HEADS, ["of"], TOPICS, ["and"], TOPICS)
    series = m.names(
        ["Journal of", "Proceedings of", "Letters on"], ADJECTIVES, ["Systems", "Sciences", "Methods"]
    )
    places = [
        f"{name} {kind}" for name in LAST for kind in ("University", "Institute of Technology", "College")
    ]
    venues = m.nodes("venue", "v", max(count // 200, 8), lambda n: {"name": next(series)})
    authors = m.nodes(
        "author",
        "a",
        count * 3 // 10,
        lambda n: {"name": next(people), "organization": m.random.choice(places)},
    )

    def paper(n: int) -> dict[str, Any]:
        words, year = m.random.sample(TOPICS, 3), m.random.choice([*range(1990, 2022), ""])
        told = {"title": next(titles), "abstract": f"We study {words[0]}.", "keywords": words}
        return {**told, "lang": m.random.choice(["en", "en", "de", ""]), "year": year}

    papers = m.nodes("paper", "p", count - len(authors) - len(venues), paper)
    m.join(papers, "author", authors, "paper", 4, 1)
    m.join(papers, "venue", venues, "paper", 1, 1)
    m.join(papers, "reference", papers, "cited_by", 6)


def ecommerce(m: Maker, count: int) -> None:
    """Items and brands: the schema of Amazon."""
    makes, titles = (
        m.names(ADJECTIVES, ["&", "and", "by"], LAST),
        m.names(ADJECTIVES, NOUNS, ["Set", "Pro", "Mini", "Kit", "XL", "Duo"]),
    )
    brands = m.nodes("brand", "b", count // 20, lambda n: {"name": next(makes)})

    def item(n: int) -> dict[str, Any]:
        title, price = next(titles), m.random.choice([f"{m.random.uniform(2, 400):.2f}", ""])
        some = m.random.sample(CATEGORIES, m.random.choice([1, 1, 2]))
        return {"title": title, "description": f"{title}, new.", "price": price, "category": some}

    items = m.nodes("item", "i", count - len(brands), item)
    m.join(items, "brand", brands, "item", 1)
    for relation in (
        "also_bought_item",
        "also_viewed_item",
        "bought_together_item",
        "buy_after_viewing_item",
    ):
        m.join(items, relation, items, "", 5)


def literature(m: Maker, count: int) -> None:
    """Books, authors, publishers, series: the schema of Goodreads."""
    people, titles = m.people(), m.names(["The", "A"], ADJECTIVES, NOUNS, ENDS)
    houses, cycles = (
        m.names(LAST, ["House", "Press", "Books"], NOUNS),
        m.names(["The"], ADJECTIVES, NOUNS, ["Chronicles", "Saga", "Tales"]),
    )
    authors = m.nodes("author", "a", count // 4, lambda n: {"name": next(people)})
    publishers = m.nodes("publisher", "pub", count // 50, lambda n: {"name": next(houses)})
    series = m.nodes(
        "series", "s", count // 20, lambda n: {"title": next(cycles), "description": "A series."}
    )

    def book(n: int) -> dict[str, Any]:
        chosen = m.random.sample(GENRES, m.random.choice([1, 2]))
        told = {
            "title": next(titles),
            "description": f"A {chosen[0]} book.",
            "genres": chosen,
            "popular_shelves": ["to-read"],
        }
        years, pages = [str(year) for year in range(1950, 2020)], [str(n) for n in range(80, 900)]
        made = {"publication_year": m.random.choice([*years, ""]), "num_pages": m.random.choice([*pages, ""])}
        form = m.random.choice(["Hardcover", "Paperback", "Kindle Edition", ""])
        place = {"country_code": "US", "language_code": m.random.choice(["eng", "spa", "fre", ""])}
        return {**place, "is_ebook": str(form == "Kindle Edition").lower(), "format": form, **told, **made}

    books = m.nodes("book", "b", count - len(authors) - len(publishers) - len(series), book)
    m.join(books, "author", authors, "book", 2, 1)
    m.join(books, "publisher", publishers, "book", 1)
    m.join(books, "series", series, "book", 1)
    m.join(books, "similar_books", books, "", 5)


def legal(m: Maker, count: int) -> None:
    """Opinions, clusters, dockets, courts: the schema of CourtListener."""
    cases, people = (
        m.names(LAST, ["Mining", "Holdings", "Shipping", "Foods", "Trust"], ["v."], FIRST, LAST),
        m.people(),
    )
    named = m.names(
        ["Supreme Court of", "Court of Appeals of", "District Court of"],
        ADJECTIVES,
        ["mark", "shire", "land"],
    )
    courts = m.nodes(
        "court",
        "c",
        max(count // 250, 6),
        lambda n: {
            "full_name": next(named),
            "start_date": f"{m.random.randint(1790, 1950)}-03-04",
            "end_date": "",
            "citation_string": f"Ct. {n}",
        },
    )
    dockets = m.nodes(
        "docket", "d", count // 4, lambda n: {"pacer_case_id": str(100_000 + n), "case_name": next(cases)}
    )

    def cluster(n: int) -> dict[str, Any]:
        judges = ", ".join(m.random.sample(LAST, m.random.choice([1, 3])))
        told = {"syllabus": f"Petition {n} regarding {m.random.choice(TOPICS)}.", "judges": judges}
        return {**told, "case_name": next(cases), "attorneys": f"{next(people)}, for appellant"}

    clusters = m.nodes("opinion_cluster", "oc", count // 4, cluster)
    left = count - len(courts) - len(dockets) - len(clusters)
    text = "Opinion {}: the petition turns on {} and on {}."
    opinions = m.nodes(
        "opinion", "o", left, lambda n: {"plain_text": text.format(n, *m.random.sample(TOPICS, 2))}
    )
    m.join(opinions, "opinion_cluster", clusters, "opinion", 1, 1)
    m.join(clusters, "docket", dockets, "opinion_cluster", 1, 1)
    m.join(dockets, "court", courts, "docket", 1, 1)
    m.join(opinions, "reference", opinions, "cited_by", 4)


def made(domain: str, count: int, seed: int) -> dict[str, Nodes]:
    """A graph of a domain, as `graph.json` has it, with about so many nodes."""
    m = Maker(seed)
    {"academic": academic, "ecommerce": ecommerce, "literature": literature, "legal": legal}[domain](m, count)
    return m.data


def main() -> None:
    """Read the options, and write the graph."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("domain", choices=DOMAINS)
    parser.add_argument("--nodes", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True)
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    (given.out / "graph.json").write_text(
        json.dumps(made(given.domain, given.nodes, given.seed)), encoding="utf-8"
    )


if __name__ == "__main__":
    main()
