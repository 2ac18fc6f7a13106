CLEAN, UNTESTED, FAILING = "", "You changed a file: run the tests before you answer.", "Your last test run failed."


PASSED = " "


def following(state, step):
    if step["name"] in ("write_file", "edit_file"):
        return state if step["result"].startswith("Error: ") else UNTESTED
    if step["name"] == "run_tests" and state != CLEAN:
        return PASSED if step["result"].startswith("All ") else FAILING
    return state


def may_finish(trajectory):
    state = CLEAN
    for step in trajectory:
        state = following(state, step)
    enough = len([step for step in trajectory if step["name"] == "push_back"]) > 1
    return CLEAN if enough else state.strip()
