"""What the librarian needs beside its file: the gate on its sources."""
