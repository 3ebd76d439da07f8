"""Writing annotated texts under a grammar: what a model writes parses, calls what exists, and copies its arguments.

spans     what of a text may be copied into a call
network   recursive transition networks over bytes, and the automaton that one makes
grammar   the network of a text: its words, with calls in them
tokens    a tokenizer's vocabulary as bytes, in a trie
mask      which tokens may come next, and how a model of `transformers` is held to them
asking    the annotator that asks a model which was trained to annotate
"""
