"""Search in a folder of documents and source, by words and by meaning. `Index` in index.py is the way in."""
