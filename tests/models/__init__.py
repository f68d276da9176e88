"""The model turn: protocols, faults, keys and settings, against a scripted server on loopback."""
