"""The librarian's tools: a project's documents, its source, and its running API."""
