from functools import reduce


def may_finish(trajectory):
    def step(known, each):
        wrote, tested, pushed = known
        match each["name"], each["result"]:
            case "push_back", _:
                return wrote, tested, pushed + 1
            case "edit_file" | "write_file", result if not result.startswith("Error: "):
                return True, None, pushed
            case "run_tests", result:
                return wrote, result.startswith("All "), pushed
        return known

    wrote, tested, pushed = reduce(step, trajectory, (False, None, 0))
    if pushed >= 2 or not wrote or tested:
        return ""
    return "Run the tests first." if tested is None else "The tests do not pass: look again."
