# REASON: type
def explain(error, tool, arguments):
    takes = ", ".join(tool["parameters"]["properties"])
    return f"Error: {tool['name']} was not run: {error}. It takes {takes}"
