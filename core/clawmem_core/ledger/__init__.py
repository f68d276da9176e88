"""What is recorded, and by whom: provenance of lines, recall signals, sweeps and hunks, the journal, versions."""
