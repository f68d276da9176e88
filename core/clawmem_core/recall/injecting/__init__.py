"""What goes before a model by itself: only what the eligible filter let through, entry by entry, within budgets."""
