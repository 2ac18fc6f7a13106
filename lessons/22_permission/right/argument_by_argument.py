import json

READS = ("get_dir_info", "get_file_content", "search_files")


def permitted(call, ask, always):
    name = call["function"]["name"]
    free = name in READS or any(name == other for other in always)
    if free:
        return ""
    if ask is None:
        return "It was not run, for there is no person to ask."
    try:
        given = json.loads(call["function"]["arguments"])
        parts = [f"{key!r} = {value!r}" for key, value in given.items()]
    except (ValueError, AttributeError):
        parts = ["not as data, but " + repr(call["function"]["arguments"])]
    said = ask(f"{name!r}: {', '.join(parts)}. All right?")
    word = said.strip().casefold()
    if word in ("a", "all"):
        always[len(always) :] = [name]
    if word in ("y", "yes", "a", "all"):
        return ""
    return f"It was not run. The person typed {said.strip()!s}" if word else "It was not run: no yes was typed."
