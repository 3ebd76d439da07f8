"""Engines run a query on a graph: over its own arrays (`arrays`), or where the graph lives. See docs/architecture.md."""
