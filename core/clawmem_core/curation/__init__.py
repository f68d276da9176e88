"""Dreaming: how lines of the notes become durable, through a deterministic gate and a bounded judgment."""
