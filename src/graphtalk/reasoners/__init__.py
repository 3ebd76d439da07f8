"""Question + graph + tools → steps, the last an answer."""
