from collections import Counter

import dispatch
import messages as history


def run(model, task, max_turns):
    log, seen = history.start("Be careful.", task), Counter()
    for _ in range(max_turns):
        log.append(reply := model(log))
        if not (calls := reply.get("tool_calls")):
            break
        for c in calls:
            f = c["function"]
            text = dispatch.call_tool(**{"name": f["name"], "raw_arguments": f["arguments"]})
            log.append(dict(role="tool", tool_call_id=c["id"], content=text))
            seen[f["name"], f["arguments"], text] += 1
        if max(seen.values()) >= 3:
            return "Stopped: the same call gave the same result three times."
    else:
        return f"Stopped after {max_turns} turns without an answer."
    return log[-1]["content"]
