import textwrap


def explain(error, tool, arguments):
    lines = [f"Error: {error}", f"tool: {tool['name']}", "parameters:"]
    for name, about in tool["parameters"]["properties"].items():
        must = "required" if name in tool["parameters"]["required"] else "optional"
        lines.append(f"  {name} ({must}) of type {about['type']}")
    lines.append("you sent: " + textwrap.shorten(str(arguments), 90))
    return "\n".join(lines)
