"""Why an answer does not fit its response model: the field, the model and the place, from the error and the source."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from offline.librarian.causes import Cause, Function, functions_in, serves

ERROR = "ResponseValidationError"
_PLACE = re.compile(r"""'loc': \('response',? ?([^)]*)\)(?:, 'msg': (?:'([^'\n]*)'|"([^"\n]*)"))?""")
_STEP = re.compile(r"'([^'\n]+)'")
_NO_MODEL = ("List", "Optional", "Union", "Annotated", "Any", "None", "Literal", "Response")
_MAY_BE_NONE = re.compile(r"\b(None|Optional|Any)\b")

Classes = Mapping[str, tuple[str, ast.ClassDef]]  # by name: the file, and where it is defined


@dataclass(frozen=True)
class Misfit:
    """A field that an answer has wrong, and the model that wants it."""

    field: str
    model: str
    place: str  # of the field in the model, else of the model
    why: str


def misfit_of(sources: Mapping[str, str], path: str, error: str) -> tuple[str, str, Cause, str] | None:
    """The file and the name of the function that answers a path, what it returns and why that does not fit, and where
    the model wants it; None where the source shows no such thing. `error` is what the API answered: where it names
    fields they are taken, else what is returned is held against the model."""
    classes = {each.name: (file, each) for file, text in sources.items() for each in classes_in(text)}
    error = error.replace("\\'", "'")  # as a text within a text
    named = re.search(r", line \d+, in (\w+)", error)
    for file, text in sources.items():
        for function in functions_in(text):
            model = model_of(function)
            if model not in classes or not (serves(function, path) or named and function.name == named[1]):
                continue
            for value in returned(function):
                misfits = [*told(error, model, classes)] or [*lacking(value, model, classes)]
                if misfits:
                    return file, function.name, _cause(text, function, value, misfits), misfits[0].place
    return None


def classes_in(text: str) -> Iterator[ast.ClassDef]:
    try:
        yield from (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ClassDef))
    except (SyntaxError, ValueError, RecursionError):
        return


def model_of(function: Function) -> str:
    """The class that an answer must fit: what the decorator says, else what the function says that it returns; "" for
    none."""
    said = [
        each.value
        for decorator in function.decorator_list
        if isinstance(decorator, ast.Call)
        for each in decorator.keywords
        if each.arg == "response_model"
    ]
    return _class_in(said[0] if said else function.returns)


def returned(function: Function) -> Iterator[ast.expr]:
    """What a function returns: of a name the value that it was given, if it was given one here."""
    given = {
        target.id: node.value
        for node in ast.walk(function)
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    for node in ast.walk(function):
        if isinstance(node, ast.Return) and node.value is not None:
            yield given.get(node.value.id, node.value) if isinstance(node.value, ast.Name) else node.value


def told(error: str, model: str, classes: Classes) -> Iterator[Misfit]:
    """The fields that the API's own error names, each once."""
    seen: set[tuple[str, str]] = set()
    for found in _PLACE.finditer(error):
        owner, steps = model, _STEP.findall(found[1])
        for step in steps[:-1]:
            field = field_of(step, owner, classes)
            owner = (_class_in(field[1].annotation) if field else "") or owner
        if steps and (owner, steps[-1]) not in seen:
            seen.add((owner, steps[-1]))
            yield _misfit(steps[-1], owner, classes, f"{found[2] or found[3] or 'it does not fit'}")


def lacking(value: ast.expr, model: str, classes: Classes) -> Iterator[Misfit]:
    """The fields that a model requires and that a dict which is returned does not have, or has as None."""
    for each in _dicts(value):
        keys = {key.value: given for key, given in zip(each.keys, each.values, strict=True) if _is_text(key)}
        for name, field in fields_of(model, classes).items() if len(keys) == len(each.keys) else ():
            given = keys.get(name)
            if given is None and field.value is None:
                yield _misfit(name, model, classes, "it is required, and not there")
            if isinstance(given, ast.Dict):
                yield from lacking(given, _class_in(field.annotation), classes)
            is_none = isinstance(given, ast.Constant) and given.value is None
            if is_none and not _MAY_BE_NONE.search(ast.unparse(field.annotation)):
                yield _misfit(name, model, classes, "it may not be None")


def fields_of(model: str, classes: Classes) -> dict[str, ast.AnnAssign]:
    """The fields of a model by their names, with those of the classes that it is made from."""
    if model not in classes:
        return {}
    node, found = classes[model][1], dict[str, ast.AnnAssign]()
    for base in node.bases:
        name = ast.unparse(base).rpartition(".")[2]
        found |= fields_of(name, classes) if name != model else {}
    own = (each for each in node.body if isinstance(each, ast.AnnAssign))
    return found | {each.target.id: each for each in own if isinstance(each.target, ast.Name)}


def field_of(name: str, model: str, classes: Classes) -> tuple[str, ast.AnnAssign] | None:
    """The file and the line of a field, also of one that a model has from another."""
    field = fields_of(model, classes).get(name)
    owner = next((file for file, node in classes.values() if field in node.body), "")
    return (owner, field) if field else None


def _misfit(name: str, model: str, classes: Classes, why: str) -> Misfit:
    found = field_of(name, model, classes)
    file, line = (found[0], found[1].lineno) if found else (classes[model][0], classes[model][1].lineno)
    return Misfit(name, model, f"{file}:{line}", why)


def _cause(text: str, function: Function, value: ast.expr, misfits: list[Misfit]) -> Cause:
    wrong = "; ".join(f"`{each.field}` of `{each.model}` ({each.place}): {each.why}" for each in misfits)
    first = misfits[0]
    lines = text.splitlines()
    shown = {*range(function.lineno, function.body[0].lineno), *range(value.lineno, (value.end_lineno or 0) + 1)}
    return Cause(
        value.lineno,
        ast.unparse(value),
        f"That does not fit its response model: {wrong}.",
        f"Remedy: return a `{first.field}` that fits, or let `{first.model}` go without it.",
        "\n".join(lines[number - 1] for number in sorted(shown)),
        does="returns",
    )


def _class_in(annotation: ast.expr | None) -> str:
    """`Item` of `list[Item]`, `schemas.Item | None` or `"Item"`."""
    names = re.findall(r"\b[A-Z]\w*", ast.unparse(annotation)) if annotation else []
    return next((name for name in names if name not in _NO_MODEL), "")


def _dicts(value: ast.expr) -> Iterator[ast.Dict]:
    if isinstance(value, ast.Dict):
        yield value
    elif isinstance(value, ast.List):
        yield from (each for part in value.elts for each in _dicts(part))
    elif isinstance(value, ast.ListComp):
        yield from _dicts(value.elt)


def _is_text(key: ast.expr | None) -> bool:
    return isinstance(key, ast.Constant) and isinstance(key.value, str)
