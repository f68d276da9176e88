"""The demo workspace: a month in a small map studio, invented from the first line to the last."""
