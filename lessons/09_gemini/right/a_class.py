class Conversation:
    def __init__(self):
        self.contents = []
        self.calls = []

    def user(self, message):
        self.contents.append(dict(role="user", parts=[dict(text=message["content"])]))

    def assistant(self, message):
        self.contents.append(message["raw"])
        theirs = [part["functionCall"] for part in message["raw"]["parts"] if "functionCall" in part]
        self.calls = [(ours["id"], call) for ours, call in zip(message.get("tool_calls") or [], theirs)]
        self.answers = None

    def tool(self, message):
        if self.answers is None:
            self.answers = []
            self.contents.append({"parts": self.answers, "role": "user"})
        for number, call in self.calls:
            if number == message["tool_call_id"]:
                told = {key: call[key] for key in ("id", "name") if key in call}
                self.answers.append({"functionResponse": told | {"response": {"result": message["content"]}}})


def to_gemini(messages):
    talk = Conversation()
    for message in messages:
        if message["role"] != "system":
            getattr(talk, message["role"])(message)
    return talk.contents
