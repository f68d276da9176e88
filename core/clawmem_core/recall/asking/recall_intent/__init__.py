"""Whether a message asks for the past: rules as data, one table for each language."""
