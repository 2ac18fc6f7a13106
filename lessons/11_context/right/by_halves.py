import bisect
import json


def trim(messages, budget):
    """The first place to begin at which the rest fits, of every fourth; the more goes, the smaller it is."""
    begins = [index for index in range(2, len(messages)) if messages[index]["role"] == "assistant"]
    if not begins:
        return list(messages)
    begins = begins[::4] + begins[-1:]
    sizes = [-(len(json.dumps(messages[:2] + messages[begin:])) // 4) for begin in begins]
    place = min(bisect.bisect_left(sizes, -budget), len(begins) - 1)
    return messages[:2] + messages[begins[place] :]
