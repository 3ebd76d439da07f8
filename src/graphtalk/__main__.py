"""`python -m graphtalk` is `graphtalk`."""

from graphtalk.app.main import main

main()
