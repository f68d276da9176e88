"""ClawMem with years of use behind it: nothing gets lost, and nothing costs more than it has to."""
