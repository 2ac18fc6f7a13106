import json

READS = {"get_dir_info", "get_file_content", "search_files"}  # what only looks is never asked about


class Refused(Exception):
    """What to tell the model."""


def decide(name, arguments, ask, always):
    if name in READS | set(always):
        return
    if not callable(ask):
        raise Refused(f"{name} changes something, and nobody is there who could allow that")
    said = ask(f"{json.dumps({'tool': name, 'arguments': arguments})} - y, a, or n?")
    if (word := said.strip().casefold()) in {"a", "all"}:
        always += [name]
    elif word not in {"y", "yes"}:
        raise Refused(f"{name} was not allowed: {said!r} was the answer")


def permitted(call, ask, always):
    try:
        decide(**call["function"], ask=ask, always=always)
    except Refused as reason:
        return str(reason)
    return ""
