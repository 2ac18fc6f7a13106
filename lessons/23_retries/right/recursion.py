from random import random

PASSING = (408, 429, 500, 502, 503, 504)


def persist(attempt, sleep, tried=1):
    try:
        reply = attempt()
    except TimeoutError as error:
        reply = {"status": 408, "text": str(error), "wait": None}
    if reply["status"] == 200:
        return reply["text"]
    wait = [1, 2, 4, 8][tried - 1] if reply["wait"] is None else reply["wait"]
    if reply["status"] not in PASSING or tried > 3 or wait > 60:
        return f"Error: after attempt {tried}: {reply['status']}, {reply['text']}"
    sleep(wait + wait * random() / 4)
    return persist(attempt, sleep, tried + 1)
