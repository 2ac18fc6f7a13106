import random

MAY_PASS = frozenset([408, 429, 500, 502, 503, 504])


def waits():
    wait = 1.0
    for _ in range(3):
        yield wait
        wait *= 2


def persist(attempt, sleep):
    tried = 0
    for own in [*waits(), None]:
        tried += 1
        status, text, asked = answer(attempt)
        if status == 200:
            return text
        wait = own if asked is None else asked
        if own is None or status not in MAY_PASS or wait > 60:
            break
        sleep(random.uniform(wait, 1.25 * wait))
    return "Error: {} {} - tried {} times".format(status, text, tried)


def answer(attempt):
    try:
        reply = attempt()
        return reply["status"], reply["text"], reply["wait"]
    except TimeoutError:
        return 408, "timeout", None
