import random

PASSING = {408, 429, 500, 502, 503, 504}  # what may be otherwise in a moment
ATTEMPTS = 4  # in all
LONGEST = 60  # seconds; a server that asks for more is not waited for


def persist(attempt, sleep):
    waits = [2.0**power for power in range(ATTEMPTS - 1)] + [None]
    for tried, pause in enumerate(waits, start=1):
        status, text, asked = 408, "no answer", None
        try:
            status, text, asked = map(attempt().get, ("status", "text", "wait"))
        except TimeoutError:
            pass
        if status == 200:
            return text
        seconds = pause if asked is None else asked  # what the server says comes first
        if status not in PASSING or pause is None or seconds > LONGEST:
            break
        sleep(random.triangular(seconds, seconds * 1.25, seconds))
    return f"Error: {status}: {text}. Attempts: {tried}."
