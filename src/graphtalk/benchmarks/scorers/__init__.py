"""Scorers: an answer beside the right one gives numbers from 0 to 1. One scorer a file; `registry` finds them."""
