"""MCP's official conformance suite, run against our server (doors/mcp_http.py) and our client (reach/mcp_server.py)."""
