"""What may be changed, and into what."""
