import random


class Patience:
    most, longest = 4, 60

    def __init__(self, sleep):
        self.sleep, self.tried, self.random = sleep, 0, random.SystemRandom()

    def passes(self, reply):
        return reply["status"] in (408, 429) or 500 <= reply["status"] <= 504 and reply["status"] != 501

    def wait(self, reply):
        asked = reply["wait"]
        seconds = 1 << (self.tried - 1) if asked is None else asked
        if self.tried >= self.most or seconds > self.longest:
            return False
        self.sleep(seconds * (1 + self.random.random() / 4))
        return True


def persist(attempt, sleep):
    patience = Patience(sleep)
    while True:
        patience.tried += 1
        try:
            reply = attempt()
        except TimeoutError:
            reply = dict(status=408, text="timed out", wait=None)
        if reply["status"] == 200:
            return reply["text"]
        if not patience.passes(reply) or not patience.wait(reply):
            return f"Error: {reply['status']} ({reply['text']}), tried {patience.tried} times"
