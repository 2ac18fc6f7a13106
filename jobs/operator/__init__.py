"""What the operator brings."""
