import json

from dispatch import TOOLS, call_tool
from menu import schema


class Server:
    version = "2026-07-28"
    fresh = {"ttlMs": 5, "cacheScope": "public"}

    def on_server_discover(self, **_):
        return {"supportedVersions": [self.version], "capabilities": {"tools": {}}, **self.fresh}

    def on_tools_list(self, **_):
        return {"tools": [self.described(**schema(tool)) for tool in TOOLS.values()], **self.fresh}

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
        spoken = message["params"]["_meta"].get("io.modelcontextprotocol/protocolVersion")
        if spoken != SERVER.version:
            problem = {"code": -32022, "message": "no", "data": {"supported": [SERVER.version], "requested": spoken}}
            return {"jsonrpc": "2.0", "id": message["id"], "error": problem}
        result = {"resultType": "complete"} | handler(**message.get("params", {}))
        return {"jsonrpc": "2.0", "id": message["id"], "result": result}
