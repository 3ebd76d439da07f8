"""From a question to calls without a language model, for any schema.

Words of the question are linked to nodes, types, relations and features; well-typed plans around what was
linked are listed, scored by how well they explain the question, and the best is written as a call.
"""
