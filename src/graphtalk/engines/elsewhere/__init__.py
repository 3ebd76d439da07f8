"""Graphs that live elsewhere, asked where they are: an engine meets patterns, and the rest of a query runs over what it gives.

protocol     what an engine is asked, and what a backend for one has to do
conditions   which conditions an engine can check as they are meant here
ways         a MATCH as patterns in which each node has one type and each edge one relation
match        MATCH by such an engine: the seam between it and the array engine
graph        the graph: its schema and names are here, all else comes when it is asked for
addresses    from `duckdb:///films.duckdb` to a backend; passwords
names        schema and names, read once and kept
cypher, sql, sparql   patterns in each language; the backends stand beside them
"""
