import json


def explain(error, tool, arguments):
    schema = json.dumps(tool["parameters"])
    return f"Error: {error}. {tool['name']} takes what this schema says: {schema}. You sent: {str(arguments)[:80]}"
