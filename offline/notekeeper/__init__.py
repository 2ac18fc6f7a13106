"""What the notekeeper's mind is made of: what is asked (wishes.py), and what matters in a text (extract.py)."""

TOOLS = frozenset(
    ("kb_*", "get_kb_structure", "save_note", "move_note", "delete_*", "create_folder", "write_file", "edit_file")
    + ("git_*", "*_github_*", "comment_on_issue", "fetch_url", "web_search", "*_memory", "list_categories", "plan")
)
