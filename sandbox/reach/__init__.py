"""The rest of the world, each part of it a value that is opened once, held, and closed with the run."""
