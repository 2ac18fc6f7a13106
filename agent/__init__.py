"""What both loops share. Nothing here knows an SDK or a provider."""

import config  # noqa: F401 - first of all: it says so where Python is too old
