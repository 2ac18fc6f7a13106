"""The lessons: build this agent yourself, in small steps. Start with `python -m lessons`."""

import config  # noqa: F401 - first of all: it says so where Python is too old
