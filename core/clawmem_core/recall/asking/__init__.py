"""Lane 2: whether a message asks for the past, and what all of memory says of it."""
