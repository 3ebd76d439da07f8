"""Questions whose every word has its place: read by a grammar of phrases over the words of a schema."""
