# REASON: nothing was changed
def may_finish(trajectory):
    if [step["name"] for step in trajectory].count("push_back") >= 2:
        return ""
    tests = [step for step in trajectory if step["name"] in ("run_tests", "write_file", "edit_file")]
    if tests and tests[-1]["name"] == "run_tests" and tests[-1]["result"].startswith("All "):
        return ""
    return "You have run no test since your edit."
