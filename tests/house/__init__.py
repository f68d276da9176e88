"""The house itself: what loads what, how long things are, and what must not be written anywhere."""
