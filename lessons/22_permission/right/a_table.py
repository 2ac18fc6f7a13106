import json

READS = ["get_dir_info", "get_file_content", "search_files"]
ANSWERS = {"y": "once", "yes": "once", "a": "all", "all": "all", "n": "no", "no": "no", "": "no"}


def permitted(call, ask, always):
    function = call["function"]
    if function["name"] in READS + always:
        return ""
    if not ask:
        return "This needs a person's consent, and there is none to ask."
    typed = ask(json.dumps({"may it run": function["name"], "with": function["arguments"]})).strip()
    meant = ANSWERS.get(typed.lower(), typed)
    if meant == "all":
        always.append(function["name"])
    return "" if meant in ("once", "all") else f"They said no to this call: {meant}"
