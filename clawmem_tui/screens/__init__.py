"""The screens: one file and one style sheet each."""
