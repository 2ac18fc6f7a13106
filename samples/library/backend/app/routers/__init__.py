"""One module a subject of the API; `main.py` puts them together."""
