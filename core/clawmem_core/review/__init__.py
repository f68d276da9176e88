"""The tier for people: sweeps as hunks, decisions, apply, undo, and the inbox."""
