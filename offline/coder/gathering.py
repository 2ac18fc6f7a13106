"""What has to be seen before anything can be said about a bug: the files, what the tests say, what a script does.

A project is read whole: what passes tells a right change from one that only mends what fails. Of a large one first only
what the failing tests import is read, and what the prompt names; the rest where that is not enough.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from offline.coder.closure import FRAME, MOST_TEST_FILES, failing_tests, paths_to_read, relative, root_of
from offline.coder.oracles import crash_in, examples_told, is_guard
from offline.coder.reading import (
    MOST_CALLS,
    files_shown,
    listing,
    more_pages,
    more_to_list,
    more_to_read,
    read_again,
)
from offline.coder.wish import Wish
from offline.repair.reading.claims import claims
from offline.repair.reading.project import read_project
from offline.wire.conversation import Call, Conversation, Decision, Step

MANY_FILES = 100
MANY_BYTES = 1_000_000  # of Python
READ_ALL = "What fails and what it imports is not enough to be sure, so I read the whole project."
EXAMPLE = ">>> "
UNTESTABLE = {  # how the result of a test run that did not come about begins, and what is answered
    "Error: these tests need pytest": (
        "The tests here need pytest, and it is not installed for this Python, so I could not run them. I changed "
        "nothing. Install it (python -m pip install pytest), then ask again."
    ),
    "Error: the person did not allow this call": (
        "Without running the tests I cannot tell right from wrong, so I changed nothing. Allow them, or tell me what "
        "should come out, such as: area(2, 3) should be 6."
    ),
}
LOOKED_AT = re.compile(r"^No match for .* in (\d+) files")
MATCH = re.compile(r"^(?P<path>.+?):(?P<line>\d+): ", re.MULTILINE)


def next_to_see(wish: Wish, conversation: Conversation) -> Decision | None:
    """The calls that show what is not known yet, None when all is."""
    listed = conversation.results_of("get_dir_info")
    if not listed:
        looks = (Call("get_dir_info", {"directory": "."}), Call("search_files", {"query": EXAMPLE}))
        return Decision("I look at the files first.", tuple(one for one in looks if one.name in conversation.tools))
    if is_large(conversation):
        return next_of_many(wish, conversation)
    if (folders := more_to_list(listed)) and not is_large(conversation):
        return Decision("", folders)
    read = conversation.results_of("get_file_content")
    if files := more_to_read(read, listed, paths_with_examples(conversation)):
        return Decision("" if read else "I read the program and its tests.", files)
    if not conversation.results_of("run_tests"):
        return Decision("I run the tests to see what fails.", (Call("run_tests", {"path": "."}),))
    if gone := read_again(read):
        return Decision("I read again what no longer found room.", gone)
    return next_script(wish, conversation)


def next_of_many(wish: Wish, conversation: Conversation) -> Decision | None:
    """Run the tests, read those that fail and what they import; without any, what the prompt names."""
    if not conversation.results_of("run_tests"):
        return Decision(
            "The project is large, so I let its tests say where to look.", (Call("run_tests", {"path": "."}),)
        )
    read = conversation.results_of("get_file_content")
    files = files_shown(read)
    missing = {str(step.arguments["file_path"]) for step in read if step.failed}
    new = [path for path in first_to_read(wish, conversation) if path not in files and path not in missing]
    new = new or paths_to_read(files, missing, top_names(conversation))
    if reads := (*more_pages(read), *(Call("get_file_content", {"file_path": path}) for path in new)):
        return Decision("" if read else "I read what fails, and what that imports.", reads[:MOST_CALLS])
    names = [name for name in names_claimed(conversation.prompt) if not defined(name, files)]
    asked = {str(step.arguments.get("query")) for step in conversation.results_of("search_files")}
    searches = [query for name in names if (query := rf"^\s*(async )?(def|class) {name}\b") not in asked]
    if searches:
        arguments = [{"query": query, "regex": True, "glob": "*.py"} for query in searches]
        return Decision("", tuple(Call("search_files", each) for each in arguments))
    return next_script(wish, conversation)


def first_to_read(wish: Wish, conversation: Conversation) -> list[str]:
    """Of a large project: the files of failing tests, those that the prompt names or that define what it names, and
    those with examples where no test fails."""
    top = top_names(conversation)
    failing = failing_tests(conversation.results_of("run_tests")[0].result, top)
    tests = list(dict.fromkeys(one.path for one in failing if one.path))[:MOST_TEST_FILES]
    paths = [*tests, *(str(PurePosixPath(path).with_name("conftest.py")) for path in tests if "/" in path)]
    paths += ["conftest.py"] if "conftest.py" in top else []
    frames = [match["long"] or match["short"] for match in FRAME.finditer(conversation.prompt)]
    paths += filter(None, (relative(frame, root_of(frames, top)) for frame in frames))
    searched = [step for step in conversation.results_of("search_files") if step.arguments.get("query") != EXAMPLE]
    paths += (match["path"] for step in searched for match in MATCH.finditer(step.result) if not step.failed)
    paths += [wish.path] if wish.path.endswith(".py") else []
    if not tests:
        paths += paths_with_examples(conversation)
    return list(dict.fromkeys(paths))


def the_rest(conversation: Conversation) -> tuple[Call, ...]:
    """The first calls that read a large project whole; none where nothing is left to be read."""
    listed, read = conversation.results_of("get_dir_info"), conversation.results_of("get_file_content")
    return (more_to_list(listed) or more_to_read(read, listed)) if is_large(conversation) else ()


def next_script(wish: Wish, conversation: Conversation) -> Decision | None:
    """Where neither a test nor the person says what is wrong, run the scripts: one may end with an error."""
    files = files_shown(conversation.results_of("get_file_content"))
    if conversation.results_of("run_python_file") or tests_say_something(conversation) or claims(conversation.prompt):
        return None
    if crash_in(conversation.prompt, list(files)) or paths_with_examples(conversation) or examples_told(files):
        return None
    chosen = [path for path in scripts(files) if not wish.path or path.endswith(wish.path)]
    if not 0 < len(chosen) <= 3:
        return None
    calls = tuple(Call("run_python_file", {"file_path": path}) for path in chosen)
    return Decision("There are no tests, so I run the program and look whether it ends with an error.", calls)


def scripts(files: dict[str, str]) -> list[str]:
    """The programs among the files that are meant to be started."""
    import ast

    found = []
    for path in read_project(files).program_paths:
        try:
            if any(is_guard(node) for node in ast.parse(files[path]).body):
                found.append(path)
        except (SyntaxError, ValueError):
            continue
    return found


def tests_say_something(conversation: Conversation) -> bool:
    """Whether there are tests that could be run at all."""
    tested = conversation.results_of("run_tests")
    return bool(tested) and not no_tests(tested[0])


def no_tests(tested: Step) -> bool:
    return (
        tested.result.startswith(("Error: no tests found", "No tests found")) or "no tests ran" in tested.result[:200]
    )


def untestable(conversation: Conversation) -> str:
    """Why the tests could not be run, with the next step: for want of pytest, or of the person's consent, without which
    no search may run them either. "" where they were, or where the person says what could be tried instead."""
    if claims(conversation.prompt):
        return ""
    results = [step.result for step in conversation.results_of("run_tests") if step.failed]
    return next((said for begins, said in UNTESTABLE.items() if any(each.startswith(begins) for each in results)), "")


def is_large(conversation: Conversation) -> bool:
    """Whether only a part of a project is read, as far as is known now."""
    if any(step.said == READ_ALL for step in conversation.steps):
        return False
    counted = [int(found[1]) for step in conversation.steps if (found := LOOKED_AT.match(step.result))]
    entries = [entry for step in conversation.results_of("get_dir_info") for entry in listing(step)]
    files = counted[0] if counted else sum(not entry.is_directory for entry in entries)
    return files > MANY_FILES or sum(entry.size for entry in entries if entry.name.endswith(".py")) > MANY_BYTES


def top_names(conversation: Conversation) -> set[str]:
    listed = conversation.results_of("get_dir_info")
    return {entry.name for entry in listing(listed[0])} if listed else set()


def paths_with_examples(conversation: Conversation) -> list[str]:
    searched = [step for step in conversation.results_of("search_files") if step.arguments.get("query") == EXAMPLE]
    return list(dict.fromkeys(match["path"] for step in searched for match in MATCH.finditer(step.result)))


def names_claimed(prompt: str) -> list[str]:
    """The functions and classes in the claims of a prompt."""
    called = (re.findall(r"([^\W\d]\w*)\s*\(", claim.expression) for claim in claims(prompt))
    return list(dict.fromkeys(name for names in called for name in names))


def defined(name: str, files: Iterable[str] | dict[str, str]) -> bool:
    texts = files.values() if isinstance(files, dict) else files
    return any(re.search(rf"^\s*(?:async )?(?:def|class) {name}\b", text, re.MULTILINE) for text in texts)
