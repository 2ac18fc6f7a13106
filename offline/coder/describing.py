"""What the syntax and the docstring of a function, a class or a module tell, in words."""

from __future__ import annotations

import ast

from offline.coder.bounds import Definition

MOST_ITEMS = 12
Nodes = ast.FunctionDef | ast.AsyncFunctionDef


def described(node: Definition, inside: str, path: str) -> str:
    """A function or class in a paragraph: its signature, its docstring, what it takes, returns, calls and raises."""
    name = f"{inside}.{node.name}" if inside else node.name
    docstring = (ast.get_docstring(node) or "").split("\n\n")[0]
    head = f"{name} is {kind_of(node, inside)} in {path}, line {node.lineno}."
    if isinstance(node, ast.ClassDef):
        methods = [one for one in node.body if isinstance(one, Nodes)]
        lines = [f"- {signature(one)}{brief(one)}" for one in methods]
        bases = ", ".join(ast.unparse(base) for base in node.bases)
        return "\n".join(filter(None, (head, docstring, bases and f"It builds on {bases}.", "Its methods:", *lines)))
    parts = {
        "It takes": takes(node, inside),
        "It returns": returns(node),
        "It calls": calls(node),
        "It raises": raises(node),
    }
    told = [f"{what}: {', '.join(items)}" for what, items in parts.items() if items]
    missing = "" if parts["It returns"] else "It returns nothing (None)."
    return "\n".join(filter(None, (head, f"  {signature(node)}", docstring, *told, missing)))


def kind_of(node: Definition, inside: str) -> str:
    if isinstance(node, ast.ClassDef):
        return "a class"
    asynchronous = "an asynchronous " if isinstance(node, ast.AsyncFunctionDef) else "a "
    return f"{asynchronous}{'method' if inside else 'function'}"


def signature(node: Nodes) -> str:
    returned = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    return f"{node.name}({ast.unparse(node.args)}){returned}"


def brief(node: Definition) -> str:
    docstring = ast.get_docstring(node)
    return f": {docstring.splitlines()[0]}" if docstring else ""


def takes(node: Nodes, inside: str) -> list[str]:
    """The parameters, with their annotations, and which may be left out."""
    arguments = node.args
    plain = [*arguments.posonlyargs, *arguments.args]
    optional = {one.arg for one in plain[len(plain) - len(arguments.defaults) :]} if arguments.defaults else set()
    optional |= {one.arg for one, default in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True) if default}
    if inside and plain and plain[0].arg in ("self", "cls"):
        plain = plain[1:]
    named = [
        ast.unparse(one) + (" (may be left out)" if one.arg in optional else "")
        for one in (*plain, *arguments.kwonlyargs)
    ]
    named += [f"*{arguments.vararg.arg}"] if arguments.vararg else []
    return [*named, *([f"**{arguments.kwarg.arg}"] if arguments.kwarg else [])]


def own(node: ast.AST) -> list[ast.AST]:
    """The nodes of a function without the functions inside it, in the order of the text."""
    found: list[ast.AST] = []
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, Definition | ast.Lambda):
            found += [child, *own(child)]
    return found


def returns(node: Nodes) -> list[str]:
    nodes = [one for statement in node.body for one in (statement, *own(statement))]
    values = [f"`{ast.unparse(one.value)}`" for one in nodes if isinstance(one, ast.Return) and one.value]
    yields = [f"yields `{ast.unparse(one.value)}`" for one in nodes if isinstance(one, ast.Yield) and one.value]
    return list(dict.fromkeys((*values, *yields)))[:MOST_ITEMS]


def calls(node: Nodes) -> list[str]:
    names = [ast.unparse(one.func) for one in own(node) if isinstance(one, ast.Call)]
    raised = {
        ast.unparse(one.exc.func) for one in own(node) if isinstance(one, ast.Raise) and isinstance(one.exc, ast.Call)
    }
    return [name for name in dict.fromkeys(names) if name not in raised and len(name) < 60][:MOST_ITEMS]


def raises(node: Nodes) -> list[str]:
    raised = [one for statement in node.body for one in (statement, *own(statement)) if isinstance(one, ast.Raise)]
    return list(dict.fromkeys(f"`{ast.unparse(one.exc)}`" if one.exc else "what it caught" for one in raised))[
        :MOST_ITEMS
    ]


def described_briefly(node: Definition) -> str:
    return f"class {node.name}" if isinstance(node, ast.ClassDef) else signature(node)


def module_brief(text: str) -> str:
    try:
        return (ast.get_docstring(ast.parse(text)) or "").split("\n\n")[0].replace("\n", " ")
    except (SyntaxError, ValueError):
        return ""
