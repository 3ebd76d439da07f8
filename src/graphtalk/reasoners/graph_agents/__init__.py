"""GraphAgent-Reasoner: graph problems in words, solved by a distributed algorithm that every node takes part in.

Source: Hu et al. 2024, section 4: graph construction (`reading`), algorithm establishing (`tasks`, `master`),
distributed execution (`execution`, `agents`), master summarization (`wording`).
"""
