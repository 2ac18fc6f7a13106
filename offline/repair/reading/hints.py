"""What the user said about results, made a test file beside the project's own."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Mapping

from .claims import Claim, claims
from .project import Project

HINT_NAME = "test_what_the_user_said"


def with_hint(files: Mapping[str, str], hint: str, project: Project) -> dict[str, str] | None:
    """The files and the user's claims as one more test file; None when nothing was understood."""
    text = hint_test(hint, project)
    return None if text is None else {**files, f"{HINT_NAME}.py": text}


def hint_test(hint: str, project: Project) -> str | None:
    """The text of a test file that holds what the user said, None when it cannot be made for this project."""
    said = claims(hint)
    calls = [made for claim in said if (made := call_of(claim, project))]
    if calls:
        return _test_file(calls)
    return next((text for claim in said if (text := _input_test(claim, project) or _script_test(claim, project))), None)


Call = tuple[tuple[str, ...], Claim]  # the imports that it needs, the claim with its expression made complete


def call_of(claim: Claim, project: Project) -> Call | None:
    """The claim about an expression that uses what the program defines, and nothing that is unknown."""
    try:
        tree = ast.parse(claim.expression, mode="eval").body
    except SyntaxError:
        return None
    bound = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    names = {one.id for one in ast.walk(tree) if isinstance(one, ast.Name)} - bound - set(dir(builtins))
    imports, expression = [], claim.expression
    for name in sorted(names):
        if (home := _home(name, project)) is not None:
            imports.append(f"from {home} import {name}")
        elif any(_module(path).split(".")[-1] == name for path in project.program_paths):
            module = next(_module(path) for path in project.program_paths if _module(path).split(".")[-1] == name)
            imports.append(f"import {module} as {name}")
        elif (owner := _class_with(name, project)) is not None:
            imports.append(f"from {_home(owner, project)} import {owner}")
            expression = re.sub(rf"(?<![\w.]){name}\(", f"{owner}().{name}(", expression)
        else:
            return None
    return (tuple(imports), Claim(expression, claim.value, claim.says)) if imports else None


def _definitions(project: Project) -> Iterator[tuple[str, ast.stmt]]:
    for path in project.program_paths:
        for node in _parse(project.files[path]).body:
            yield path, node


def _home(name: str, project: Project) -> str | None:
    """The module that defines a name at its top."""
    for path, node in _definitions(project):
        targets = node.targets if isinstance(node, ast.Assign) else ()
        if getattr(node, "name", None) == name or any(isinstance(one, ast.Name) and one.id == name for one in targets):
            return _module(path)
    return None


def _class_with(method: str, project: Project) -> str | None:
    """The one class that has a method of this name and can be made without arguments."""
    owners = []
    for _, node in _definitions(project):
        functions = [one for one in getattr(node, "body", ()) if isinstance(one, ast.FunctionDef)]
        if isinstance(node, ast.ClassDef) and any(one.name == method for one in functions):
            makes = [one.args for one in functions if one.name == "__init__"]
            owners += [node.name] if all(len(one.args) - 1 <= len(one.defaults) for one in makes) else []
    return owners[0] if len(owners) == 1 else None


def _module(path: str) -> str:
    return path.removesuffix(".py").removesuffix("/__init__").replace("/", ".").removeprefix("src.")


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
    check = ast.parse(_checked(ast.unparse(call), claim)).body
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
    if not scripts or claim.says not in ("equals", "differs"):
        return None
    run = (
        "printed = io.StringIO()\n"
        f"with contextlib.redirect_stdout(printed), mock.patch('sys.argv', [{scripts[0]!r}, {claim.expression!r}]):\n"
        "    with contextlib.suppress(SystemExit):\n"
        f"        runpy.run_path({scripts[0]!r}, run_name='__main__')\n"
        "value = re.findall(r'-?[0-9.]*[0-9]|[a-zA-Z_]+', printed.getvalue())"
    )
    check = f"assert str({claim.value}) {'in' if claim.says == 'equals' else 'not in'} value"
    claimed = f"{run}\n{check}"
    return f"import contextlib, io, re, runpy\nfrom unittest import mock\n{_case([claimed])}"


def _test_file(calls: list[Call]) -> str:
    imports = dict.fromkeys(one for needed, _ in calls for one in needed)
    return "\n".join(imports) + "\n" + _case([_checked(claim.expression, claim) for _, claim in calls])


def _checked(expression: str, claim: Claim) -> str:
    """The statements that compute the expression and hold the claim to it. An error of the program fails the claim,
    where it was raised."""
    error = (
        "except Exception as error:\n"
        "    raise AssertionError(f'{type(error).__name__}: {error}').with_traceback(error.__traceback__) from None"
    )
    if claim.says == "raises":
        missed = f"raise AssertionError('no {claim.value} was raised')"
        name = f"type(error).__name__ == {claim.value!r}"
        return (
            f"try:\n    {expression}\nexcept Exception as error:\n    assert {name}, repr(error)\nelse:\n    {missed}"
        )
    computed = f"try:\n    value = {expression}\n{error}"
    if claim.says == "works":
        return computed
    same = f"value == {claim.value}"
    if isinstance(ast.literal_eval(claim.value), float):
        same = f"abs(value - {claim.value}) < 1e-9"
    return f"{computed}\nassert {'' if claim.says == 'equals' else 'not '}({same}), repr(value)"


def _case(bodies: list[str]) -> str:
    lines = ["import unittest", "", "class Said(unittest.TestCase):"]
    for number, body in enumerate(bodies, 1):
        lines += [f"    def test_said_{number}(self):", *(f"        {line}" for line in body.split("\n")), ""]
    return "\n".join(lines)


def _parse(text: str) -> ast.Module:
    try:
        return ast.parse(text)
    except (SyntaxError, ValueError):
        return ast.Module([], [])
