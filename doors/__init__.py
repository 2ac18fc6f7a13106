"""Other ways in: the Python interface, many people, our tools as an MCP server."""
