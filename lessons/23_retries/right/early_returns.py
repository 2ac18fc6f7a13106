import random

PASSING = {408, 429, 500, 502, 503, 504}  # what may be otherwise in a moment
ATTEMPTS = 4  # in all
LONGEST = 60  # seconds; a server that asks for more is not waited for


def one(attempt):
    try:
        return attempt()
    except TimeoutError as error:
        return {"status": 408, "text": f"no answer in time: {error}", "wait": None}


def persist(attempt, sleep):
    for number in range(1, ATTEMPTS + 1):
        reply = one(attempt)
        if reply["status"] == 200:
            return reply["text"]
        wait = reply["wait"]
        if wait is None:
            wait = 2 ** (number - 1)
        if reply["status"] not in PASSING or number == ATTEMPTS or wait > LONGEST:
            return f"Error: {reply['status']} after {number} attempts: {reply['text']}"
        sleep(wait * random.uniform(1, 1.25))
