"""After a change: run again what showed the bug, take back what made things worse, say what is known and how."""

from __future__ import annotations

from collections.abc import Sequence

from offline.coder.closure import count_failing, failing_tests
from offline.coder.evidence import ALL_PASS, shown_by
from offline.coder.gathering import tests_say_something
from offline.coder.wish import Wish
from offline.wire.conversation import Call, Conversation, Decision, Step

FOUND = "I found it. "
TRY = "None that I tried makes all tests pass in my copy, which lacks some of the files. I try the nearest: "
TAKE_BACK = "I take it back, since tests fail now that passed before."
ONLY_A_PART = "I take it back: not all tests pass."
UNVERIFIED = (
    "Nothing in the project verifies this: it has no test for it. In my own copy it did what was wanted. "
    "To keep it so, ask me to add a test."
)


def after_the_edit(wish: Wish, conversation: Conversation) -> Decision:
    """Run again what showed the bug; then say what was changed, and how that is known."""
    edited = conversation.results_of("edit_file")
    tested, ran = conversation.results_of("run_tests"), conversation.results_of("run_python_file")
    failed = [step for step in edited if step.failed]
    if edited[-1].said in (TAKE_BACK, ONLY_A_PART):
        worse = ", ".join(sorted(worse_than(tested[0], tested[-1]))[:3])
        back = "I could not take it back: --undo does" if failed else "I took it back"
        short = f"it broke {worse}" if worse else f"not all tests passed with it ({first_line(tested[-1])})"
        return Decision(f"I found a change, but {short}. {back}.\n\n{described(edited[0])}")
    if failed:
        return Decision(f"I found a repair, but the edit was refused. {failed[0].result}")
    is_last = conversation.steps[-1].name == "edit_file"
    if tests_say_something(conversation):
        if is_last:
            return call("run_tests", "I run the tests again.", path=".")
        if worse_than(tested[0], tested[-1]):
            return Decision(TAKE_BACK, taken_back(edited))
        if edited[0].said.startswith(TRY) and not does(wish, failing_names(tested[0]), failing_names(tested[-1])):
            return Decision(ONLY_A_PART, taken_back(edited))
        return Decision(conclusion(wish, edited[0], tested[0], tested[-1]))
    ran = [step for step in ran if not step.failed]
    if ran and is_last:
        return Decision("I run the program again.", tuple(Call(step.name, step.arguments) for step in ran))
    return Decision(f"Changed. {described(edited[0])}\n\n{after_running(ran[-1]) if ran else UNVERIFIED}")


def conclusion(wish: Wish, edit: Step, before: Step, after: Step) -> str:
    """What was changed, what showed it, and what the tests said before and say now."""
    failing, still = failing_names(before), failing_names(after)
    runs = f"Tests before: {first_line(before)}\nTests now: {first_line(after)}"
    if not failing and not still:
        return f"Changed. {described(edit)}\n\n{runs}\n{UNVERIFIED}"
    shown = shown_by([one.name for one in failing_tests(before.result, ())])
    if not still:
        return f"Fixed. {described(edit, shown)}\n\n{runs}"
    if does(wish, failing, still):
        return f"{last_part(wish.name)} passes now. {described(edit)}\n\n{runs}"
    return f"My change did not make all tests pass; --undo takes it back. {described(edit, shown)}\n\n{runs}"


def does(wish: Wish, failing: set[str], still: set[str]) -> bool:
    """Whether all tests pass now, or the one that was asked for, of those that failed and still fail."""
    return not still or last_part(wish.name) in failing - still


def last_part(name: str) -> str:
    return name.rpartition(".")[2]


def described(edit: Step, shown: str = "") -> str:
    """Where and what kind of change it was, what the line was and is, what showed it, and what else would have done."""
    found, _, others = edit.said.removeprefix(FOUND).removeprefix(TRY).partition("\n")
    old, new = (indented(str(edit.arguments.get(name))) for name in ("old_text", "new_text"))
    return "\n".join(filter(None, (found, f"  before: {old}\n  now:    {new}", shown, others)))


def after_running(last: Step) -> str:
    worked = not last.failed and "Process exited with code" not in last.result
    told = "now runs to its end" if worked else "still ends with an error"
    path, shown = last.arguments["file_path"], last.result[:600]
    return f"{path} {told}; there are no tests, so nothing else was verified.\n\n{shown}"


def failing_names(tested: Step) -> set[str]:
    """The tests that fail, or the whole of what was said where it names none and not all pass."""
    if ALL_PASS.match(tested.result):
        return set()
    return {one.name for one in failing_tests(tested.result, ())} or {first_line(tested)}


def worse_than(before: Step, after: Step) -> set[str]:
    """The tests that passed before and fail now. Where they could not even be imported before, nothing is worse; nor
    where not all that failed were named, and no more fail now."""
    failing, still = failing_names(before), failing_names(after)
    known = any(name.startswith("test") and not name.endswith(".py") for name in failing) or not failing
    had = count_failing(before.result)
    unnamed = len(failing_tests(before.result, ())) < had >= count_failing(after.result)
    return still - failing if known and not unnamed else set()


def taken_back(edited: Sequence[Step]) -> tuple[Call, ...]:
    """The calls that undo edits, the last one first."""
    turned = [
        {**one.arguments, "old_text": one.arguments["new_text"], "new_text": one.arguments["old_text"]}
        for one in edited
    ]
    return tuple(Call("edit_file", arguments) for arguments in reversed(turned))


def first_line(step: Step) -> str:
    return step.result.split("\n", 1)[0]


def indented(text: str) -> str:
    return text.strip("\n").replace("\n", "\n          ") or "(nothing)"


def call(name: str, text: str = "", **arguments: object) -> Decision:
    return Decision(text, (Call(name, arguments),))
