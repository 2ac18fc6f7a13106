# REASON: every parameter
def explain(error, tool, arguments):
    takes = ", ".join(tool["parameters"]["required"])
    return f"Error: {tool['name']} was not run: {error}. It takes {takes} (string)"
