"""Lesson 23: try again, or not."""

import random

PASSING = {408, 429, 500, 502, 503, 504}  # what may be otherwise in a moment
ATTEMPTS = 4  # in all
LONGEST = 60  # seconds; a server that asks for more is not waited for


def persist(attempt, sleep):
    """Return the text of the first attempt that works, or text that begins with "Error: ". attempt() returns
    {"status": 200, "text": "...", "wait": seconds that the server asks for, or None}, or raises TimeoutError."""
    for tried in range(1, ATTEMPTS + 1):
        try:
            reply = attempt()
        except TimeoutError:
            reply = {"status": 408, "text": "it did not answer in time", "wait": None}
        if reply["status"] == 200:
            return reply["text"]
        wait = 2 ** (tried - 1) if reply["wait"] is None else reply["wait"]
        if reply["status"] not in PASSING or tried == ATTEMPTS or wait > LONGEST:
            break
        sleep(wait * random.uniform(1, 1.25))
    return f"Error: {reply['status']} {reply['text']} (tried {tried} times)"
