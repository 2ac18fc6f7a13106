import json


def cut(value, most=30):
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) <= most else f"{text[:most]}... ({len(text)} characters)"


def explain(error, tool, arguments):
    properties = tool["parameters"]["properties"]
    required = set(tool["parameters"]["required"])
    optional = properties.keys() - required
    takes = ", ".join(
        f"{n} ({properties[n]['type']}, {'optional' if n in optional else 'required'})" for n in properties
    )
    sent = ", ".join(f"{key}={cut(value)}" for key, value in arguments.items()) or "nothing"
    return f"Error: {tool['name']}: {error}. It takes {takes or 'nothing'}. You sent {sent[:150]}."
