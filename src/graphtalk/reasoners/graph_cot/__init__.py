"""Graph-CoT: a model thinks, calls a function of the graph, reads the result, and so on (paper, section 4).

`loop.py` is the loop. What decides the next action is a method: the paper's text protocol (`text.py`), native tool
calls (`native.py`), one planned expression first (`plan.py`), or the offline planner (`planned.py`).
"""
