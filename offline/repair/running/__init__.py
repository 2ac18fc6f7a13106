"""Running the tests, for the first look and for each candidate."""
