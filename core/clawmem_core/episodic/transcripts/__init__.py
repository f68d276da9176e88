"""Transcripts: reading the session files of agents, one module for each host."""
