"""Lesson 22: a file that gives orders."""

READS = {"get_dir_info", "get_file_content", "search_files"}  # what only looks is never asked about


def permitted(call, ask, always):
    """Return "" when a call may run, else what to tell the model. ask(question) is the person; None: nobody is there.
    `always` is a list of the tools that the person has allowed once and for all."""
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    if name in READS or name in always:
        return ""
    if ask is None:
        return "Nobody is there to allow this call; answer with what you know."
    said = ask(f"May it run {name!r} with {arguments!r}?").strip()
    if said.lower() in ("y", "yes"):
        return ""
    if said.lower() in ("a", "all"):
        always.append(name)
        return ""
    return f"The person did not allow this call, and typed: {said}"
