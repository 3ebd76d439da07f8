"""The expression language of vertex programs: grammar, types, and how expressions become functions."""
