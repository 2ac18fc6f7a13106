"""The attacks that the walls must hold: a table of small scripts, a world that they attack, and a judge outside."""
