"""The coder's mind."""

TOOLS = frozenset(
    (
        "edit_file",
        "get_dir_info",
        "get_file_content",
        "run_python_file",
        "run_tests",
        "search_files",
        "write_file",
    )
)
