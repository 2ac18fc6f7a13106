"""Measurements of the project: speed and quality."""
