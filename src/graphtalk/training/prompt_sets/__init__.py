"""Prompt sets: statements with and without graph calls, made from real graphs, and kept where their calls hold (section 4.4).

templates  a grammar of wordings in TOML, a file a family of tasks
instances  what is asked about: papers with topics, triples, graphs with properties; of a graph, or invented
generate   templates and instances give prompts
stages     rephrase, annotate, split
running    filter by running
"""
