"""The HTTP server: `graphtalk serve`. It reasons nothing; it passes questions on to sessions of a shelf.

`site.py` puts it together, `guard.py` says who may come in, `answering.py` runs what takes long, and each `*_routes.py`
is one part of the API.
"""
