"""Search by meaning: vectors of what is indexed, how they are made and kept, and what they say of a question."""
