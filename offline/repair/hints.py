"""What the user said about results, as one more test: "area(2, 3) should be 6", "3 + 7 * 2 shouldn't be 20".

Only sentences that hold an expression, a verb from the table and a literal are understood. The expression may be a
call of a function of the program, or an input that some test or the program's own command line takes as a string.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass

from .project import Project

VERBS = (
    (r"(?:should not|shouldn['’]?t|must not|is not|isn['’]?t|isnt) (?:be|return|give|equal|print|show)?", False),
    (
        r"(?:returns?|gives?|is|prints?|shows?) .{1,40}?(?:instead of|but should be|, should be|, expected|and not)",
        True,
    ),
    (
        r"(?:should|must|ought to) (?:be|return|give|equal|print|show)",
        True,
    ),
    (r"(?:==|equals)", True),
)
HINT_NAME = "test_what_the_user_said"


@dataclass(frozen=True)
class Claim:
    """An expression or an input, a value, and whether they should be the same."""

    expression: str
    value: str  # a Python literal
    same: bool


def understand(hint: str) -> Claim | None:
    """The first claim in a sentence, None when there is none that this program understands."""
    for pattern, same in VERBS:
        match = re.search(pattern, hint)
        if match is None:
            continue
        expression, value = _expression_at_end(hint[: match.start()]), _literal_at_start(hint[match.end() :])
        if expression is not None and value is not None:
            return _sharpened(Claim(expression, value, same))
    return None


def _sharpened(claim: Claim) -> Claim:
    """ "3 + 7 * 2 shouldn't be 20" says what is wrong; of plain arithmetic everybody knows what is right."""
    if claim.same or not re.fullmatch(r"[\d\s.()+*/-]{3,60}", claim.expression) or "**" in claim.expression:
        return claim
    try:
        value = eval(compile(claim.expression, "<claim>", "eval"), {"__builtins__": {}})  # digits and + - * / alone
    except (SyntaxError, ArithmeticError, TypeError):
        return claim
    return Claim(claim.expression, repr(value), True)


def hint_test(hint: str, project: Project) -> str | None:
    """The text of a test file that holds what the user said, None when it cannot be made for this project."""
    claim = understand(hint)
    if claim is None:
        return None
    return _call_test(claim, project) or _input_test(claim, project) or _script_test(claim, project)


def _expression_at_end(text: str) -> str | None:
    """The longest end of a text that is a Python expression with something to compute in it."""
    words = text.strip().rstrip(",:;").split(" ")
    for start in range(len(words)):
        candidate = " ".join(words[start:]).strip("`").strip()
        try:
            tree = ast.parse(candidate, mode="eval").body
        except (SyntaxError, ValueError):
            continue
        if isinstance(tree, ast.Call | ast.BinOp):
            return candidate
        if isinstance(tree, ast.Constant) and isinstance(tree.value, str):
            return tree.value
    return None


def _literal_at_start(text: str) -> str | None:
    """The longest beginning of a text that is a literal."""
    text = text.strip().strip("`").rstrip(".!?")
    ends = [len(text), *(match.start() for match in reversed(list(re.finditer(r"[\s,;.!?`)]", text))))]
    for end in ends:
        literal = text[:end].strip().rstrip(",")
        try:
            ast.literal_eval(literal)
        except (SyntaxError, ValueError):
            continue
        return literal
    return None


def _call_test(claim: Claim, project: Project) -> str | None:
    """The expression calls a function or class that one file of the program defines."""
    try:
        tree = ast.parse(claim.expression, mode="eval").body
    except SyntaxError:
        return None
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    imports = [f"from {module} import {name}" for name in sorted(names) for module in [_home(name, project)] if module]
    if not isinstance(tree, ast.Call) or not imports:
        return None
    return _test_file("\n".join(imports), f"value = {claim.expression}", "value", claim)


def _home(name: str, project: Project) -> str | None:
    """The module that defines a name at its top."""
    for path in project.program_paths:
        tree = _parse(project.files[path])
        if any(getattr(node, "name", None) == name for node in tree.body):
            return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".").removeprefix("src.")
    return None


def _input_test(claim: Claim, project: Project) -> str | None:
    """Some test passes a string like the claim's to the program: the same test with this string."""
    for path in project.test_paths:
        tree = _parse(project.files[path])
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef) and function.name.startswith("test"):
                call = _call_with_input(function)
                if call is not None:
                    return _variant(tree, function, call, claim)
    return None


def _call_with_input(function: ast.FunctionDef) -> ast.Call | None:
    """A call in a test with one string that reads like an expression."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Call) or len(node.args) != 1 or not isinstance(node.args[0], ast.Constant):
            continue
        text = node.args[0].value
        name = node.func.attr if isinstance(node.func, ast.Attribute) else ""
        if isinstance(text, str) and re.search(r"\d\s*[-+*/]\s*\d", text) and not name.startswith("assert"):
            return node
    return None


def _variant(tree: ast.Module, function: ast.FunctionDef, call: ast.Call, claim: Claim) -> str:
    """The test file with this one test left, which puts the claim's input in and compares with its value."""
    call.args = [ast.Constant(claim.expression)]
    sign = "==" if claim.same else "!="
    check = ast.parse(f"assert {ast.unparse(call)} {sign} {claim.value}").body
    position = next(index for index, one in enumerate(function.body) if call in ast.walk(one))
    function.body, function.decorator_list = [*function.body[:position], *check], []
    for holder in [tree, *(node for node in ast.walk(tree) if isinstance(node, ast.ClassDef))]:
        holder.body = [
            one
            for one in holder.body
            if one is function or not (isinstance(one, ast.FunctionDef) and one.name.startswith("test"))
        ] or [ast.Pass()]
    return ast.unparse(ast.fix_missing_locations(tree))


def _script_test(claim: Claim, project: Project) -> str | None:
    """The program is a script that takes arguments: run it with the claim's input and look at what it prints."""
    scripts = [path for path in project.program_paths if "sys.argv" in project.files[path]]
    if not scripts:
        return None
    run = (
        "printed = io.StringIO()\n"
        f"with contextlib.redirect_stdout(printed), mock.patch('sys.argv', [{scripts[0]!r}, {claim.expression!r}]):\n"
        "    with contextlib.suppress(SystemExit):\n"
        f"        runpy.run_path({scripts[0]!r}, run_name='__main__')\n"
        "value = re.findall(r'-?[0-9.]*[0-9]|[a-zA-Z_]+', printed.getvalue())"
    )
    imports = "import contextlib, io, re, runpy\nfrom unittest import mock"
    return _test_file(imports, run, "value", claim, contains=True)


def _test_file(imports: str, body: str, name: str, claim: Claim, *, contains: bool = False) -> str:
    if contains:
        check = f"assert str({claim.value}) {'in' if claim.same else 'not in'} {name}"
    else:
        check = f"assert {name} {'==' if claim.same else '!='} {claim.value}"
    lines = "\n".join(f"        {line}" for line in [*body.split("\n"), check])
    return f"import unittest\n{imports}\n\nclass Said(unittest.TestCase):\n    def test_said(self):\n{lines}\n"


def _parse(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def with_hint(files: Mapping[str, str], hint: str, project: Project) -> dict[str, str] | None:
    """The files and the user's claim as one more test file; None when nothing was understood."""
    text = hint_test(hint, project)
    return None if text is None else {**files, f"{HINT_NAME}.py": text}
