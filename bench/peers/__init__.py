"""What stands beside this agent in the bench: bare SDK loops, and other agents at exact versions.

Each file is a script, `python <file> ADDRESS FOLDER PROMPT`: it does in FOLDER what the model at ADDRESS asks for.
Those that end with `coder` try the tasks of `bench models`, and are started as coding.py tells.
"""
