import json


class Turn(list):
    pass


class History:
    step = 4

    def __init__(self, messages):
        self.head, self.turns = messages[0:2], []
        for message in messages[2:]:
            if message["role"] == "assistant":
                self.turns.append(Turn())
            self.turns[-1].append(message)

    def __len__(self):
        return len(json.dumps(self.messages())) // 4

    def messages(self):
        return [*self.head, *(message for turn in self.turns for message in turn)]

    def forget(self):
        keep = self.turns[self.step :] or self.turns[-1:]
        self.turns = keep

    def trimmed(self, budget):
        while len(self) > budget and len(self.turns) > 1:
            self.forget()
        return self.messages()


def trim(messages, budget):
    return History(messages).trimmed(budget)
