def fit(lines, room):
    first = len(lines)
    while first > 0 and len("\n".join(lines[first - 1 :])) + 1 <= room:
        first -= 1
    return lines[first:] if first == 0 else [f"(+ {first} earlier)"] + lines[first:]


def to_send(messages, state):
    """The index of the newest message of the model, or the end."""
    places = [place for place in range(len(messages)) if messages[place]["role"] == "assistant"]
    begin = max(places, default=len(messages))
    told = "\n".join([messages[1]["content"], "", "Known so far:", state])
    return [dict(messages[0]), {"content": told, "role": "user"}] + messages[begin:]
