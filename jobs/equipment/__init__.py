"""What any job may have beside its own tools: MCP servers and skills."""
