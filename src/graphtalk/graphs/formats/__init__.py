"""File formats that graphs are read from. One module and one line in `registry.py` each."""
