"""Writing into the notes, and the owner's explicit wishes."""
