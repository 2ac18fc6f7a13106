def explain(error, tool, arguments):
    """Required ones bare, those that may be left out with a question mark."""
    needed = set(tool["parameters"]["required"])
    parts = [
        name + ("" if name in needed else "?") + ": " + kind["type"]
        for name, kind in tool["parameters"]["properties"].items()
    ]
    sent = ", ".join(f"{name}={str(value)[:30]!r}" for name, value in arguments.items())
    lines = [
        f"Error: {tool['name']}({sent[:120]}) was not run, as {error}.",
        f"Right: {tool['name']}({', '.join(parts)})",
    ]
    return "\n".join(lines) + "\nA name with ? may be left out."
