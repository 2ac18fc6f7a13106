"""What an agent is for: coder.py, and one folder for each other job, known to the command line by being there."""
