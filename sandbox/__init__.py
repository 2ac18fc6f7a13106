"""What holds the tools in: the working directory as a value, and the walls around code that a model wrote."""
