"""Recall: the words of a text, the index on disk, ranking, and search."""
