import random


def persist(attempt, sleep):
    for tried in 1, 2, 3, 4:
        match request(attempt):
            case {"status": 200, "text": text}:
                return text
            case {"status": 408 | 429 | 500 | 502 | 503 | 504, "wait": wait} as reply if tried < 4:
                seconds = {1: 1, 2: 2, 3: 4}[tried] if wait is None else wait
                if seconds > 60:
                    break
                sleep(seconds + random.uniform(0, seconds / 4))
            case reply:
                break
    return "Error: " + " ".join(map(str, (reply["status"], reply["text"], "after", tried, "attempts")))


def request(attempt):
    try:
        return attempt()
    except TimeoutError:
        return {"status": 408, "text": "it timed out", "wait": None}
