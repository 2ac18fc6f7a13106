import json

READS = {"get_dir_info", "get_file_content", "search_files"}  # what only looks is never asked about


def permitted(call, ask, always):
    name = call["function"]["name"]
    arguments = call["function"]["arguments"]
    if name in READS:
        return ""
    if name in always:
        return ""
    if ask == None:  # noqa: E711
        return "Not allowed, because nobody can be asked."
    question = "The agent wants to run " + json.dumps(name) + " with the arguments " + json.dumps(arguments) + ". OK?"
    reply = ask(question)
    word = reply.lower()
    word = word.strip()
    if word == "y":
        return ""
    elif word == "yes":
        return ""
    elif word == "a":
        always.append(name)
        return ""
    elif word == "all":
        always.append(name)
        return ""
    else:
        return "Not allowed. The person typed: " + reply
