def may_finish(trajectory):
    names = [step["name"] for step in trajectory]
    if names.count("push_back") > 1:
        return ""
    for step in reversed(trajectory):
        if step["name"] == "run_tests":
            if step["result"].startswith("All "):
                return ""
            if any(changed(each) for each in trajectory):
                return "Your tests do not pass yet. Look at what fails, please."
            return ""
        if changed(step):
            return "Please run the tests before you say that it is done."
    return ""


def changed(step):
    return step["name"] in ("write_file", "edit_file") and not step["result"].startswith("Error")
