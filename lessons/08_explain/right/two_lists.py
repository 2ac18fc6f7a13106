import json


def explain(error, tool, arguments):
    properties, required = tool["parameters"]["properties"], tool["parameters"]["required"]

    def named(names):
        return ", ".join(f"{name} [{properties[name]['type']}]" for name in names) or "nothing"

    others = [name for name in properties if name not in required]
    sent = json.dumps(arguments, ensure_ascii=False)
    if len(sent) > 120:
        sent = sent[:100] + "..." + sent[-10:]
    return (
        f"Error: the call of {tool['name']} does not fit: {error}. It must have: {named(required)}. "
        f"It may have: {named(others)}. Yours was {sent}"
    )
