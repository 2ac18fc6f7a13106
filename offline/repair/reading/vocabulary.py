"""What a mutation may draw on: the project's words, and the conditions, questions and statements made of them."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from .remembered import changes_forgotten_in
from .shapes import FUNCTION_STATEMENTS, called_name, kind_of_value
from .source import Source, enclosing, top_of
from .words import Words

BY_NAME = 12  # calls that have all that they need
OPPOSITES = ((".append(", ".remove("), (".remove(", ".append("), (".add(", ".discard("), (".discard(", ".add("),
             (" += ", " -= "), (" -= ", " += "))  # fmt: skip


class Vocabulary(Words):
    """The words, and phrases of them, likeliest first; asked by the operators."""

    def __init__(
        self, sources: Mapping[str, Source], tests: Iterable[ast.Module] = (), told: Iterable[str] = ()
    ) -> None:
        super().__init__(sources, tests, told)
        self.places_in = cache(places_in)
        self.forgotten_changes = cache(changes_forgotten_in)
        self.expressions = cache(expressions_in)
        self.called_in = cache(called_in)
        self.lines_of_names = cache(lines_of_names)
        self.unused_parameters = cache(unused_parameters)
        self._answers = cache(answers)
        self._simple_statements = cache(self._simple_statements_of)
        self._scope_conditions = cache(conditions_in)

    def conditions_at(self, node: ast.AST) -> list[str]:
        """Conditions that could stand at a node: what its function tests elsewhere, then what its names suggest."""
        scope = enclosing(node, *FUNCTION_STATEMENTS) or enclosing(node, ast.Module)
        found = list(self._scope_conditions(scope))
        known, around = set(self.names_in_scope(node)), enclosing(node, ast.ClassDef)
        asked = self._scope_conditions(around) if around is not None else []  # by the class's other methods
        found += [text for text in asked if {one.id for one in names_in(ast.parse(text))} <= known]
        names = self.names_in_scope(node)[:12]
        names = [name for name in names if name != "self"]
        kinds = {name: self.kind_of(node, name) for name in names}
        numbers = [name for name in names if kinds[name] in ("number", "")]
        for name in names:
            found += conditions_on(name, kinds[name])
        found += [f"self.{name}" for name in self.self_fields(node)[:6]]
        for left in numbers[:6]:
            found += [
                f"{left} {operator} {right}" for right in numbers[:6] if left != right for operator in ("<", "==")
            ]
        for left in names:
            groups = [right for right in names if kinds[right] in ("list", "set", "dict", "text") and right != left]
            found += [f"{left} {operator} {right}" for right in groups[:4] for operator in ("in", "not in")]
        return list(dict.fromkeys(found))

    def questions_at(self, node: ast.AST) -> list[str]:
        """Calls of the program's own predicates with names in scope: `not self.is_full(chute)`."""
        names = [name for name in self.names_in_scope(node) if name != "self"][:5]
        own = methods_around(node)
        source = top_of(node, self.sources)
        calls = []
        for prefix, definitions in (("self.", own), ("", self.functions(source).values())):
            for one in definitions:
                if not self._answers(one) or one is enclosing(node, *FUNCTION_STATEMENTS):
                    continue
                count = len(one.args.args) - (prefix == "self.")
                if count == 0:
                    calls.append(f"{prefix}{one.name}()" if not one.decorator_list else f"{prefix}{one.name}")
                elif count == 1:
                    calls += [f"{prefix}{one.name}({name})" for name in names]
        return [option for call in calls[:12] for option in (f"not {call}", call)]

    def made_by_own_methods(self, node: ast.AST) -> list[str]:
        """Calls of the methods of the class around a node that need nothing but the object; those that nobody calls
        first."""
        around, here = enclosing(node, ast.ClassDef), enclosing(node, *FUNCTION_STATEMENTS)
        own = [one for one in methods_around(node) if one is not here and not one.name.startswith("__")]
        alone = [one.name for one in own if len(one.args.args) == 1 and not one.decorator_list]
        called = self.called_in(around) if around is not None else set()
        return [f"self.{name}()" for name in sorted(alone, key=lambda name: name in called)[:4]]

    def calls_by_name(self, node: ast.AST, source: Source) -> list[str]:
        """Calls of what the program has, with what is called like its parameters here or is a field of the object:
        `self.search(self.name, lookup)`. What it calls nowhere yet comes first; a private method of that kind is given
        what is most alike where nothing is called so."""
        here, names, fields = enclosing(node, *FUNCTION_STATEMENTS), self.names_in_scope(node), self.self_fields(node)
        own = {f"self.{one.name}": one for one in methods_around(node) if not one.name.endswith("__")}
        called = set[str]().union(*(self.called_in(one.tree) for one in self.sources.values()))
        found: dict[str, bool] = {}
        for spoken, one in {**own, **self.functions(source), **self.makers(source)}.items():
            name = spoken.rpartition(".")[2]
            forgotten = name not in self.fields() and name not in called
            needed = [each.arg for each in one.args.args if each.arg not in ("self", "cls")]
            given = [each if each in names else f"self.{each}" for each in needed if each in names or each in fields]
            if one is here:
                continue
            if given and len(given) == len(needed):
                found[f"{spoken}({', '.join(given)})"] = forgotten
            elif forgotten and name.startswith("_"):
                found[called_like(spoken, one, names)] = True
        return sorted(found, key=lambda text: not found[text])[:BY_NAME]

    def statements_for(self, node: ast.AST, source: Source) -> list[str]:
        """Simple statements of the file that use only names known at a node: its own function's first."""
        scope, around = enclosing(node, *FUNCTION_STATEMENTS), enclosing(node, ast.ClassDef)
        known = {*self.names_in_scope(node), *self.unbound()}
        found: Counter[str] = Counter()
        for text, names, function, owner in self._simple_statements(source):
            if names <= known | self.known_at_top(source) and (around is owner or "self" not in names):
                found[text] += 1 + 4 * (function is scope) + 2 * (owner is around)
        return [text for text, _ in found.most_common(30)]

    def counterparts(self, node: ast.AST, source: Source) -> list[str]:
        """The opposite of what other methods of the class do, `self.shelf.append(book)` where one takes it from there,
        with names known at a node, to what its own function leaves as it is."""
        scope, around, known = (
            enclosing(node, *FUNCTION_STATEMENTS),
            enclosing(node, ast.ClassDef),
            self.names_in_scope(node),
        )
        if scope is None or around is None:
            return []
        here, found = source.cut(scope), list[str]()
        for text, names, function, owner in self._simple_statements(source):
            for done, undone in OPPOSITES if owner is around and function is not scope and names <= {*known} else ():
                holder, did, rest = text.partition(done)
                if did and not any(f"{holder}{change}" in here for pair in OPPOSITES for change in pair):
                    found.append(f"{holder}{undone}{rest}")
        return list(dict.fromkeys(found))

    def bindings(self, node: ast.AST, source: Source) -> list[str]:
        """Assignments to names that had no value: as the program makes them elsewhere, from the field of that name, or
        a function that is called like it."""
        around = enclosing(node, ast.ClassDef)
        own = {f"self.{one.name}": one for one in methods_around(node)}
        local = self.names_in_scope(node)
        known, found = {*local} | self.known_at_top(source), list[str]()
        makers = {**self.functions(source), **own, **self.makers(source)}
        for name in [*self.unbound(), *asked_for(node)]:
            assigns = re.compile(rf"(?=[\w, ()]*\b{name}\b)([\w, ()]+)=(?!=)")
            for other in sorted(self.sources.values(), key=lambda one: one is not source):  # its own file first
                for text, names, *_ in self._simple_statements(other):
                    match = assigns.match(text)
                    if match and ("self" not in names or around):
                        found += spoken_here(text, names - {*re.findall(r"\w+", match[1])} - known, local)
            found += [f"{name} = self.{name}"] if name in self.self_fields(node) else []
            if (made := name.rstrip("_")) != name and hasattr(builtins, made):  # PEP 8's way out of a clash of names
                found += [f"{name} = {made}({one})" for one in local if one != name]
            for spoken, one in makers.items():
                if spoken_parts(name) & spoken_parts(spoken) and one is not enclosing(node, *FUNCTION_STATEMENTS):
                    found.append(f"{name} = {called_like(spoken, one, [each for each in local if each != name])}")
        return list(dict.fromkeys(found))

    def _simple_statements_of(self, source: Source) -> list[tuple[str, set[str], Any, Any]]:
        found = []
        for one in source.statements():
            if not isinstance(one, ast.Assign | ast.AugAssign | ast.Expr | ast.Return) or "\n" in source.cut(one):
                continue
            if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
                continue
            inner = {node.arg for node in ast.walk(one) if isinstance(node, ast.arg)}
            inner |= {
                name.id
                for node in ast.walk(one)
                if isinstance(node, ast.comprehension)
                for name in names_in(node.target)
            }
            names = {name.id for name in names_in(one)} - inner
            function = enclosing(one, *FUNCTION_STATEMENTS)
            if function is not None:
                found.append((source.cut(one), names, function, enclosing(one, ast.ClassDef)))
        return found


def spoken_parts(name: str) -> set[str]:
    """The words of a name, but for those that many functions begin with."""
    parts = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name.rpartition(".")[2]).lower().strip("_").split("_")
    return {part.rstrip("s") for part in parts} - {"get", "is", "to", "make", ""}


def asked_for(node: ast.AST) -> list[str]:
    """The names that the branch around is there to set, `if found is None:`."""
    test = getattr(enclosing(node, ast.If), "test", None)
    nothing = isinstance(test, ast.Compare) and isinstance(test.ops[0], ast.Is)
    return [test.left.id] if nothing and isinstance(test.left, ast.Name) else []


def spoken_here(text: str, strange: set[str], names: list[str]) -> list[str]:
    """A statement of another function, each name that is strange here as the one in scope that is most alike and shares
    a word with it; nothing where there is none."""
    for one in strange:
        like = [name for name in names if spoken_parts(name) & spoken_parts(one)]
        if not like:
            return []
        best = max(like, key=lambda name: SequenceMatcher(None, name, one).ratio())  # noqa: B023 - used at once
        text = re.sub(rf"\b{one}\b", best, text)
    return [text]


def called_like(spoken: str, definition: ast.FunctionDef, names: list[str]) -> str:
    """A call with what it needs, each from the name in scope that is most alike."""
    needed = definition.args.args[: len(definition.args.args) - len(definition.args.defaults)]
    wanted = [one.arg for one in needed if one.arg not in ("self", "cls")]
    given = [max(names, key=lambda name: SequenceMatcher(None, name, one).ratio(), default="None") for one in wanted]
    return f"{spoken}({', '.join(given)})"


def answers(definition: ast.FunctionDef) -> bool:
    """Whether a function answers yes or no, by its name or by what it returns."""
    if definition.name.lstrip("_").startswith(("is_", "has_", "can_", "in_", "all_", "any_", "should_")):
        return True
    values = [one.value for one in ast.walk(definition) if isinstance(one, ast.Return) and one.value is not None]
    return bool(values) and all(kind_of_value(value) == "truth" for value in values)


def places_in(scope: ast.AST, source: Source) -> list[str]:
    """Fields and items that a function reads or writes, commonest first: `job.owner`, `product["count"]`."""
    places = [
        source.cut(node)
        for node in ast.walk(scope)
        if isinstance(node, ast.Attribute | ast.Subscript)
        and not (isinstance(node.parent, ast.Call) and node.parent.func is node)
        and not enclosing(node, ast.JoinedStr)
        and not isinstance(getattr(node, "slice", None), ast.Slice)
    ]
    return [text for text, _ in Counter(places).most_common() if len(text) <= 30 and "\n" not in text]


def methods_around(node: ast.AST) -> list[ast.FunctionDef]:
    """The methods of the class that a node stands in."""
    around = enclosing(node, ast.ClassDef)
    return [item for item in getattr(around, "body", []) if isinstance(item, ast.FunctionDef)]


def called_in(scope: ast.AST) -> set[str]:
    """The names of the functions and methods that are called within a node."""
    return {called_name(one) for one in ast.walk(scope) if isinstance(one, ast.Call)}


def expressions_in(scope: ast.AST) -> Mapping[str, list[ast.AST]]:
    """The small expressions of a class or file, by what they say (as a dump), each in the order of `ast.walk`."""
    found: dict[str, list[ast.AST]] = defaultdict(list)
    for node in ast.walk(scope):
        if isinstance(node, ast.Attribute | ast.Name | ast.Constant | ast.BinOp | ast.Compare):
            found[ast.dump(node)].append(node)
    return found


def names_in(node: ast.AST) -> list[ast.Name]:
    return [one for one in ast.walk(node) if isinstance(one, ast.Name)]


def lines_of_names(scope: ast.AST) -> Mapping[str, list[int]]:
    """In which lines each name of a function or file is used."""
    found: dict[str, list[int]] = defaultdict(list)
    for one in names_in(scope):
        found[one.id].append(one.lineno)
    return found


def unused_parameters(function: ast.FunctionDef | ast.AsyncFunctionDef) -> list[str]:
    """The parameters that a function does nothing with."""
    used = {one.id for one in names_in(function)} | {"self", "cls"}
    return [one.arg for one in (*function.args.args, *function.args.kwonlyargs) if one.arg not in used]


def never_read(scope: ast.AST) -> list[str]:
    """Names that a function sets and does not look at."""
    read = {one.id for one in names_in(scope) if isinstance(one.ctx, ast.Load)}
    return [name for name in set_in(scope) if name not in read]


def kept_to_itself(scope: ast.AST) -> list[str]:
    """Names that a function sets and fills, `block.items.append(one)`, and neither returns nor hands on."""
    lent = {one.id for one in names_in(scope) if isinstance(one.ctx, ast.Load) and not _is_receiver(one)}
    return [name for name in set_in(scope) if name not in lent]


def _is_receiver(node: ast.AST) -> bool:
    return isinstance(node.parent, ast.Attribute)  # type: ignore[attr-defined]


def set_in(scope: ast.AST) -> list[str]:
    """Names that a function sets."""
    return list(dict.fromkeys(one.id for one in names_in(scope) if isinstance(one.ctx, ast.Store)))


def conditions_on(name: str, kind: str) -> list[str]:
    if kind == "number":
        return [f"{name} > 0", f"{name} < 0", f"{name} == 0", f"{name} != 0", f"{name} <= 0", f"{name} >= 0"]
    if kind in ("list", "set", "dict", "text"):
        return [f"not {name}", name, f"len({name}) > 1", f"len({name}) == 1"]
    return [f"not {name}", name, f"{name} is None", f"{name} is not None", f"{name} > 0", f"{name} < 0", f"{name} == 0"]


def conditions_in(scope: ast.AST) -> list[str]:
    """The tests that a function (or a file) makes, and their opposites, in its own words."""
    tests = [node.test for node in ast.walk(scope) if isinstance(node, ast.If | ast.While | ast.IfExp)]
    parts = [part for test in tests for part in (test.values if isinstance(test, ast.BoolOp) else [test])]
    texts = [ast.unparse(part) for part in parts]
    return list(dict.fromkeys(text for text in texts if len(text) <= 60))[:10]
