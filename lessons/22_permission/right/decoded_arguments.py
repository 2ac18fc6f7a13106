import json

READS = {"get_dir_info", "get_file_content", "search_files"}  # what only looks is never asked about


def shown(name, arguments):
    """The call as one would write it in Python; as text where it is no JSON object."""
    try:
        given = json.loads(arguments)
        inner = ", ".join(f"{key!r}={value!r}" for key, value in given.items())
    except (ValueError, AttributeError):
        inner = repr(arguments)
    return f"{name!r}({inner})"


def permitted(call, ask, always):
    function = call["function"]
    asked = function["name"] not in [*READS, *always]
    question = f"Run {shown(**function)}?"
    said = "y" if not asked else "nobody is there" if ask is None else ask(question)
    word = said.strip().lower()
    always.extend([function["name"]] * (asked and word in ("a", "all")))
    return "" if word in ("y", "yes", "a", "all") else f"No permission for {function['name']}: {said!r}"
