WRITES = ("write_file", "edit_file")


def may_finish(trajectory):
    pushes = [step for step in trajectory if step["name"] == "push_back"]
    wrote = [
        place for place, step in enumerate(trajectory) if step["name"] in WRITES and "Error: " != step["result"][:7]
    ]
    if not wrote or len(pushes) >= 2:
        return ""
    after = trajectory[wrote[-1] :]
    tests = [step for step in after if step["name"] == "run_tests"]
    if not tests:
        return "Nothing was tested after your last change: run the tests."
    return "" if tests[-1]["result"].startswith("All ") else "The tests that you ran have failed."
