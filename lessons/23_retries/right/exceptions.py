import random

PASSING = {408, 429, 500, 502, 503, 504}  # what may be otherwise in a moment
ATTEMPTS = 4  # in all
LONGEST = 60  # seconds; a server that asks for more is not waited for


class Passing(Exception):
    pass


class Final(Exception):
    pass


def once(attempt):
    try:
        reply = attempt()
    except TimeoutError:
        raise Passing(408, "", None) from None
    if reply["status"] == 200:
        return reply["text"]
    kind = Passing if reply["status"] in PASSING else Final
    raise kind(reply["status"], reply["text"], reply.get("wait"))


def persist(attempt, sleep):
    backoff = iter((1, 2, 4))
    for count in range(1, ATTEMPTS + 1):
        try:
            return once(attempt)
        except (Passing, Final) as error:
            status, text, wait = error.args
            if isinstance(error, Final) or count == ATTEMPTS or (wait or 0) > LONGEST:
                return f"Error: status {status} in attempt {count}. The server: {text}"
            own = next(backoff)
            sleep((own if wait is None else wait) * (1 + random.random() / 4))
