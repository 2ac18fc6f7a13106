# REASON: reading changes nothing
def may_finish(trajectory):
    writes = [
        s for s in trajectory if s["name"] in ("write_file", "edit_file") and not s["result"].startswith("Error: ")
    ]
    if sum(step["name"] == "push_back" for step in trajectory) >= 2 or not writes:
        return ""
    if trajectory[-1]["name"] == "run_tests" and trajectory[-1]["result"].startswith("All "):
        return ""
    return "You have run no test since your edit."
