"""What the workspace was before: git, locks, and the writes that keep every earlier version."""
