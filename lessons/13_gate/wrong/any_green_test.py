# REASON: after the last change
def may_finish(trajectory):
    names = [step["name"] for step in trajectory]
    wrote = [s for s in trajectory if s["name"] in ("write_file", "edit_file") and not s["result"].startswith("Error")]
    green = any(step["name"] == "run_tests" and step["result"].startswith("All ") for step in trajectory)
    if names.count("push_back") >= 2 or not wrote or green:
        return ""
    return "You have run no test since your edit."
