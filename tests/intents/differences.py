"""Where our matching differs from OpenClaw's: each recorded case that it changes, with the reason.

Whatever is not in this table must agree.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

ACCENT = "an accent of a Latin letter neither makes a word nor unmakes it, however it is encoded"
ESCAPE = "keywords are searched as they read, not as JSON spells them"
UNSEGMENTED = "a Chinese, Japanese or Korean word is found inside a run that nobody segmented"

DIFFERENCES: Mapping[int, str] = MappingProxyType(
    {
        33: ACCENT,
        71: ACCENT,
        77: ACCENT,
        79: ACCENT,
        85: ACCENT,
        89: ACCENT,
        90: ACCENT,
        174: ACCENT,
        179: ACCENT,
        181: ACCENT,
        235: ACCENT,
        95: UNSEGMENTED,
        98: UNSEGMENTED,
        245: ESCAPE,
        246: ESCAPE,
        250: ACCENT,
        251: ESCAPE,
    }
)
"""Numbers of recorded cases in which we fire and OpenClaw does not."""
