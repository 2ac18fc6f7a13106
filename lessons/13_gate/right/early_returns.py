WRITES = {"write_file", "edit_file"}


def passed(result):
    return result.startswith("All ")


def may_finish(trajectory):
    last_write = -1
    push_backs = 0
    for i in range(len(trajectory)):
        step = trajectory[i]
        if step["name"] == "push_back":
            push_backs = push_backs + 1
        if step["name"] in WRITES:
            if not step["result"].startswith("Error: "):
                last_write = i
    if last_write == -1:
        return ""
    if push_backs >= 2:
        return ""
    answer = "You have run no test since your edit. Run the tests."
    for i in range(last_write + 1, len(trajectory)):
        step = trajectory[i]
        if step["name"] == "run_tests":
            if passed(step["result"]):
                answer = ""
            else:
                answer = "The last tests that you ran failed. Repair that first."
    return answer
