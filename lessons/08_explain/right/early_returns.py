import json


def explain(error, tool, arguments):
    text = "Error: " + tool["name"] + " was not run: " + error + "."
    names = list(tool["parameters"]["properties"])
    if len(names) == 0:
        text = text + " It takes no parameters."
    else:
        text = text + " Its parameters:"
        for name in names:
            kind = tool["parameters"]["properties"][name]["type"]
            if name in tool["parameters"]["required"]:
                text = text + " " + name + " (" + kind + ", required)"
            else:
                text = text + " " + name + " (" + kind + ", optional)"
    sent = json.dumps(arguments)
    if len(sent) > 60:
        sent = sent[:60] + "..."
    return text + " You sent: " + sent
