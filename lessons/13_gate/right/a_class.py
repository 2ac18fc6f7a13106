from dataclasses import dataclass


@dataclass
class Step:
    name: str
    result: str

    @property
    def changes(self) -> bool:
        return self.name in ("write_file", "edit_file") and not self.result.startswith("Error: ")

    @property
    def is_test(self) -> bool:
        return self.name == "run_tests"

    @property
    def passes(self) -> bool:
        return self.is_test and self.result.startswith("All ")


class Gate:
    def __init__(self, steps: list[Step]) -> None:
        self.steps = steps

    def after_last_change(self) -> list[Step] | None:
        places = [place for place, step in enumerate(self.steps) if step.changes]
        return self.steps[places[-1] + 1 :] if places else None

    def verdict(self) -> str:
        after = self.after_last_change()
        if after is None or sum(step.name == "push_back" for step in self.steps) > 1:
            return ""
        tests = [step for step in after if step.is_test]
        if not tests:
            return "Not yet: no tests were run after your last change"
        return "" if tests[-1].passes else "Not yet: tests fail"


def may_finish(trajectory):
    return Gate([Step(**step) for step in trajectory]).verdict()
