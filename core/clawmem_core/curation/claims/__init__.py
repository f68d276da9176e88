"""Comparing claims: whether two say the same, how alike they are, and what one has that the other lacks."""
