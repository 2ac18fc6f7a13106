import json

from dispatch import TOOLS, call_tool
from menu import schema


class Server:
    version = "2025-06-18"

    def on_initialize(self, protocolVersion=version, **_):
        info = {"name": "a class", "title": "A class", "version": "3"}
        return {"protocolVersion": protocolVersion, "capabilities": {"tools": {}}, "serverInfo": info}

    def on_tools_list(self, **_):
        return {"tools": [self.described(**schema(tool)) for tool in TOOLS.values()]}

    def described(self, name, description, parameters):
        return {"name": name, "description": description, "inputSchema": parameters}

    def on_tools_call(self, name, arguments=None, **_):
        text = call_tool(name, json.dumps(arguments or {}))
        return {"content": [{"type": "text", "text": text}], "isError": text.startswith("Error: ")}


SERVER = Server()


def answer(message):
    if "id" in message:
        handler = getattr(SERVER, "on_" + message["method"].replace("/", "_"), None)
        if handler is None:
            problem = {"code": -32601, "message": f"unknown method: {message['method']}"}
            return {"jsonrpc": "2.0", "id": message["id"], "error": problem}
        return {"jsonrpc": "2.0", "id": message["id"], "result": handler(**message.get("params", {}))}
