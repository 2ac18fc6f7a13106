import random


class Passing(Exception):
    def __init__(self, reply):
        self.reply, self.wait = reply, reply["wait"]


class Lasting(Passing):
    pass


def once(attempt):
    try:
        reply = attempt()
    except TimeoutError:
        raise Passing({"status": 408, "text": "no answer", "wait": None})
    if reply["status"] in {408, 429, 500, 502, 503, 504}:
        raise Passing(reply)
    if reply["status"] != 200:
        raise Lasting(reply)
    return reply["text"]


def persist(attempt, sleep):
    tried = 0
    while True:
        tried += 1
        try:
            return once(attempt)
        except Passing as error:
            wait = error.wait if error.wait is not None else 2.0 ** (tried - 1)
            if isinstance(error, Lasting) or tried == 4 or wait > 60:
                return f"Error: {error.reply['text']} ({error.reply['status']}); attempts: {tried}"
            sleep(random.triangular(wait, wait * 1.25))
