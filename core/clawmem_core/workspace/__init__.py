"""The files of a workspace: tiers and paths, entries and annotations, notes, and atomic writes."""
