"""What the notekeeper needs beside its file: what a run changed of the files."""
