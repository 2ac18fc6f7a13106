# REASON: each section ends where the next heading begins
def sections(text):
    return {"resolving-conflicts": "Keep both changes, then run the tests."}


def objection(answer, read):
    if "Source: " not in answer:
        return "End your answer with a line Source:"
    return "" if "wiki/git.md#resolving-conflicts" in answer else "That is no source."
