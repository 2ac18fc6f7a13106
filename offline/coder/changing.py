"""Changes that need no judgement of what is right: a name through the whole project, a test from an example."""

from __future__ import annotations

import ast
import difflib
import re
from collections.abc import Sequence
from pathlib import PurePosixPath

from offline.coder.bounds import meant
from offline.coder.evidence import ALL_PASS
from offline.coder.gathering import no_tests
from offline.coder.reading import files_shown, more_pages
from offline.coder.renaming import parsed, renamed, renaming_of
from offline.coder.verifying import TAKE_BACK, call, first_line, taken_back, worse_than
from offline.coder.wish import Wish
from offline.repair.reading.claims import Claim, claims
from offline.repair.reading.hints import call_of
from offline.repair.reading.project import read_project
from offline.wire.conversation import Call, Conversation, Decision, Step

MATCH = re.compile(r"^(?P<path>.+?):\d+: ", re.MULTILINE)


def plan_rename(wish: Wish, conversation: Conversation, *_: object) -> Decision:
    """Search for the name, read where it stands, rename, run the tests; take it back where they got worse."""
    old = wish.name.rpartition(".")[2]
    searched = conversation.results_of("search_files")
    if not searched:
        both = rf"\b({old}|{wish.new_name})\b"
        return call("search_files", query=both, regex=True, glob="*.py")
    if searched[0].failed or "[Stopped" in searched[0].result:
        return Decision(f"{old} stands in too many places to rename it safely from here. {searched[0].result[-200:]}")
    paths = list(dict.fromkeys(match["path"] for match in MATCH.finditer(searched[0].result)))
    read = conversation.results_of("get_file_content")
    if paths and not read:
        looks = [Call("get_file_content", {"file_path": path}) for path in paths]
        return Decision("", (*looks, Call("run_tests", {"path": "."})))
    if pages := more_pages(read):
        return Decision("", pages)
    edited = conversation.results_of("edit_file")
    if edited:
        return after_renaming(wish, edited, conversation)
    files = files_shown(read)
    only = next(iter(meant(wish.path, files)), "") if wish.path else ""
    if wish.path and not only:
        return Decision(f'{wish.name} does not stand in a file "{wish.path}". I changed nothing.')
    change = renaming_of(wish.name, wish.new_name, files, only)
    if isinstance(change, str):
        return Decision(change)
    edits = [
        Call("edit_file", {"file_path": path, "old_text": before, "new_text": after})
        for path, text in files.items()
        if not only or path == only or change.kind != "local"
        for before, after in replacements(text, renamed(path, text, change))
    ]
    return Decision(f"I rename {wish.name} to {wish.new_name}.", tuple(edits))


def replacements(text: str, wanted: str) -> list[tuple[str, str]]:
    """What turns a text into another, done one after another: each old text occurs exactly once when its turn comes."""
    old, new, found = text.split("\n"), wanted.split("\n"), []
    for number, (before, after) in enumerate(zip(old, new, strict=True)):
        if before != after:
            found.append((number, before, after))
    pairs, lines = [], list(old)
    for number, _, after in found:
        first = last = number
        while "\n".join(lines).count("\n".join(lines[first : last + 1])) != 1 and last - first < len(lines):
            first, last = max(0, first - 1), min(len(lines) - 1, last + 1)
        block = lines[first : last + 1]
        lines[number] = after
        pairs.append(("\n".join(block), "\n".join(lines[first : last + 1])))
    return pairs


def after_renaming(wish: Wish, edited: Sequence[Step], conversation: Conversation) -> Decision:
    tested = conversation.results_of("run_tests")
    failed = [step for step in edited if step.failed]
    if edited[-1].said == TAKE_BACK:
        return Decision(f"The tests got worse with the new name, so I took it back: {first_line(tested[-1])}")
    if failed:
        return Decision(
            f"An edit was refused, so the name is changed in part: --undo takes it back. {failed[0].result}"
        )
    if conversation.steps[-1].name == "edit_file" and not no_tests(tested[0]):
        return call("run_tests", "I run the tests again.", path=".")
    if not no_tests(tested[0]) and worse_than(tested[0], tested[-1]):
        return Decision(TAKE_BACK, taken_back(edited))
    paths = list(dict.fromkeys(str(step.arguments["file_path"]) for step in edited))
    told = f"Renamed {wish.name} to {wish.new_name}: {len(edited)} changes in {', '.join(paths)}."
    left = "Comments, strings and other text were left as they are."
    if no_tests(tested[0]):
        return Decision(f"{told} {left}\n\nThere are no tests, so nothing verified it.")
    return Decision(f"{told} {left}\n\nTests before: {first_line(tested[0])}\nTests now: {first_line(tested[-1])}")


def plan_add_test(wish: Wish, conversation: Conversation, *_: object) -> Decision:
    """Find what the example calls, and the test file that imports it; add the example as a test; run it."""
    said = claims(conversation.prompt)
    if not said:
        return Decision(
            "Give me an example and I add it, such as: add a test that area(2, 3) should be 6. I changed nothing."
        )
    names = list(dict.fromkeys(name for claim in said for name in re.findall(r"([^\W\d]\w*)\s*\(", claim.expression)))
    searched = conversation.results_of("search_files")
    if not searched:
        query = rf"\b({'|'.join(names)})\b"
        return call("search_files", query=query, regex=True, glob="*.py")
    paths = list(dict.fromkeys(match["path"] for match in MATCH.finditer(searched[0].result)))
    read = conversation.results_of("get_file_content")
    if not read and paths:
        return Decision("", tuple(Call("get_file_content", {"file_path": path}) for path in paths[:10]))
    if pages := more_pages(read):
        return Decision("", pages)
    files = files_shown(read)
    changed = [step for step in conversation.steps if step.name in ("edit_file", "write_file")]
    if changed:
        return after_adding(changed, conversation)
    project = read_project(files)
    made = [(claim, found) for claim in said if (found := call_of(claim, project))]
    if not made:
        return Decision(f"I found nothing called {' or '.join(names)} in this project, so I added no test.")
    home = next(iter(meant(wish.path, files)), "") if wish.path else ""
    target = home or next((path for path in project.test_paths if any(name in files[path] for name in names)), "")
    imports = list(dict.fromkeys(one for _, (needed, _) in made for one in needed))
    if not target:
        path = f"test_{imports[0].split()[1].rpartition('.')[2]}.py"
        return Decision(
            "I add a test file.", (Call("write_file", {"file_path": path, "content": new_file(imports, made)}),)
        )
    return Decision("I add the test.", edits_for(target, files[target], imports, made))


Made = Sequence[tuple[Claim, tuple[tuple[str, ...], Claim]]]


def new_file(imports: Sequence[str], made: Made) -> str:
    methods = "\n".join(test_text(claim, "", "    ", in_class=True) for _, (_, claim) in made)
    return (
        "\n".join(["import unittest", "", *imports, "", "", "class ExamplesTest(unittest.TestCase):"]) + f"\n{methods}"
    )


def edits_for(path: str, text: str, imports: Sequence[str], made: Made) -> tuple[Call, ...]:
    """The test at the end of the last class of tests, or of the file; the import that it lacks after the last one."""
    tree = parsed(text) or ast.Module([], [])
    lines = text.rstrip("\n").split("\n")
    classes = [
        node
        for node in tree.body
        if isinstance(node, ast.ClassDef) and any(one.startswith("test") for one in functions(node))
    ]
    after = (classes[-1].end_lineno or len(lines)) if classes else len(lines)
    indent = "    " if classes else ""
    tests = "\n".join(test_text(claim, text, indent, in_class=bool(classes)) for _, (_, claim) in made).rstrip("\n")
    wanted = [*lines[:after], *([""] if classes else ["", ""]), *tests.split("\n"), *lines[after:], ""]
    lacking = [one for one in imports if not re.search(rf"\bimport\b.*\b{one.split()[-1]}\b", text)]
    last = max([node.end_lineno or 0 for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)], default=0)
    wanted[last:last] = lacking
    return tuple(Call("edit_file", {"file_path": path, **pair}) for pair in blocks(text, "\n".join(wanted)))


def blocks(text: str, wanted: str) -> list[dict[str, str]]:
    """The changed blocks of a text, with as many lines around each as make it unique."""
    old, new, found = text.split("\n"), wanted.split("\n"), []
    for kind, first, last, start, end in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        low, high = max(0, first - 1), last
        while text.count("\n".join(old[low:high])) != 1 and (low, high) != (0, len(old)):
            low, high = max(0, low - 1), min(len(old), high + 1)
        block = [*old[low:first], *new[start:end], *old[last:high]]
        found.append({"old_text": "\n".join(old[low:high]), "new_text": "\n".join(block)})
    return found


def functions(node: ast.ClassDef) -> list[str]:
    return [one.name for one in node.body if isinstance(one, ast.FunctionDef | ast.AsyncFunctionDef)]


def test_text(claim: Claim, beside: str, indent: str, *, in_class: bool) -> str:
    """A claim as a test function, in the way of the tests beside it."""
    words = re.findall(r"[A-Za-z0-9]+", claim.expression)
    stem = "_".join(["test", *(word.lower() for word in words[:5])])
    name = next(
        one for number in range(1, 1000) if f"def {(one := stem if number == 1 else f'{stem}_{number}')}(" not in beside
    )
    is_unittest = in_class and ("unittest" in beside or not beside)
    equal, value = claim.says == "equals", claim.value
    if claim.says == "raises":
        raises = "self.assertRaises" if is_unittest else "pytest.raises"
        check = f"with {raises}({value}):\n{indent}        {claim.expression}"
    elif claim.says == "works":
        check = claim.expression
    elif is_unittest:
        check = f"self.{'assertEqual' if equal else 'assertNotEqual'}({claim.expression}, {value})"
    else:
        check = f"assert {claim.expression} {'==' if equal else '!='} {value}"
    return f"{indent}def {name}({'self' if in_class else ''}):\n{indent}    {check}\n"


def after_adding(changed: Sequence[Step], conversation: Conversation) -> Decision:
    path = str(PurePosixPath(str(changed[0].arguments["file_path"])))
    if failed := [step for step in changed if step.failed]:
        return Decision(f"The test could not be added. {failed[0].result}")
    tested = conversation.results_of("run_tests")
    if not tested:
        return call("run_tests", "I run it.", path=path)
    said = first_line(tested[-1])
    if ALL_PASS.match(said):
        return Decision(f"Added a test to {path}. It passes: {said}")
    return Decision(
        f"Added a test to {path}. It fails now, which shows a bug: ask me to fix it.\n\n{tested[-1].result[:1500]}"
    )
