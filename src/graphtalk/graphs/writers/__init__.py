"""Writers of file formats: a graph as files that other programs read, and that import back as the same graph."""
