"""What both loops share. Nothing here knows an SDK or a provider."""
