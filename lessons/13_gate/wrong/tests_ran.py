# REASON: the tests failed
def may_finish(trajectory):
    problem, pushed = "", 0
    for step in trajectory:
        if step["name"] == "push_back":
            pushed += 1
        elif step["name"] in ("write_file", "edit_file") and not step["result"].startswith("Error: "):
            problem = "You have run no test since your edit."
        elif step["name"] == "run_tests":
            problem = ""
    return problem if pushed < 2 else ""
