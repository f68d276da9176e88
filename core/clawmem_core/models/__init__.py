"""The model turn behind one protocol: the embedded model, and any provider that is configured."""
