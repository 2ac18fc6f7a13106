class Reply:
    def __init__(self, show):
        self.show, self.pieces, self.calls, self.reason = show, [], [], None

    def take(self, choice):
        delta = choice["delta"]
        self.reason = choice.get("finish_reason") or self.reason
        self.take_text(delta.get("content"))
        for piece in delta.get("tool_calls") or ():
            self.take_call(piece)

    def take_text(self, text):
        if text:
            self.pieces.append(text)
            self.show(text)

    def take_call(self, piece):
        while len(self.calls) <= piece["index"]:
            self.calls.append({"type": "function", "id": None, "function": {"name": None, "arguments": ""}})
        call, function = self.calls[piece["index"]], piece["function"]
        call["id"] = call["id"] or piece.get("id")
        call["function"]["name"] = call["function"]["name"] or function.get("name")
        call["function"]["arguments"] += function.get("arguments") or ""

    def message(self):
        if self.reason is None:
            raise ConnectionResetError("no finish_reason")
        message = {"role": "assistant", "content": "".join(self.pieces)}
        if self.calls:
            message["tool_calls"] = self.calls
        return message


def read_reply(chunks, show):
    reply = Reply(show)
    for chunk in chunks:
        if chunk["choices"]:
            reply.take(chunk["choices"][0])
    return reply.message()
