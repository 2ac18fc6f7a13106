"""What a mutation may draw on: the names, attributes, constants, calls and conditions that the project itself uses."""

from __future__ import annotations

import ast
import builtins
from collections import Counter
from collections.abc import Iterable, Mapping
from difflib import SequenceMatcher
from functools import cache
from typing import Any

from .gleaning import (
    answers,
    attributes_in,
    bound_names,
    conditions_in,
    conditions_on,
    count_constants,
    names_in,
    places_in,
)
from .kinds import kinds_of_names
from .shapes import FUNCTION_STATEMENTS
from .source import Source, enclosing, top_of

SCOPES = (*FUNCTION_STATEMENTS, ast.Lambda)
MOST_CONSTANTS = 40


class Vocabulary:
    """Words of the project, likeliest first; asked by the operators."""

    def __init__(self, sources: Mapping[str, Source], tests: Iterable[ast.Module] = ()) -> None:
        self.sources = sources
        self.tests = list(tests)
        self.constants = cache(self._constants)
        self.functions = cache(self._functions)
        self.methods = cache(self._methods)
        self.fields = cache(self._fields)
        self.raised = cache(self._raised)
        self.known_at_top = self._tops = cache(self._top_names)
        self.places_in = cache(places_in)
        self._simple_statements = cache(self._simple_statements_of)
        self._scope_names = cache(bound_names)
        self._scope_kinds = cache(kinds_of_names)
        self._scope_conditions = cache(conditions_in)
        self._scope_attributes = cache(attributes_in)

    def _constants(self, source: Source) -> list[Any]:
        """Constants of the file, then those of the tests, commonest first."""
        own, tested = count_constants([source.tree]), count_constants(self.tests)
        return list({(type(one), one): one for one in own + tested}.values())

    def numbers(self, source: Source) -> list[int | float]:
        """Numbers of the file and the tests."""
        return [one for one in self.constants(source) if type(one) in (int, float)][:MOST_CONSTANTS]

    def strings(self, source: Source) -> list[str]:
        """Short strings of the file and the tests."""
        return [one for one in self.constants(source) if isinstance(one, str) and len(one) <= 40][:MOST_CONSTANTS]

    def names_in_scope(self, node: ast.AST) -> list[str]:
        """Names of parameters and locals at a node, innermost function first; those like the node's own name first."""
        names: list[str] = []
        scope = enclosing(node, *SCOPES)
        while scope is not None:
            names += self._scope_names(scope)
            scope = enclosing(scope, *SCOPES)
        if isinstance(node, ast.Name):
            names.sort(key=lambda name: -self._likeness(node, name))
        return list(dict.fromkeys(names))

    def _likeness(self, node: ast.Name, name: str) -> float:
        """Same kind of value first, then alike in spelling."""
        one, other = self.kind_of(node, node.id), self.kind_of(node, name)
        same = 1.0 if one and one == other else (-1.0 if one and other else 0.0)
        return same + SequenceMatcher(None, node.id, name).ratio()

    def kind_of(self, node: ast.AST, name: str) -> str:
        """What kind of value a name holds at a node, "" when unknown."""
        scope = enclosing(node, *FUNCTION_STATEMENTS, ast.Module)
        return self._scope_kinds(scope).get(name, "") if scope is not None else ""

    def globals_of(self, source: Source) -> list[str]:
        """Names that the top of a file binds by assignment."""
        targets = [target for node in source.tree.body if isinstance(node, ast.Assign) for target in node.targets]
        targets += [node.target for node in source.tree.body if isinstance(node, ast.AnnAssign)]
        return [target.id for target in targets if isinstance(target, ast.Name)]

    def _functions(self, source: Source) -> dict[str, ast.FunctionDef]:
        """Functions that a file can call by a bare name: its own, and those it imports from the project."""
        found = {node.name: node for node in source.tree.body if isinstance(node, ast.FunctionDef)}
        imported = {
            name.asname or name.name: name.name
            for node in ast.walk(source.tree)
            if isinstance(node, ast.ImportFrom)
            for name in node.names
        }
        for other in self.sources.values():
            for node in other.tree.body:
                if isinstance(node, ast.FunctionDef):
                    found |= {alias: node for alias, name in imported.items() if name == node.name}
        return found

    def _methods(self) -> dict[str, ast.FunctionDef]:
        """Every method of the program's classes, by name."""
        classes = [
            node for one in self.sources.values() for node in ast.walk(one.tree) if isinstance(node, ast.ClassDef)
        ]
        return {item.name: item for one in classes for item in one.body if isinstance(item, ast.FunctionDef)}

    def _fields(self) -> Counter[str]:
        """Attribute names used in the program without being called."""
        return Counter(
            node.attr
            for source in self.sources.values()
            for node in ast.walk(source.tree)
            if isinstance(node, ast.Attribute) and not (isinstance(node.parent, ast.Call) and node.parent.func is node)
        )

    def attributes_of(self, node: ast.Attribute) -> list[str]:
        """Attributes that the file takes from an object of the same name, commonest first."""
        module = enclosing(node, ast.Module)
        return [name for name, _ in self._scope_attributes(module)[ast.dump(node.value)].most_common()]

    def self_fields(self, node: ast.AST) -> list[str]:
        """Fields of `self` that the class around a node uses."""
        around = enclosing(node, ast.ClassDef)
        if around is None:
            return []
        mine = self._scope_attributes(around)[ast.dump(ast.Name("self", ast.Load()))]
        methods = {item.name for item in around.body if isinstance(item, ast.FunctionDef)}
        return [name for name, _ in mine.most_common() if name not in methods]

    def _raised(self, source: Source) -> list[str]:
        """Exception names that the file raises or catches, and those that the tests expect."""
        trees = [source.tree, *self.tests]
        names = [node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)]
        names = [name for name in names if name.endswith(("Error", "Exception", "StopIteration"))]
        return [name for name, _ in Counter(names).most_common()]

    def definitions(self) -> list[str]:
        """Functions and classes at the top of the program's files."""
        kinds = (*FUNCTION_STATEMENTS, ast.ClassDef)
        return [node.name for source in self.sources.values() for node in source.tree.body if isinstance(node, kinds)]

    def wanted_by_tests(self) -> list[str]:
        """Names that the tests import or use as attributes, and that the program does not define."""
        defined = set(self.definitions()) | set(self.methods())
        wanted = [alias.name for tree in self.tests for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
                  for alias in node.names]  # fmt: skip
        called = [node.func for tree in self.tests for node in ast.walk(tree) if isinstance(node, ast.Call)]
        wanted += [one.attr for one in called if isinstance(one, ast.Attribute) and not one.attr.startswith("assert")]
        return [name for name in dict.fromkeys(wanted) if name not in defined][:12]

    def conditions_at(self, node: ast.AST) -> list[str]:
        """Conditions that could stand at a node: what its function tests elsewhere, then what its names suggest."""
        scope = enclosing(node, *FUNCTION_STATEMENTS) or enclosing(node, ast.Module)
        found = list(self._scope_conditions(scope))
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
        around = enclosing(node, ast.ClassDef)
        own = [item for item in getattr(around, "body", []) if isinstance(item, ast.FunctionDef)]
        source = top_of(node, self.sources)
        calls = []
        for prefix, definitions in (("self.", own), ("", self.functions(source).values())):
            for one in definitions:
                if not answers(one) or one is enclosing(node, *FUNCTION_STATEMENTS):
                    continue
                count = len(one.args.args) - (prefix == "self.")
                if count == 0:
                    calls.append(f"{prefix}{one.name}()" if not one.decorator_list else f"{prefix}{one.name}")
                elif count == 1:
                    calls += [f"{prefix}{one.name}({name})" for name in names]
        return [option for call in calls[:12] for option in (f"not {call}", call)]

    def statements_for(self, node: ast.AST, source: Source) -> list[str]:
        """Simple statements of the file that use only names known at a node: its own function's first."""
        scope, around = enclosing(node, *FUNCTION_STATEMENTS), enclosing(node, ast.ClassDef)
        known = set(self.names_in_scope(node))
        found: Counter[str] = Counter()
        for text, names, function, owner in self._simple_statements(source):
            if names <= known | self._tops(source) and (around is owner or "self" not in names):
                found[text] += 1 + 4 * (function is scope) + 2 * (owner is around)
        return [text for text, _ in found.most_common(30)]

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

    def _top_names(self, source: Source) -> set[str]:
        """Names that mean something everywhere in a file."""
        names = set(dir(builtins)) | set(self.globals_of(source))
        for node in source.tree.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
            elif isinstance(node, (*FUNCTION_STATEMENTS, ast.ClassDef)):
                names.add(node.name)
        return names
