from enum import Enum, auto


class State(Enum):
    UNCHANGED = auto()
    CHANGED = auto()
    FAILED = auto()
    PASSED = auto()


SAYS = {
    State.UNCHANGED: "",
    State.CHANGED: "You have changed files and run no test since. Run the tests.",
    State.FAILED: "The tests failed when you ran them last. Go on.",
    State.PASSED: "",
}


def passed(result):
    return result.startswith("All ")


def may_finish(trajectory):
    state, pushed = State.UNCHANGED, 0
    for step in trajectory:
        match step:
            case {"name": "push_back"}:
                pushed += 1
            case {"name": "write_file" | "edit_file", "result": result} if not result.startswith("Error: "):
                state = State.CHANGED
            case {"name": "run_tests", "result": result} if state is not State.UNCHANGED:
                state = State.PASSED if passed(result) else State.FAILED
    return SAYS[state] if pushed < 2 else ""
