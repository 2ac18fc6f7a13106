import random

PASSING = {408, 429, 500, 502, 503, 504}  # what may be otherwise in a moment
ATTEMPTS = 4  # in all
LONGEST = 60  # seconds; a server that asks for more is not waited for


def persist(attempt, sleep):
    tried = 0
    pause = 1
    while True:
        tried = tried + 1
        try:
            answer = attempt()
            status = answer["status"]
            text = answer["text"]
            wait = answer["wait"]
        except TimeoutError:
            status = 408
            text = "timeout"
            wait = None
        if status == 200:
            return text
        message = "Error: the server said " + str(status) + " (" + text + "). I tried " + str(tried) + " times."
        if status not in PASSING:
            return message
        if tried == ATTEMPTS:
            return message
        if wait != None:  # noqa: E711
            if wait > LONGEST:
                return message
            seconds = wait
        else:
            seconds = pause
        pause = pause * 2
        seconds = seconds + seconds / 4 * random.random()
        sleep(seconds)
