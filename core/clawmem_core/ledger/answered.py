"""Messages that were answered: the same message of a host leaves its traces once, whoever asks again.

Of a message there is a hash only.
"""

from __future__ import annotations

import hashlib
from datetime import datetime, timedelta

from clawmem_core.clock import iso
from clawmem_core.store.database import Store

KEPT_DAYS = 30
"""Days for which an answered message is known."""


def message_key(channel: str, conversation: str, message_id: str) -> str:
    """Return the identity of a host's message: 32 hex digits."""
    named = "\x1f".join((channel, conversation, message_id))
    return hashlib.sha256(named.encode("utf-8", "replace")).hexdigest()[:32]


def claim_message(store: Store, key: str, at: datetime) -> bool:
    """Keep that a message was answered; return whether it was not before. Old ones are forgotten on the way."""
    with store.atomic() as connection:
        connection.execute("DELETE FROM answered_messages WHERE answered_at < ?", (iso(at - timedelta(KEPT_DAYS)),))
        done = connection.execute("INSERT OR IGNORE INTO answered_messages VALUES (?, ?)", (key, iso(at)))
        return done.rowcount > 0
