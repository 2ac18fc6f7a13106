# REASON: every parameter
def explain(error, tool, arguments):
    return f"Error: {tool['name']} was not run: {error}"
