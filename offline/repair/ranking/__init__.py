"""Which place is suspicious, which change is likely, which passing one to trust."""
