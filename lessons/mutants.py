"""Whether the checks see what is wrong: each lesson's solution is changed by program, and its check must refuse it.

What differs in no way that a learner's task speaks of stands in `lessons/*/alike.txt`, with the reason, and is not
counted; a test holds that each line there still is a change.
"""

from __future__ import annotations

import ast
import copy
import os
import tempfile
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lessons.checker import run_check
from lessons.course import Lesson

WANTED = 0.95  # of the changes that make a difference
OTHER = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq}
NARROWER = {"Exception": "KeyError", "OSError": "FileNotFoundError", "ValueError": "UnicodeDecodeError"}
ELSEWHERE = {"id": "type", "name": "arguments", "tool_call_id": "role", "content": "role", "result": "name"}  # keys
FEW = 3  # what is handled of a longer list by whoever has looked at the examples alone
LONGEST = 60  # characters of code in a description

Change = tuple[str, Callable[[Any], object]]


@dataclass
class Share:
    """What became of a lesson's changes: `accepted` and `alike` hold their descriptions."""

    refused: int = 0
    accepted: list[str] = field(default_factory=list)
    alike: list[str] = field(default_factory=list)

    @property
    def part(self) -> float:
        return self.refused / max(1, self.refused + len(self.accepted))


def measure(lesson: Lesson) -> Share:
    """Check every change of a lesson's solution, two at a time."""
    share, known = Share(), alike(lesson)
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(min(2, os.cpu_count() or 1)) as pool:

        def passes(number: int, text: str) -> bool:
            path = Path(folder, f"{number}.py")
            path.write_text(text, encoding="utf-8")
            return run_check(lesson, path, hurry=True).passed

        found = mutants(lesson.text("solution.py"), lesson.text("start.py"))
        checked = pool.map(passes, range(len(found)), found.values())
        for what, passed in zip(found, checked, strict=True):
            if not passed:
                share.refused += 1
            else:
                (share.alike if what in known else share.accepted).append(what)
    return share


def alike(lesson: Lesson) -> dict[str, str]:
    """The lesson's changes that make no difference, each with the reason."""
    if not (lesson.folder / "alike.txt").exists():
        return {}
    lines = [line for line in lesson.text("alike.txt").split("\n") if line.strip()]
    return {line.partition("  # ")[0]: line.partition("  # ")[2] for line in lines}


def mutants(source: str, start: str = "") -> dict[str, str]:
    """Every change of a solution as a whole file, by its description; none that reads as another does. What `start`
    gives the learner is not changed."""
    tree = ast.parse(source)
    found: dict[str, str] = {}
    seen = {ast.unparse(tree)}
    given = {ast.dump(each) for each in ast.parse(start).body}
    kept = {id(node) for each in tree.body if ast.dump(each) in given for node in ast.walk(each)}
    for place, node in enumerate(ast.walk(tree)):
        for what, change in changes(node) if id(node) not in kept else ():
            other = copy.deepcopy(tree)
            target = next(each for number, each in enumerate(ast.walk(other)) if number == place)
            change(target)
            text = ast.unparse(ast.fix_missing_locations(other))
            if text not in seen:
                seen.add(text)
                number = sum(each.partition(" (")[0] == what for each in found)
                found[f"{what} ({number + 1})" if number else what] = text
    return found


def changes(node: ast.AST) -> Iterator[Change]:
    """What can be done to a node: a description, and a function that does it to a copy of the node."""
    said = short(node) if isinstance(node, ast.expr | ast.stmt) else ""
    match node:
        case ast.If() | ast.IfExp() | ast.While():
            yield f"swaps the branches of {said}", lambda it: setattr(it, "test", ast.UnaryOp(ast.Not(), it.test))
        case ast.Constant(value=bool(value)):
            yield f"{value} is {not value}", lambda it: setattr(it, "value", not it.value)
        case ast.Constant(value=int(value)):
            for step in (1, -1):
                yield f"{value} is {value + step}", lambda it, step=step: setattr(it, "value", it.value + step)
        case ast.Compare(ops=[ast.In() | ast.NotIn()]):
            yield f"looks at the first alone in {said}", first_alone
        case ast.Compare(ops=[op]) if type(op) in OTHER:
            yield f"another bound in {said}", lambda it: it.ops.__setitem__(0, OTHER[type(it.ops[0])]())
        case ast.BoolOp():
            other = ast.And if isinstance(node.op, ast.Or) else ast.Or
            yield f"and for or in {said}", lambda it: setattr(it, "op", other())
            yield from left_out(node.values, "values", said)
        case ast.ExceptHandler(type=ast.Name(id=name)) if name in NARROWER:
            yield f"catches {NARROWER[name]} alone", lambda it: setattr(it.type, "id", NARROWER[it.type.id])
        case ast.For() | ast.comprehension():
            every = ast.unparse(node.iter)
            loop = f"for {ast.unparse(node.target)} in {every}"[:LONGEST]
            few, back = f"list({every})[:{FEW}]", f"list({every})[::-1]"
            yield f"handles {FEW} of {loop}", lambda it: setattr(it, "iter", parsed(few))
            yield f"goes backwards {loop}", lambda it: setattr(it, "iter", parsed(back))
            if isinstance(node, ast.For):
                first = ast.parse(f"{ast.unparse(node.target)} = list({every})[0]").body[0]
                yield f"takes the first each time {loop}", lambda it: it.body.insert(0, first)
        case ast.Subscript(slice=ast.Constant(value=key)) if key in ELSEWHERE:
            yield f"takes {said} from elsewhere", lambda it: setattr(it.slice, "value", ELSEWHERE[key])
        case ast.Dict() if len(node.keys) > 1:
            for index, key in enumerate(node.keys):
                lost = short(key) if key else "what is unpacked"
                yield f"leaves {lost} out of {said}", lambda it, i=index: (it.keys.pop(i), it.values.pop(i))
        case ast.Set() | ast.Tuple(ctx=ast.Load()) | ast.List(ctx=ast.Load()) if len(node.elts) > 1:
            yield from left_out(node.elts, "elts", said)
        case ast.Call():
            yield from left_out(node.keywords, "keywords", said)
            yield from other_calls(node, said)
        case ast.FunctionDef():
            if node.args.args:
                yield f"{node.name} loses what is not ASCII", lose_unicode
            for index, name in [(index, name) for index, line in enumerate(node.body) for name in fresh_names(line)]:
                yield f"{node.name} keeps {name} from call to call", lambda it, i=index, n=name: keep(it, i, n)
    for name in ("body", "orelse", "finalbody"):
        block = getattr(node, name, None)
        for index, line in enumerate(block if isinstance(block, list) and not isinstance(node, ast.Module) else ()):
            if not (isinstance(line, ast.Expr) and isinstance(line.value, ast.Constant)):
                yield f"drops {short(line)}", lambda it, name=name, index=index: drop(getattr(it, name), index)


def other_calls(node: ast.Call, said: str) -> Iterator[Change]:
    match node.func:
        case ast.Name(id="sorted" | "reversed"):
            yield f"no order in {said}", lambda it: (setattr(it.func, "id", "list"), it.keywords.clear())
        case ast.Attribute(attr="strip" | "rstrip" | "lstrip" | "lower" | "upper" as name):
            value = ast.unparse(node.func.value)
            yield (
                f"no {name} in {said}",
                lambda it: (setattr(it, "func", parsed("str")), setattr(it, "args", [parsed(value)])),
            )
        case ast.Attribute(attr="startswith"):
            wanted, text = ast.unparse(node.args[0]), ast.unparse(node.func.value)
            looks = [
                parsed(f"(each in {text} for each in (({wanted}) if isinstance({wanted}, tuple) else ({wanted},)))")
            ]
            yield f"anywhere for {said}", lambda it: (setattr(it, "func", parsed("any")), setattr(it, "args", looks))


def left_out(members: list[ast.AST], name: str, said: str) -> Iterator[Change]:
    for index, each in enumerate(members):
        yield f"leaves {short(each)} out of {said}", lambda it, i=index: getattr(it, name).pop(i)


def first_alone(node: ast.Compare) -> None:
    """Membership for whoever has only seen lists of one."""
    node.ops = [ast.Eq() if isinstance(node.ops[0], ast.In) else ast.NotEq()]
    node.comparators = [parsed(f"next(iter({ast.unparse(node.comparators[0])}), None)")]


def lose_unicode(function: ast.FunctionDef) -> None:
    for each in function.args.args:
        lost = f"ast.literal_eval(repr({each.arg}).encode('ascii', 'ignore').decode())"
        lines = f"import ast\ntry:\n    {each.arg} = {lost}\nexcept (ValueError, SyntaxError):\n    pass"
        function.body[:0] = ast.parse(lines).body


def fresh_names(line: ast.stmt) -> Iterator[str]:
    """The names that a line binds to an empty list, dictionary or set."""
    if isinstance(line, ast.Assign) and len(line.targets) == 1:
        target, value = line.targets[0], line.value
        pairs = zip(target.elts, value.elts, strict=True) if isinstance(value, ast.Tuple) else [(target, value)]
        yield from (name.id for name, each in pairs if ast.unparse(each) in ("[]", "{}", "set()"))


def keep(function: ast.FunctionDef, index: int, name: str) -> None:
    """Make a fresh list the default of a parameter: it lives as long as the function."""
    line = function.body[index]
    targets = line.targets[0].elts if isinstance(line.value, ast.Tuple) else line.targets
    values = line.value.elts if isinstance(line.value, ast.Tuple) else [line.value]
    place = [target.id for target in targets].index(name)
    function.args.kwonlyargs.append(ast.arg(f"kept_{name}"))
    function.args.kw_defaults.append(values[place])
    if isinstance(line.value, ast.Tuple):
        values[place] = parsed(f"kept_{name}")
    else:
        line.value = parsed(f"kept_{name}")


def drop(block: list[ast.stmt], index: int) -> None:
    block.pop(index)
    if not block:
        block.append(ast.Pass())


def parsed(expression: str) -> ast.expr:
    return ast.parse(expression, mode="eval").body


def short(node: ast.AST) -> str:
    return ast.unparse(node).split("\n")[0][:LONGEST]
