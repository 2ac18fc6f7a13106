"""What few runs say: why one was stopped."""

GO_ON = "The answer is what the model knew by then; --continue goes on."
STOPPED = {  # a provider's error has its own line
    "max_iters": f"Stopped: the limit of requests was reached (--max-iters). {GO_ON}",
    "max_calls": f"Stopped: the limit of tool calls was reached (GLASSBOX_MAX_CALLS). {GO_ON}",
    "token_budget": "Stopped: the limit of tokens was reached (GLASSBOX_MAX_INPUT_TOKENS, "
    f"GLASSBOX_MAX_OUTPUT_TOKENS). {GO_ON}",
    "time_budget": f"Stopped: the time was up (--max-seconds). {GO_ON}",
    "repeating": "Stopped: the same call gave the same result again and again (GLASSBOX_MAX_REPEATS). "
    "Ask for a smaller step, or take a larger model.",
    "gate": "Stopped: no try solved it (--tries).",
    "interrupted": "Interrupted.",
}
