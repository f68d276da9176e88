"""Forget: what came from a session, a sender or a line, what keeps it all the same, and taking it away."""
