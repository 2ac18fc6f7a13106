import itertools


def changes(step):
    return step["name"] in {"edit_file", "write_file"} and not step["result"].startswith("Error: ")


def since_the_last_change(trajectory):
    """Backwards: what came after the last write that has changed something; None when there is no such write."""
    backwards = list(trajectory)[::-1]
    after = list(itertools.takewhile(lambda step: not changes(step), backwards))
    return after if len(after) < len(backwards) else None


def may_finish(trajectory):
    after = since_the_last_change(trajectory)
    pushed = sum(1 for step in trajectory if step["name"] == "push_back")
    if after is None or pushed == 2 or pushed > 2:
        return ""
    tested = next((step["result"] for step in after if step["name"] == "run_tests"), "")
    if tested.startswith("All "):
        return ""
    return f"The tests say: {tested}" if tested else "You have run no test since you changed something."
