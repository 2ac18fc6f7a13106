"""Explaining without a language model: what a function takes, returns, calls and raises, who uses it, what a file
defines, what a project is. All of it is read off the syntax and the docstrings; nothing is made up.
"""

from __future__ import annotations

import re

from offline.coder.bounds import definitions, meant
from offline.coder.describing import brief, described, described_briefly, module_brief
from offline.coder.reading import files_shown, listing, more_pages
from offline.coder.verifying import call
from offline.coder.wish import Wish
from offline.wire.conversation import Call, Conversation, Decision, Step

DEFINES = r"^\s*(async )?(def|class) {name}\b"
SUGGESTED = re.compile(r"Did you mean ([\w./-]+)\?")
MATCH = re.compile(r"^(?P<path>.+?):(?P<line>\d+): (?P<text>.*)$", re.MULTILINE)
MOST_LINES = 12


def plan_explain(wish: Wish, conversation: Conversation, *_: object) -> Decision:
    """Find the definition and the uses, read the file, tell what the syntax tells."""
    if not wish.name:
        return plan_outline(wish, conversation)
    last = wish.name.rpartition(".")[2]
    searched = conversation.results_of("search_files")
    if not searched:
        defined = {"query": DEFINES.format(name=last), "regex": True, "glob": "*.py"}
        used = {"query": rf"\b{last}\b", "regex": True, "glob": "*.py"}
        return Decision("", (Call("search_files", defined), Call("search_files", used)))
    paths = list(dict.fromkeys(match["path"] for match in MATCH.finditer(searched[0].result)))
    paths = [path for path in paths if not wish.path or path in meant(wish.path, dict.fromkeys(paths, ""))]
    if searched[0].failed or not paths:
        return Decision(f"There is no function or class {wish.name} in {wish.path or 'this project'}.")
    read = conversation.results_of("get_file_content")
    if not read:
        return Decision("", tuple(Call("get_file_content", {"file_path": path}) for path in paths[:3]))
    if pages := more_pages(read):
        return Decision("", pages)
    told = [
        described(node, inside, path)
        for path, text in files_shown(read).items()
        for inside, node in definitions(text)
        if node.name == last and wish.name in (node.name, f"{inside}.{node.name}")
    ]
    if not told:
        return Decision(f"There is no function or class {wish.name} in {', '.join(paths)}.")
    return Decision("\n\n".join([*told[:3], uses_in(searched[-1], last)]))


def plan_uses(wish: Wish, conversation: Conversation, *_: object) -> Decision:
    """Search for the name; the lines that use it, apart from those that define it."""
    last = wish.name.rpartition(".")[2]
    done = conversation.results_of("search_files")
    if not done:
        return call("search_files", query=rf"\b{last}\b", regex=True)
    return Decision(done[-1].result if done[-1].failed else uses_in(done[-1], last))


def uses_in(searched: Step, name: str) -> str:
    """The uses of a name among the lines that were found: calls first, then what else there is."""
    found = list(MATCH.finditer(searched.result))
    defines = re.compile(rf"\s*(?:async )?(?:def|class) {name}\b")
    uses = [
        one for one in found if not defines.match(one["text"]) and not re.match(r"\s*(?:from|import) ", one["text"])
    ]
    imports = list(dict.fromkeys(one["path"] for one in found if re.match(r"\s*(?:from|import) ", one["text"])))
    calling = [one for one in uses if re.search(rf"\b{name}\(", one["text"])]
    others = [one for one in uses if one not in calling]
    lines = []
    for heading, group in ((f"{name} is called here:", calling), ("It is also named here:", others)):
        lines += [heading, *(f"- {one[0].strip()}" for one in group[: 2 * MOST_LINES])] if group else []
        lines += [f"- and {len(group) - 2 * MOST_LINES} more"] if len(group) > 2 * MOST_LINES else []
    lines += [f"It is imported by {', '.join(imports)}."] if imports else []
    return "\n".join(lines) or f"Nothing uses {name}."


def plan_outline(wish: Wish, conversation: Conversation, *_: object) -> Decision:
    """What a file defines, or, without a file, what the whole project does."""
    if not wish.path:
        done = conversation.results_of("search_files")
        if not done:
            return call("search_files", query=r"^\s*(async )?(def|class) \w+", regex=True, glob="*.py")
        return Decision(done[-1].result)
    read = conversation.results_of("get_file_content")
    if reading := read_through(wish.path, read):
        return reading
    path, text = next(iter(files_shown(read).items()), (wish.path, ""))
    if not text:
        return Decision(read[-1].result)
    if not path.endswith(".py"):
        return Decision(f"{path} is not a Python file, so it has no functions.")
    lines = [
        f"{'  ' if inside else ''}- {described_briefly(node)}, line {node.lineno}{brief(node)}"
        for inside, node in definitions(text)
    ]
    about = module_brief(text)
    return Decision(
        "\n".join(
            [f"{path} {f'says of itself: {about}' if about else 'defines'}", *(lines or ["- no function and no class"])]
        )
    )


def read_through(path: str, read: list[Step]) -> Decision | None:
    """The calls that read a file to its end, by another path where the tool suggests one; None when it is read."""
    if not read:
        return call("get_file_content", file_path=path)
    suggested = SUGGESTED.search(read[-1].result) if read[-1].failed else None
    if suggested and len(read) == 1:
        return call("get_file_content", file_path=suggested[1])
    pages = more_pages(read)
    return Decision("", pages) if pages else None


def plan_about(wish: Wish, conversation: Conversation, *_: object) -> Decision:
    """What the project says of itself: its README, its modules, where it is started, how it is tested."""
    listed = conversation.results_of("get_dir_info")
    if not listed:
        guards = {"query": r"^if __name__ ==", "regex": True, "glob": "*.py"}
        docstrings = {"query": r'^[rR]?("""|\'\'\')', "regex": True, "glob": "*.py"}
        looks = [
            Call("get_dir_info", {"directory": "."}),
            Call("search_files", guards),
            Call("search_files", docstrings),
        ]
        return Decision("", tuple(looks))
    names = {entry.name: entry for entry in listing(listed[0])}
    read = conversation.results_of("get_file_content")
    wanted = [name for name in names if name.lower().startswith("readme")][:1] + [
        name for name in names if name == "pyproject.toml"
    ]
    if wanted and not read:
        return Decision("", tuple(Call("get_file_content", {"file_path": name}) for name in wanted))
    guards, docstrings = conversation.results_of("search_files")[:2]
    texts = files_shown(read)
    readme = next((text for path, text in texts.items() if path.lower().startswith("readme")), "")
    started = [match["path"] for match in MATCH.finditer(guards.result)]
    tests = [path for path in started if re.search(r"(^|/)tests?", path)]
    modules = {
        match["path"]: match["text"].strip(" \"'")
        for match in MATCH.finditer(docstrings.result)
        if match["line"] in "12"
    }
    parts = [
        beginning(readme),
        f"It is started with: {', '.join(f'python {path}' for path in started if path not in tests)}"
        if set(started) - set(tests)
        else "",
        "Its modules, as they say it themselves:\n"
        + "\n".join(f"- {path}: {said}" for path, said in sorted(modules.items()) if said)
        if modules
        else "",
        f"In its root are: {', '.join(f'{name}/' if entry.is_directory else name for name, entry in names.items())}.",
    ]
    return Decision("\n\n".join(filter(None, parts)) if names else "There is nothing here: the directory is empty.")


def beginning(readme: str) -> str:
    """The title and the first paragraph of a README."""
    blocks = [block.strip() for block in re.split(r"\n\s*\n", readme) if block.strip()]
    prose = [re.sub(r"^#+\s*", "", block) for block in blocks if not block.startswith(("```", "|", "[!", "<", "    "))]
    return "\n".join(prose[:2])[:800]
