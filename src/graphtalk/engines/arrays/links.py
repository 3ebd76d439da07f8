"""Edges and paths brought into matches in the making: one link of a MATCH at a time, from nodes at hand."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from graphtalk.calls.query import Term
from graphtalk.engines.arrays.candidates import Candidates
from graphtalk.engines.arrays.frame import Frame
from graphtalk.engines.arrays.hops import between, ends, hop
from graphtalk.engines.arrays.needs import Need
from graphtalk.engines.arrays.partial import Held, Partial, ints, trails_of
from graphtalk.engines.arrays.paths import Allow, Search, can_reach, reach, shortest, trails
from graphtalk.engines.arrays.plan import Condition, Link, Shape
from graphtalk.engines.arrays.routes import Finder
from graphtalk.engines.arrays.rows import Column, Edges, Nodes, Rows
from graphtalk.engines.arrays.scope import names
from graphtalk.engines.arrays.terms import truth
from graphtalk.engines.arrays.trails import Bools, Trails, reversed_trails, share_edges, within
from graphtalk.engines.patterns import Step, turned
from graphtalk.graphs.adjacency import Ints


@dataclass
class Links:
    """The links of a MATCH. `rows_of` gives what a condition is worked out in, for matches so far."""

    shape: Shape
    frame: Frame
    may: Candidates
    need: Need
    rows_of: Callable[[Partial, Condition], Rows]

    def __post_init__(self) -> None:
        self.graph = self.frame.graph

    def expanded(self, link: Link, partial: Partial, key: str, other: str, ways: tuple[Step, ...]) -> Partial:
        """Follow a link from the node at one end to the other."""
        place, reached, edges = hop(self.graph, ints(partial.held[key]), ways)
        kept = np.ones(len(place), bool)
        if other in self.may.masks or (len(place) > 2 * self.may.count(other) and self.may.own(other)):
            kept &= self.may.mask(other)[reached]
        kept &= self.fresh(link, partial, place, edges)
        if not kept.all():
            place, reached, edges = place[kept], reached[kept], edges[kept]
        return partial.take(place).plus({other: reached, link.key: edges}, link.key)

    def fresh(self, link: Link, partial: Partial, place: Ints, edges: Ints) -> Bools:
        """Which edges are no other edge of the same match."""
        new = np.ones(len(place), bool)
        for other in self.shape.links:
            if other.key not in partial.done or not link.apart(other):
                continue
            held = partial.held[other.key]
            if isinstance(held, Trails):
                new &= ~within(held.take(place), edges)
            else:
                new &= held[place] != edges
        return new

    def closed(self, link: Link, partial: Partial) -> Partial:
        """The edges between two nodes at hand."""
        left, right = ints(partial.held[link.left]), ints(partial.held[link.right])
        place, edges = between(self.graph, left, right, link.ways)
        kept = self.fresh(link, partial, place, edges)
        return partial.take(place[kept]).plus({link.key: edges[kept]}, link.key)

    def anchored(self, link: Link, partial: Partial) -> Partial:
        """An edge that is at hand: its ends, or whether they are those at hand."""
        edges = ints(partial.held[link.key])
        place, left, right = ends(self.graph, edges, link.ways)
        kept = self.fresh(link, partial, place, edges[place])
        new: dict[str, Ints] = {}
        for key, nodes in ((link.left, left), (link.right, right)):
            kept &= self.may.of_types(nodes, self.shape.nodes[key])
            known = ints(partial.held[key])[place] if key in partial.held else new.setdefault(key, nodes)
            kept &= known == nodes
        return partial.take(place[kept]).plus({k: n[kept] for k, n in new.items()}, link.key)

    def searched(self, link: Link, partial: Partial, back: bool) -> Partial:
        """Paths of several edges, from the left node, or from the right one if `back`."""
        first, last = (link.right, link.left) if back else (link.left, link.right)
        search = self.search(link, partial, back)
        starts = ints(partial.held[first])
        goals = ints(partial.held[last]) if last in partial.held else None
        kept = self.passable(link, partial, starts)
        if kept is not None:
            partial, starts = partial.take(kept), starts[kept]
            goals = None if goals is None else goals[kept]
            search = self.search(link, partial, back)
        new: dict[str, Held] = {}
        if link.shortest:
            assert goals is not None
            how = link.pattern
            if how.weight or how.shortest == "first":
                most = None if how.shortest == "all" else how.first
                finder = Finder(search, how.weight, most, how.acyclic, self.frame.remark)
                place, found = finder.paths(starts, goals)
            else:
                place, found = shortest(search, starts, goals, how.shortest == "all")
            new[link.key] = found
        elif self.by_sets(link, search):
            place, end = reach(search, starts, goals, self.fits(last))
            new[last] = end
        else:
            place, end, found = trails(search, starts, goals, self.fits(last))
            new[last] = end
            new[link.key] = reversed_trails(found, starts[place]) if back else found
        grown = partial.take(place).plus(new, link.key)
        for other in self.shape.links:
            if other.key in partial.done and link.apart(other):
                here, held = trails_of(grown.held[link.key]), grown.held[other.key]
                grown = grown.keep(
                    ~(share_edges(here, held) if isinstance(held, Trails) else within(here, held))
                )
        return grown

    def search(self, link: Link, partial: Partial, back: bool) -> Search:
        """What paths a link stands for, from the left node, or from the right one if `back`."""
        edge = link.edge
        fewest, most = (edge.fewest, edge.most) if edge.several else (1, 1)
        ways = turned(link.ways) if back else link.ways
        alike = all(names(i.term) <= {i.variable} for i in link.inside)
        allow, acyclic = self.allowed(link, partial), link.pattern.acyclic
        return Search(self.graph, self.frame.meter, ways, fewest, most, allow, alike, acyclic)

    def fits(self, key: str) -> Callable[[Ints], Bools]:
        """Which nodes a key may be."""
        if self.may.own(key):
            mask = self.may.mask(key)
            return lambda nodes: mask[nodes]
        return lambda nodes: self.may.of_types(nodes, self.shape.nodes[key])

    def by_sets(self, link: Link, search: Search) -> bool:
        """Whether it is enough to know which ends can be reached."""
        alone = not any(link.apart(other) for other in self.shape.links)
        return not self.need.repeats and not link.listed and alone and search.alike and can_reach(search)

    def allowed(self, link: Link, partial: Partial) -> Allow | None:
        """The conditions on each edge and each node of a path."""
        if not link.inside:
            return None

        def allow(places: Ints, nodes: Ints, edges: Ints) -> Bools:
            mask = np.ones(len(places), bool)
            for each in link.inside:
                here = np.flatnonzero(mask)
                own = Edges(edges[here]) if each.of == "edge" else Nodes(nodes[here])
                mask[here] = self._inside(each.term, each.variable, own, partial, places[here])
            return mask

        return allow

    def passable(self, link: Link, partial: Partial, starts: Ints) -> Ints | None:
        """The rows whose first node fulfils the conditions on all nodes of the path; None: all."""
        of_nodes = [i for i in link.inside if i.of == "node"]
        if not of_nodes:
            return None
        mask = np.ones(len(starts), bool)
        for each in of_nodes:
            mask &= self._inside(each.term, each.variable, Nodes(starts), partial, np.arange(len(starts)))
        return np.flatnonzero(mask)

    def _inside(self, term: Term, variable: str, own: Column, partial: Partial, places: Ints) -> Bools:
        outer = Condition(term, frozenset(), frozenset(names(term) - {variable}))
        columns = self.rows_of(partial.take(places), outer).columns if outer.names else {}
        return truth(term, Rows(len(places), {**columns, variable: own}), self.frame)
