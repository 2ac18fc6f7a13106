"""Lesson 23: try again, or not."""

import random

PASSING = {408, 429, 500, 502, 503, 504}  # what may be otherwise in a moment
ATTEMPTS = 4  # in all
LONGEST = 60  # seconds; a server that asks for more is not waited for


def persist(attempt, sleep):
    """Return the text of the first attempt that works, or text that begins with "Error: ". attempt() returns
    {"status": 200, "text": "...", "wait": seconds that the server asks for, or None}, or raises TimeoutError."""
    raise NotImplementedError("try, look at the status, wait with sleep(seconds), try again: ATTEMPTS times at most")
