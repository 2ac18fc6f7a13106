"""Lesson 22: a file that gives orders."""

READS = {"get_dir_info", "get_file_content", "search_files"}  # what only looks is never asked about


def permitted(call, ask, always):
    """Return "" when a call may run, else what to tell the model. ask(question) is the person; None: nobody is there.
    `always` is a list of the tools that the person has allowed once and for all."""
    name, arguments = call["function"]["name"], call["function"]["arguments"]
    raise NotImplementedError("look for a reason to run it unasked, then ask, then read the answer")
