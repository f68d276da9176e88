"""Standing intents: what an agent is to do when something comes up, from the wish to its last fire."""
