"""The words of a project: its names, attributes, functions and constants, and what kind of value a name holds."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from difflib import SequenceMatcher
from functools import cache
from itertools import chain
from typing import Any

from .examples import expected_error
from .failures import quoted_in
from .shapes import FUNCTION_STATEMENTS, called_name, kinds_of_names
from .source import Source, enclosing

SCOPES = (*FUNCTION_STATEMENTS, ast.Lambda)
MOST_CONSTANTS = 40
SENTENCE = 3  # words
LEAST_SAID = 8  # characters of a string of the program that a message is made with


class Words:
    """Words of the project, likeliest first."""

    def __init__(
        self, sources: Mapping[str, Source], tests: Iterable[ast.Module] = (), told: Iterable[str] = ()
    ) -> None:
        """`told`: what the failing tests say, `ValueError: no such day`."""
        self.sources = sources
        self.tests = list(tests)
        self.told = list(dict.fromkeys(told))
        self.constants = cache(self._constants)
        self.functions = cache(self._functions)
        self.methods = cache(self._methods)
        self.fields = cache(self._fields)
        self._defined_fields = cache(self._all_defined_fields)
        self.raised = cache(self._raised)
        self.raises = cache(self._raise_statements)
        self._errors = cache(self._expected_errors)
        self._unsaid = cache(self._unsaid_errors)
        self._sentences = cache(self._unsaid_sentences)
        self.expected = cache(self._expected_exceptions)
        self.said = cache(self._everything_said)
        self.escaped = cache(self._escaped_exceptions)
        self.unbound = cache(self._unbound_names)
        self.lacking = cache(self._lacking_fields)
        self.quoted = cache(self._quoted_words)
        self.strings = cache(self._strings)
        self._likewise = cache(strings_by_role)
        self.wanted_by_tests = cache(self._wanted_by_tests)
        self.constructors = cache(self._constructors)
        self.calls_of = cache(self._calls_elsewhere)
        self.defaults = cache(self._defaults)
        self.declared = cache(self._declared)
        self.known_at_top = cache(self._top_names)
        self._scope_names = cache(bound_names)
        self._scope_kinds = cache(kinds_of_names)
        self._scope_attributes = cache(attributes_in)

    def _constants(self, source: Source) -> list[Any]:
        """Constants of the file, then those of the tests, commonest first."""
        own, tested = count_constants([source.tree]), count_constants(self.tests)
        return list({(type(one), one): one for one in own + tested}.values())

    def own_constants(self, source: Source) -> list[Any]:
        """Constants of the file alone, commonest first."""
        return count_constants([source.tree])

    def numbers(self, source: Source) -> list[int | float]:
        """Numbers of the file and the tests."""
        return [one for one in self.constants(source) if type(one) in (int, float)][:MOST_CONSTANTS]

    def _strings(self, source: Source) -> list[str]:
        """Short strings of the file and the tests."""
        return [one for one in self.constants(source) if isinstance(one, str) and len(one) <= 40][:MOST_CONSTANTS]

    def strings_like(self, node: ast.Constant, source: Source) -> list[str]:
        """Other strings of the file that stand as this one does, commonest first: beside the same operator, argument,
        key. Not those that the branches around ask for already."""
        role = role_of(node)
        asked = {node.value, *(one.value for one in _asked_around(node) if role_of(one) == role)}
        return [text for text, _ in self._likewise(source.tree)[role].most_common() if text not in asked]

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
        while scope is not None and name not in self._scope_kinds(scope):
            scope = enclosing(scope, *FUNCTION_STATEMENTS)
        return self._scope_kinds(scope)[name] if scope is not None else ""

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

    def _constructors(self) -> dict[str, ast.FunctionDef | None]:
        """The `__init__` of every class, by the class's name; None where it has none."""
        found: dict[str, ast.FunctionDef | None] = {}
        for source in self.sources.values():
            for node in ast.walk(source.tree):
                if isinstance(node, ast.ClassDef):
                    made = (one for one in node.body if isinstance(one, ast.FunctionDef) and one.name == "__init__")
                    found.setdefault(node.name, next(made, None))
        return found

    def _defaults(self) -> Mapping[str, Counter[str]]:
        """What the program's parameters have as default, by their names, commonest first."""
        found: dict[str, Counter[str]] = defaultdict(Counter)
        for source in self.sources.values():
            for node in ast.walk(source.tree):
                for one, default in defaults_in(node) if isinstance(node, ast.arguments) else ():
                    found[one.arg][source.cut(default)] += 1
        return found

    def makers(self, source: Source) -> dict[str, ast.FunctionDef]:
        """The `__init__` of the classes that a file knows, by the class's name."""
        known = self.known_at_top(source)
        return {name: made for name, made in self.constructors().items() if made is not None and name in known}

    def definition_of(self, name: str, source: Source) -> ast.FunctionDef | None:
        """What a call of this name in a file runs, as far as names tell."""
        return self.functions(source).get(name) or self.methods().get(name) or self.constructors().get(name)

    def parameters_of(self, call: ast.Call, source: Source) -> list[str]:
        """The names of the positions of a call, without what marks them as private: of the function, of the class's
        `__init__`, or the fields that the class declares."""
        called = called_name(call)
        definition = self.definition_of(called, source)
        names = [one.arg for one in definition.args.args] if definition else self.declared().get(called, [])
        return [name.strip("_") for name in names if name not in ("self", "cls")]

    def _declared(self) -> dict[str, list[str]]:
        """The fields that a class declares, by its name."""
        nodes = (node for source in self.sources.values() for node in ast.walk(source.tree))
        classes = {node.name: node.body for node in nodes if isinstance(node, ast.ClassDef)}
        targets = {
            name: [one.target for one in body if isinstance(one, ast.AnnAssign)] for name, body in classes.items()
        }
        return {name: [one.id for one in many if isinstance(one, ast.Name)] for name, many in targets.items()}

    def _fields(self) -> Counter[str]:
        """Attribute names used in the program without being called, and the declared fields of its classes."""
        nodes = [node for source in self.sources.values() for node in ast.walk(source.tree)]
        taken = [node for node in nodes if isinstance(node, ast.Attribute)]
        used = [one.attr for one in taken if not (isinstance(one.parent, ast.Call) and one.parent.func is one)]
        in_classes = [
            node for node in nodes if isinstance(node, ast.AnnAssign) and isinstance(node.parent, ast.ClassDef)
        ]
        declared = [node.target.id for node in in_classes if isinstance(node.target, ast.Name)]
        return Counter(used + declared)

    def defined_fields(self) -> set[str]:
        """Attribute names that the program gives a value or defines: in a method, in a class body, as a method."""
        return self._defined_fields()

    def _all_defined_fields(self) -> set[str]:
        found = set(self.methods())
        for source in self.sources.values():
            for node in ast.walk(source.tree):
                if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store):
                    found.add(node.attr)
                elif isinstance(node, ast.ClassDef):
                    found |= {one.target.id for one in node.body if isinstance(one, ast.AnnAssign | ast.AugAssign)
                              and isinstance(one.target, ast.Name)}  # fmt: skip
        return found

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

    def _escaped_exceptions(self) -> list[str]:
        """Names of the exceptions that ended failing tests."""
        names = [text.split(":")[0].strip() for text in self.told]
        return list(dict.fromkeys(name for name in names if name.isidentifier() and name != "AssertionError"))

    def _unbound_names(self) -> list[str]:
        """Names that had no value when failing tests needed them."""
        found = (re.search(r"name '(\w+)' is not defined|local variable '(\w+)'", text) for text in self.told)
        return list(dict.fromkeys(match[1] or match[2] for match in found if match))

    def _lacking_fields(self) -> list[str]:
        """Names of the fields that objects did not have when failing tests needed them."""
        found = (re.search(r"object has no attribute '(\w+)'", text) for text in self.told)
        return list(dict.fromkeys(match[1] for match in found if match))

    def _quoted_words(self) -> list[str]:
        """What failing tests say between quotation marks, commonest first."""
        return [word for word, _ in quoted_in(self.told, 1).most_common(10)]

    def _expected_errors(self) -> list[tuple[str, str]]:
        """The exceptions that tests expect to be raised, each with its message or ""."""
        calls = (node for tree in self.tests for node in ast.walk(tree) if isinstance(node, ast.Call))
        return [error for error in map(expected_error, calls) if error]

    def _unsaid_errors(self) -> list[tuple[str, str]]:
        """Those of them, by the bare name, whose message holds no string of the program."""
        strings = map(str, count_constants(source.tree for source in self.sources.values()))
        said = [one for one in strings if len(one) >= LEAST_SAID]
        errors = [(name, text) for name, text in dict.fromkeys(self._errors()) if text]
        return [(name.rpartition(".")[2], text) for name, text in errors if not any(one in text for one in said)]

    def _unsaid_sentences(self) -> list[str]:
        """Sentences that the tests repeat and the program does not say."""
        texts = (one.value for tree in self.tests for one in ast.walk(tree) if isinstance(one, ast.Constant))
        told = Counter(text for text in texts if isinstance(text, str) and len(text.split()) >= SENTENCE)
        said = {str(one) for one in count_constants(source.tree for source in self.sources.values())}
        return [text for text, times in told.most_common(2) if times > 1 and text not in said]

    def _expected_exceptions(self) -> list[str]:
        """Names that tests expect to be raised, the rarest first: the commonest are seldom the one that is missed."""
        return [name for name, _ in reversed(Counter(name for name, _ in self._errors()).most_common())]

    def _everything_said(self) -> str:
        """The strings of the program and the tests, and what failing tests say, one a line."""
        trees = [*(source.tree for source in self.sources.values()), *self.tests]
        found = [one for one in count_constants(trees) if isinstance(one, str)]
        return "\n".join([*self.told, *found])

    def _raise_statements(self, source: Source) -> list[str]:
        """Statements: what tests expect to be raised with words that the program says nowhere (whole, and from where a
        message of the file begins alike), sentences that they repeat likewise, then what the file raises."""
        raised = [one for one in ast.walk(source.tree) if isinstance(one, ast.Raise) and one.exc is not None]
        begun = {" ".join(text.split()[:2]) for text in count_constants(raised) if isinstance(text, str)} - {""}
        found = []
        for name, text in self._unsaid():
            if name in self.known_at_top(source):
                places = {0, *(text.find(each) for each in begun if each in text)}
                found += [f"raise {name}({text[at:]!r})" for at in sorted(places, reverse=True)]
        found += [f"raise {name}({text!r})" for name in self.raised(source)[:2] for text in self._sentences()]
        return [*found, *map(ast.unparse, raised)]

    def _raised(self, source: Source) -> list[str]:
        """Exception names that the file raises or catches, and those that the tests expect."""
        trees = [source.tree, *self.tests]
        names = [node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)]
        names = [name for name in names if name.endswith(("Error", "Exception", "StopIteration"))]
        return [name for name, _ in Counter(names).most_common()]

    def _calls_elsewhere(self, source: Source) -> list[str]:
        """The calls of one thing, beside constants, that a file makes of what is known at its top, commonest first:
        `Path({})`, `unicodedata.normalize("NFC", {})`."""
        known, found = self.known_at_top(source) - {*dir(builtins)}, Counter[str]()
        for node in ast.walk(source.tree):
            if isinstance(node, ast.Call) and not node.keywords and {one.id for one in _owners(node.func)} & known:
                given = [one for one in node.args if not isinstance(one, ast.Constant)]
                if len(given) == 1 and not isinstance(given[0], ast.Starred):
                    told = ["{}" if one is given[0] else source.cut(one) for one in node.args]
                    found[f"{source.cut(node.func)}({', '.join(told)})"] += 1
        return [text for text, _ in found.most_common() if text.count("{") == text.count("}") == 1]

    def definitions(self) -> list[str]:
        """Functions and classes at the top of the program's files."""
        kinds = (*FUNCTION_STATEMENTS, ast.ClassDef)
        return [node.name for source in self.sources.values() for node in source.tree.body if isinstance(node, kinds)]

    def _wanted_by_tests(self) -> list[str]:
        """Names that the tests import or use as attributes, and that the program does not define."""
        defined = set(self.definitions()) | set(self.methods())
        wanted = [alias.name for tree in self.tests for node in ast.walk(tree) if isinstance(node, ast.ImportFrom)
                  for alias in node.names]  # fmt: skip
        called = [node.func for tree in self.tests for node in ast.walk(tree) if isinstance(node, ast.Call)]
        wanted += [one.attr for one in called if isinstance(one, ast.Attribute) and not one.attr.startswith("assert")]
        return [name for name in dict.fromkeys(wanted) if name not in defined][:12]

    def _top_names(self, source: Source) -> set[str]:
        """Names that mean something everywhere in a file."""
        names = set(dir(builtins)) | set(self.globals_of(source))
        for node in _at_top(source.tree.body):
            if isinstance(node, ast.Import | ast.ImportFrom):
                names |= {(alias.asname or alias.name).split(".")[0] for alias in node.names}
            elif isinstance(node, (*FUNCTION_STATEMENTS, ast.ClassDef)):
                names.add(node.name)
        return names


def _at_top(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements of a file that run when it is imported, whichever way its branches go."""
    for one in body:
        yield one
        if isinstance(one, ast.Try | ast.If):
            parts = [one.body, one.orelse, *(each.body for each in getattr(one, "handlers", ()))]
            yield from (inner for part in parts for inner in _at_top(part))


def defaults_in(arguments: ast.arguments) -> Iterator[tuple[ast.arg, ast.expr]]:
    """The parameters that have a default, each with it."""
    some = [*arguments.posonlyargs, *arguments.args]
    pairs = zip(reversed(some), reversed(arguments.defaults), strict=False)
    pairs = chain(pairs, zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True))
    return ((one, default) for one, default in pairs if default is not None)


def _owners(function: ast.AST) -> Iterator[ast.Name]:
    """The name that what is called begins with: `codecs` of `codecs.lookup`."""
    while isinstance(function, ast.Attribute):
        function = function.value
    if isinstance(function, ast.Name):
        yield function


def bound_names(scope: ast.AST) -> list[str]:
    arguments = scope.args  # type: ignore[attr-defined]
    every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    names = [argument.arg for argument in every if argument is not None]
    inner = list(ast.walk(scope))
    stored = [node.id for node in inner if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    caught = [node.name for node in inner if isinstance(node, ast.ExceptHandler) and node.name]
    return list(dict.fromkeys(names + stored + caught))


def attributes_in(scope: ast.AST) -> Any:
    """For each object (as a dumped expression): which attributes are taken of it, counted."""
    found: dict[str, Counter[str]] = _Counters()
    for node in ast.walk(scope):
        if isinstance(node, ast.Attribute):
            found[ast.dump(node.value).replace("Store()", "Load()")][node.attr] += 1
    return found


class _Counters(dict[str, "Counter[str]"]):
    def __missing__(self, key: str) -> Counter[str]:
        self[key] = Counter()
        return self[key]


def strings_by_role(tree: ast.Module) -> Mapping[Any, Counter[str]]:
    """The short strings of a file, by where they stand."""
    found: dict[Any, Counter[str]] = defaultdict(Counter)
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and len(node.value) <= 40:
            found[role_of(node)][node.value] += 1
    return found


def role_of(node: ast.AST) -> Any:
    """Where a constant stands, alike for those that could be exchanged; for most places the node itself."""
    parent = node.parent
    if isinstance(parent, ast.Compare) and len(parent.comparators) == 1:
        return "compared", _subject(parent.left if node is not parent.left else parent.comparators[0])
    if isinstance(parent, ast.Subscript):
        return "item", _subject(parent.value)
    if isinstance(parent, ast.Call) and node in parent.args:
        return called_name(parent), parent.args.index(node)
    if isinstance(parent, ast.keyword):
        return "keyword", parent.arg
    if isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Mod) and node is parent.left:
        return "format", len(getattr(parent.right, "elts", [parent.right]))
    return node


def _asked_around(node: ast.AST) -> Iterator[ast.Constant]:
    """The constants that the branches of the chain around a node are chosen by: none asks for the same twice."""
    branch = enclosing(node, ast.If)
    while branch is not None and isinstance(branch.parent, ast.If) and branch in branch.parent.orelse:
        branch = branch.parent
    while isinstance(branch, ast.If):
        yield from (one for one in ast.walk(branch.test) if isinstance(one, ast.Constant))
        branch = branch.orelse[0] if branch.orelse else None


def _subject(node: ast.AST) -> str:
    """The name that an expression is about: `value` of `value[1]`, `kind` of `self.kind`."""
    while isinstance(node, ast.Subscript | ast.Call):
        node = node.value if isinstance(node, ast.Subscript) else node.func
    return getattr(node, "id", getattr(node, "attr", ""))


def count_constants(trees: Iterable[ast.AST]) -> list[Any]:
    counts: Counter[tuple[type, Any]] = Counter()
    for tree in trees:
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, int | float | str):
                counts[type(node.value), node.value] += 1
    return [value for (_, value), _ in counts.most_common()]
