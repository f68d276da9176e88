"""The parts that screens are made of: a frame of panes, lists, papers and lines."""
