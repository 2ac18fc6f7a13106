"""The operator's mind."""
