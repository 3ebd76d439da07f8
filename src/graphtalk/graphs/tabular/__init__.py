"""Tables of any layout as a graph: which columns are ids, keys to other tables, features; written as a recipe."""

from graphtalk.graphs.tabular.plan import Plan, Reason, TablePlan, plan
from graphtalk.graphs.tabular.profile import SourceTable

__all__ = ["Plan", "Reason", "SourceTable", "TablePlan", "plan"]
