"""What stands over a screen for a moment: questions, inputs, lists to read."""
