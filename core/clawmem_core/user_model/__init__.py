"""USER.md: directives that say how to help, and what belongs there."""
