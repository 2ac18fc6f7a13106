"""The backend of the course library."""
