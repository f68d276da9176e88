"""Where a transcript's classes differ from OpenClaw's: each case with the classes of its lines and the reason.

A recorded case that is not in here must agree.
"""

from __future__ import annotations

STRICTER = {
    "tool_result_network": (
        [(1, "owner"), (2, "agent"), (4, "untrusted")],
        "a result from the network taints by itself, whether or not its host marked the reply (spec 3)",
    ),
    "tool_result_plain": (
        [(1, "owner"), (3, "untrusted")],
        "a result of which nobody says where it came from counts as unknown and tainted (spec 3)",
    ),
    "taint_string": (
        [(1, "owner"), (2, "untrusted")],
        "a mark that says neither yes nor no is a value that is missing: tainted (spec 3)",
    ),
}
"""Line of the record and class of each message that is kept, and why."""

TAINT_STRICTER = {
    "plain result": "a result of which nobody says where it came from taints (spec 3)",
    "string flag": "a mark that says neither yes nor no taints (spec 3)",
    "metadata not an object": "what a host states in no form that is known is missing, and taints (spec 3)",
}
"""Recorded sequences after which a turn is tainted here and not there, and why."""
