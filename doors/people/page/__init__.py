"""A page to talk to: one person's notekeeper in a browser on this machine. cli/page.py serves it."""
