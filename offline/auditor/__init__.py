"""The auditor's mind."""

TOOLS = frozenset(("schema_sample", "run_query", "get_stats", "write_finding", "verdict"))
