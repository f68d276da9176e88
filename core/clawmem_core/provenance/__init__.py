"""Rules over values that decide how far a line is trusted; never over what the line says."""
