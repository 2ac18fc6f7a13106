"""What is outside of the process and of the working directory, each a value that is held and closed with the run."""
