"""What may be done now, at what price, and why not."""
