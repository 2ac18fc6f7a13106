"""Operators that put in what is missing: a guard, an update, a return, a statement like its neighbours."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterator
from itertools import permutations, zip_longest

from ...reading.shapes import (
    FUNCTION_STATEMENTS,
    called_name,
    fit,
    function_of,
    in_handler,
    in_loop,
    indent_of,
    indented,
    insert_after,
    insert_before,
    is_docstring,
    lines_of,
    siblings,
    stands_alone,
    unit_of,
)
from ...reading.source import Source, enclosing
from ...reading.vocabulary import Vocabulary, answers, kept_to_itself, names_in, never_read, set_in, spoken_parts
from ..edits import Edit
from .analogy import above, by_analogy

FILLED_BY = {"list": "append", "set": "add"}
BEGUN = {"add": "set()", "append": "[]", "extend": "[]", "setdefault": "{}", "update": "set()"}  # by a method
MADE = 40  # calls that the file makes elsewhere, of what is here
MADE_ANOTHER = ("[{0}]", "list({0})", "str({0})", "int({0})", "({0},)")
TRUTHS = ("False", "True")
EMPTY_RESULTS = ("None", "[]", "0", "False", "True", '""', "{}", "-1", "1", "set()", "0.0", "()")


def missing_guard(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`if not items: return []` above a statement; `continue`, `break` or `raise` likewise."""
    if not _may_precede(node, source):
        return
    actions = _actions(node, source, words)
    conditions = [*words.questions_at(node)[:6], *words.conditions_at(node)][:30]
    if any("NoneType" in text for text in words.told):
        absent = [f"{name} is None" for name in words.names_in_scope(node)[:4] if name != "self"]
        conditions = list(dict.fromkeys([*absent, *conditions]))
    pairs = [(i + j, i, j) for i in range(len(conditions)) for j in range(len(actions))]
    for _, i, j in sorted(pairs)[:240]:
        yield insert_before(node, f"if {conditions[i]}:\n{unit_of(source)}{actions[j]}", source)


def missing_if(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`if condition:` around a statement."""
    if not stands_alone(node, source) or isinstance(node, (*FUNCTION_STATEMENTS, ast.ClassDef, ast.Return)):
        return
    if is_docstring(node) or function_of(node) is None:
        return
    if isinstance(node, ast.If) and source.text.startswith("elif", source.span(node)[0]):
        return
    start, end = lines_of(node, source)
    indent = indent_of(node, source)
    body = "".join(unit_of(source) + line if line.strip() else line for line in source.text[start:end].splitlines(True))
    block = siblings(node)
    rest = block[block.index(node) :]
    last = lines_of(rest[-1], source)[1] if stands_alone(rest[-1], source) else end
    tail = "".join(
        unit_of(source) + line if line.strip() else line for line in source.text[start:last].splitlines(True)
    )
    for condition in [*words.questions_at(node), *words.conditions_at(node)[:24]]:
        yield Edit(source.path, start, end, f"{indent}if {condition}:\n{body}")
        if len(rest) > 1:
            yield Edit(source.path, start, last, f"{indent}if {condition}:\n{tail}")


def missing_default(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`a / b` -> `a / b if b else 0`, `max(x)` -> `max(x) if x else 0`, `x[0]` -> `x[0] if x else None`."""
    if isinstance(node, ast.BinOp):
        if not isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
            return
        needed, defaults = node.right, ("0", "0.0", "None", "1")
    elif isinstance(node, ast.Call):
        if called_name(node) not in ("max", "min", "mean", "median") or len(node.args) != 1:
            return
        needed, defaults = node.args[0], ("0", "None", '""', "[]")
    else:
        if isinstance(node.ctx, ast.Store | ast.Del) or isinstance(node.slice, ast.Slice):
            return
        needed, defaults = node.value, ("None", '""', "0", "[]")
    if not isinstance(needed, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
        return
    for default in defaults:
        yield fit(node, f"{source.cut(node)} if {source.cut(needed)} else {default}", source)
    if isinstance(node, ast.Subscript):
        key = source.cut(node.slice)
        for default in defaults:
            yield fit(node, f"{source.cut(node.value)}.get({key}, {default})", source)


def missing_import(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`import math` at the top, for a module of the standard library that is used without."""
    if node.id not in sys.stdlib_module_names or node.id in words.known_at_top(source):
        return
    first = next(
        (one for one in source.tree.body if not is_docstring(one) and getattr(one, "module", "") != "__future__"), None
    )
    if first is not None and node.id not in words.names_in_scope(node):
        yield insert_before(first, f"import {node.id}", source)


def missing_control(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`break`, `continue` or a return at the end of a block in a loop."""
    if not stands_alone(node, source) or siblings(node)[-1] is not node or not in_loop(node):
        return
    if isinstance(node, ast.Return | ast.Break | ast.Continue | ast.Raise):
        return
    for text in ("break", "continue", "return"):
        yield insert_after(node, text, source)


def missing_return(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`return result` at the end of a block; names assigned in the function first."""
    last = siblings(node)[-1] is node and not isinstance(node, ast.Return | ast.Raise | ast.Break | ast.Continue)
    scope = function_of(node)
    if not last or scope is None or not stands_alone(node, source):
        return
    stored = [one.id for one in ast.walk(scope) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
    names = list(dict.fromkeys([*stored, *words.names_in_scope(node)]))
    at_end = isinstance(node.parent, FUNCTION_STATEMENTS)
    for value in [*names[:8], *_returned_values(scope), *EMPTY_RESULTS[:8]]:
        yield insert_after(node, f"return {value}", source)
    if isinstance(node, ast.Assign) and at_end:
        yield insert_after(node, f"return {source.cut(node.targets[0])}", source)


def missing_update(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """A count not raised, an element not added, a cursor not moved: below and above a statement."""
    if not stands_alone(node, source) or function_of(node) is None or is_docstring(node):
        return
    if isinstance(node, (*FUNCTION_STATEMENTS, ast.ClassDef)):
        return
    ends = isinstance(node, ast.Return | ast.Raise | ast.Break | ast.Continue)
    for text in _updates(node, source, words):
        yield insert_before(node, text, source)
        if not ends and siblings(node)[-1] is node:
            yield insert_after(node, text, source)


def missing_neighbour(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """A statement that the file has elsewhere, put above this one (or at the end of its block)."""
    if not _may_precede(node, source):
        return
    ends = isinstance(node, ast.Return | ast.Raise | ast.Break | ast.Continue)
    for text in [*above(node, source, words), *words.counterparts(node, source), *words.statements_for(node, source)]:
        yield insert_before(node, text, source)
        if not ends and siblings(node)[-1] is node:
            yield insert_after(node, text, source)


def in_place_of_pass(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """What `pass` may stand for: a way out, in a handler the error that it caught, a flag of the object, a parameter or
    a result that is used nowhere, a name that is declared and never set, an error, a statement of the file."""
    scope = function_of(node)
    if scope is None or not stands_alone(node, source):
        return
    unused, names = words.unused_parameters(scope), words.names_in_scope(node)
    pairs = zip_longest(words.bindings(node, source), by_analogy(node, source, words))
    options = [option for pair in pairs for option in pair if option]
    options += [*_taken_apart(node, source, words), *_lacking(node, source, words)]
    options += [f"{table}[{key}] = {value}" for table in _tables(node) for key, value in permutations(unused, 2)]
    options += ["continue", "break"] if in_loop(node) else []
    options += ["raise"] if in_handler(node) else []
    options += [f"self.{name} = {name}" for name in unused]
    options += _the_objects_own(node, words)
    kinds = {name: words.kind_of(node, name) for name in names}
    filled = [f"{name}.{FILLED_BY[kind]}" for name, kind in kinds.items() if kind in FILLED_BY]
    options += [f"{way}({name})" for name in never_read(scope) for way in filled if not way.startswith(f"{name}.")]
    options += _flags(node) + [f"{way} {name}" for name in never_read(scope) for way in ("return", "raise")]
    by_name = words.calls_by_name(node, source)
    options += [f"{name} = {call}" for name in [*words.unbound(), *_asked_below(node)] for call in by_name]
    options += [*by_name, *_made_another(node), *_steps(node, names)]
    options += [f"{name} = {value}" for name in _never_set(scope) for value in [*unused, *names]]
    options += [
        f"{a} = {a} or {b}" for a in names for b in names if spoken_parts(a) < spoken_parts(b) and spoken_parts(a)
    ]
    names, places = names[:8], words.places_in(scope, source)[:12]
    options += [f"{place} = {name}" for name in kept_to_itself(scope) for place in places if place != name]
    ends = [f"{name}[{end}]" for name, kind in kinds.items() if kind == "list" for end in (-1, 0)]
    gets = [place[:-1].replace("[", ".get(") + ")" for place in places if place.endswith("]") and place.count("[") == 1]
    values = [*words.made_by_own_methods(node), *EMPTY_RESULTS[:7], *ends, *gets, *places, *names]
    values += [f"{one}[{name}]" for one in places[:4] for name in names[:4]] + [f"list({one})" for one in places[:4]]
    calls = words.calls_of(source)
    for name in words.unbound():
        made = [call.format(one) for call in calls for one in words.names_in_scope(node)[:6] if one != name]
        options += [f"{name} = {value}" for value in [*_begun(name, scope), *made[:MADE], *values] if name != value]
    for name in words.unbound():  # `encoding = own_encoding or usual_encoding`
        like = [one for one in names if one != name and spoken_parts(name) <= spoken_parts(one)]
        options += [f"{name} = {a} or {b}" for a in like for b in like if a != b]
    options += [option for pair in zip_longest(_actions(node, source, words), words.raises(source)[:20],
                                               words.statements_for(node, source), _updates(node, source, words)[:60])
                for option in pair if option]  # fmt: skip
    for option in dict.fromkeys(options):
        yield source.replace(node, option)


def _taken_apart(node: ast.AST, source: Source, words: Vocabulary) -> list[str]:
    """Several names that have no value as the parts of what may have so many: a parameter that is used nowhere before
    all else, `whole, first = match.groups()`. Where one statement is gone, it was the one that set them all."""
    scope, names = function_of(node), words.names_in_scope(node)
    known = {*names, *set_in(scope), *words.known_at_top(source), *dir(builtins)}
    known |= {one.arg for one in ast.walk(scope) if isinstance(one, ast.arg)}
    lacking = dict.fromkeys(one.id for one in names_in(scope) if one.id not in known)
    if len(lacking) not in (2, 3) or not lacking.keys() & {*words.unbound()}:
        return []
    places = words.places_in(scope, source)[:12]
    values = [
        value.format(one) for one in words.unused_parameters(scope) or names[:8] for value in ("{}.groups()", "{}")
    ]
    values += [f"{place}[{one} : {one} + {len(lacking)}]" for place in places for one in set_in(scope)[:4]] + places
    return [f"{', '.join(order)} = {value}" for value in values for order in permutations(lacking)]


def _the_objects_own(node: ast.AST, words: Vocabulary) -> list[str]:
    """A value for each name that had none, where the object has a field or a method (a property, say) of that name."""
    around = enclosing(node, ast.ClassDef)
    methods = [one.name for one in around.body if isinstance(one, ast.FunctionDef)] if around else []
    own = {*words.self_fields(node), *methods}
    return [f"{name} = self.{name}" for name in words.unbound() if name in own]


def _tables(node: ast.AST) -> list[str]:
    """Fields of the object that its class takes items of: `self.names` where it asks for `self.names[key]`."""
    around = enclosing(node, ast.ClassDef)
    taken = (one.value for one in ast.walk(around or node) if isinstance(one, ast.Subscript))
    return [text for text in dict.fromkeys(map(ast.unparse, taken)) if text.startswith("self.")][:3]


def _made_another(node: ast.AST) -> list[str]:
    """What the branch around asks about, as something of another kind: `if isinstance(a, int): a = [a]`."""
    around = enclosing(node, ast.If)
    names = dict.fromkeys(one.id for one in ast.walk(around.test) if isinstance(one, ast.Name)) if around else {}
    return [f"{name} = {made.format(name)}" for name in names for made in MADE_ANOTHER]


def _asked_below(node: ast.AST) -> list[str]:
    """The fields that the next statement asks about: `self.file` before `if not self.file:`."""
    block = siblings(node)
    below = block[block.index(node) + 1 :]
    test = getattr(below[0], "test", None) if below else None
    asked = (one for one in ast.walk(test) if isinstance(one, ast.Attribute)) if test else ()
    return [text for one in asked if (text := ast.unparse(one)).startswith("self.")]


def _steps(node: ast.AST, names: list[str]) -> list[str]:
    """What goes on with each round of the loop around: `inner = inner[key]`."""
    around = enclosing(node, ast.For)
    keys = [one.id for one in names_in(around.target)] if around else []
    return [f"{name} = {name}[{key}]" for key in keys for name in names[:8] if name not in keys]


def _flags(node: ast.AST) -> list[str]:
    """What else the flags of an object can be: `self.opened = False` where they are True elsewhere."""
    around = enclosing(node, ast.ClassDef)
    set_at = (one for one in ast.walk(around or node) if isinstance(one, ast.Assign) and len(one.targets) == 1)
    found = {ast.unparse(one.targets[0]): one.value.value for one in set_at if isinstance(one.value, ast.Constant)}
    flags = [(place, value) for place, value in found.items() if isinstance(value, bool)]
    return [f"{place} = {not value}" for place, value in flags if place.startswith("self.")]


def _begun(name: str, scope: ast.AST) -> list[str]:
    """What a name begins with, by what is done to it: `seen = set()` where there is `seen.add(one)`."""
    uses = [one.parent for one in names_in(scope) if one.id == name]
    done = {one.attr for one in uses if isinstance(one, ast.Attribute)}
    items = any(isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store) for one in uses)
    return [text for method, text in BEGUN.items() if method in done] + ["{}"] * items


def _never_set(scope: ast.AST) -> list[str]:
    """Names that a function declares global or nonlocal and does not set."""
    declared = [name for one in ast.walk(scope) if isinstance(one, ast.Global | ast.Nonlocal) for name in one.names]
    return [name for name in declared if name not in set_in(scope)]


def missing_else(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`else:` with a statement that the function has elsewhere."""
    if node.orelse or not stands_alone(node.body[-1], source):
        return
    end = source.line_end(node.end_lineno or node.lineno)
    indent = indent_of(node, source)
    if indent.strip() or not source.text[:end].endswith("\n"):
        return
    for text in [*words.statements_for(node, source)[:12], *_actions(node, source, words)[:6]]:
        inner = indented(text, indent + unit_of(source))
        yield Edit(source.path, end, end, f"{indent}else:\n{inner}")


def missing_super(node: ast.AST, source: Source, words: Vocabulary) -> Iterator[Edit]:
    """`super().__init__(...)` at the top of a method that overrides one."""
    if not isinstance(node.parent, ast.ClassDef) or not node.parent.bases or node.args.args[:1] == []:
        return
    names = [argument.arg for argument in node.args.args[1:]]
    body = node.body[1:] if is_docstring(node.body[0]) and len(node.body) > 1 else node.body
    if not stands_alone(body[0], source):
        return
    for count in [len(names), *range(len(names))]:
        yield insert_before(body[0], f"super().{node.name}({', '.join(names[:count])})", source)


def _may_precede(node: ast.AST, source: Source) -> bool:
    """Whether a new statement can stand above this one."""
    if isinstance(node, (*FUNCTION_STATEMENTS, ast.ClassDef)) or is_docstring(node):
        return False
    is_elif = isinstance(node, ast.If) and source.text.startswith("elif", source.span(node)[0])
    return not is_elif and stands_alone(node, source) and function_of(node) is not None


def _actions(node: ast.AST, source: Source, words: Vocabulary) -> list[str]:
    """What a guard does, likeliest first: leave the loop's round, return what the function returns elsewhere, raise."""
    scope = function_of(node)
    if scope is None:
        return []
    returns = [f"return {value}" for value in _returned_values(scope)]
    raises = [*words.raises(source)]
    raises += [f'raise {name}("invalid value")' for name in words.raised(source)[:3]]
    control = ["continue", "break"] if in_loop(node) else []
    names = [f"return {name}" for name in words.names_in_scope(node)[:4] if name != "self"]
    rest = [f"return {value}" for value in (*(TRUTHS if answers(scope) else ()), *EMPTY_RESULTS)]
    nothing = [] if any(one != "return None" for one in returns) else ["return"]
    options = [
        *control[:1],
        *returns[:3],
        *nothing,
        *raises[:3],
        *control[1:],
        *rest[:5],
        *names,
        *rest[5:],
        *returns[3:],
    ]
    return list(dict.fromkeys(option for option in options if len(option) <= 80))


def _returned_values(scope: ast.AST) -> list[str]:
    values = [one.value for one in ast.walk(scope) if isinstance(one, ast.Return) and one.value is not None]
    return list(dict.fromkeys(text for text in map(ast.unparse, values) if len(text) <= 30))


def _updates(node: ast.AST, source: Source, words: Vocabulary) -> list[str]:
    """Updates that the names at a node suggest."""
    names = [name for name in words.names_in_scope(node) if name != "self"]
    kinds = {name: words.kind_of(node, name) for name in names}
    places = words.places_in(function_of(node), source)
    holders = list(
        dict.fromkeys([*names[:14], *places[:10], *(f"self.{name}" for name in words.self_fields(node)[:8])])
    )
    values = [name for name in names if kinds[name] in ("number", "text", "")][:6]
    updates = _lacking(node, source, words)
    for holder in holders:
        updates += _updates_of(holder, kinds.get(holder, ""), values)
    plain = [*values, *places[:8]]
    for holder in holders[:16]:
        updates += [f"{holder} = {value}" for value in plain if value != holder]
        updates += [f"{holder} {sign} {value}" for value in plain[:8] if value != holder for sign in ("+=", "-=")]
    if isinstance(node.parent, ast.While):  # a loop that never ends: what its condition names comes first
        tested = {one.id for one in ast.walk(node.parent.test) if isinstance(one, ast.Name)}
        updates.sort(key=lambda text: text.split(" ")[0] not in tested)
    return list(dict.fromkeys(updates))


def _lacking(node: ast.AST, source: Source, words: Vocabulary) -> list[str]:
    """Fields that failing tests did not find, as what is called like them, the beginning of something, or what the
    function deals with."""
    in_scope, found = words.names_in_scope(node), list[str]()
    for name in words.lacking() if "self" in in_scope else ():
        given = [one for one in in_scope if one.strip("_") == name.strip("_")]
        held = words.places_in(function_of(node), source)[:8]
        found += [f"self.{name} = {value}" for value in (*given, *EMPTY_RESULTS[:7], *held)]
    return found


def _updates_of(holder: str, kind: str, values: list[str]) -> list[str]:
    """Updates of one variable or field, by the kind of its value."""
    others = [value for value in values if value != holder]
    updates = []
    if kind in ("number", ""):
        updates += [f"{holder} += 1", f"{holder} -= 1", f"{holder} = 0", f"{holder} = -{holder}"]
    if kind in ("list", ""):
        updates += [f"{holder}.append({value})" for value in others]
        updates += [f"{holder} = []", f"{holder}.pop()", f"{holder}.clear()", f"{holder}.sort()"]
    if kind in ("set", ""):
        updates += [f"{holder}.add({value})" for value in others]
    if kind == "text":
        updates += [f"{holder} += {value}" for value in others] + [f'{holder} = ""']
    return updates
