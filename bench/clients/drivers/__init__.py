"""One small program for each client that is a library, as its user would write it."""
