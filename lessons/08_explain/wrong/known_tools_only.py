# REASON: every parameter
import json

KNOWN = {
    "list_files": "directory: string (optional)",
    "read_file": "file_path: string (required), start_line: integer (optional)",
    "write_file": "file_path: string (required), content: string (required)",
}


def explain(error, tool, arguments):
    takes = KNOWN.get(tool["name"], "nothing")
    return f"Error: {tool['name']} was not run: {error}. It takes {takes}. You sent {json.dumps(arguments)[:100]}"
