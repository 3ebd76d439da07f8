"""Graph problems told in words: GraphInstruct, NLGraph and GraphForge. Every question brings its own graph."""
