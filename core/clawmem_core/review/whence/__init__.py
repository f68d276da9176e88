"""Blame: where a line came from, link by link, each checked against what is on disk and in git now."""
