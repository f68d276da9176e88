"""The terminal app of ClawMem: a review desk for what an agent remembers."""
