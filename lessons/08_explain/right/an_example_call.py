EXAMPLES = {"string": "a text", "integer": "a number", "boolean": "true or false"}


def explain(error, tool, arguments):
    """As a call that the model could copy; what it need not send stands in brackets."""
    shown = []
    for name, kind in tool["parameters"]["properties"].items():
        part = f'"{name}": {EXAMPLES[kind["type"]]}'
        shown.append(part if name in tool["parameters"]["required"] else f"[{part}]")
    sent = {name: value if len(str(value)) < 40 else str(value)[:40] + "..." for name, value in arguments.items()}
    return f"Error: {error} (in {tool['name']}). Write {{{', '.join(shown)}}} and not {str(sent)[:150]}"
