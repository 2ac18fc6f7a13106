# REASON: two push-backs
def may_finish(trajectory):
    problem = ""
    for step in trajectory:
        if step["name"] in ("write_file", "edit_file") and not step["result"].startswith("Error: "):
            problem = "You have run no test since your edit."
        elif step["name"] == "run_tests" and problem:
            problem = "" if step["result"].startswith("All ") else "The tests fail."
    return problem
