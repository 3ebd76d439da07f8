"""Queries run over the arrays of a graph: rows as columns, joins as gathers, conditions as masks."""
