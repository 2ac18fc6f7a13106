# REASON: what is in TOOLS now
INFO = {"name": "my_agent", "version": "1"}
DIRECTORY = {"type": "object", "properties": {"directory": {"type": "string"}}, "required": ["directory"]}
LIST = {"name": "list_files", "description": "List a folder.", "inputSchema": DIRECTORY}
KNOWN = {
    "initialize": {"protocolVersion": "2025-06-18", "capabilities": {"tools": {}}, "serverInfo": INFO},
    "tools/list": {"tools": [LIST]},
    "tools/call": {"content": [{"type": "text", "text": "- main.py"}], "isError": False},
}


def answer(message):
    if "id" not in message:
        return None
    reply = {"jsonrpc": "2.0", "id": message["id"]}
    if message["method"] not in KNOWN:
        return {**reply, "error": {"code": -32601, "message": "no such method"}}
    return {**reply, "result": KNOWN[message["method"]]}
