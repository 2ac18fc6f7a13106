"""What is read before anything is tried: files, tests, words, what a person said."""
