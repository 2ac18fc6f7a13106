"""The librarian's mind."""

TOOLS = frozenset(("list_files", "read_file", "search_docs", "query_api"))
