"""The schema, as numbered steps; each runs once, in one transaction with its record.

A step that has been released is never edited: a later one changes what it made. Times are ISO 8601 UTC text,
`claim` is `annotations.claim_hash`, hashes are SHA-256 in hexadecimal, `*_json` is msgspec's JSON of a value.
"""

from __future__ import annotations

_REVIEW_DESK = (
    "CREATE TABLE migrations (version INTEGER PRIMARY KEY, name TEXT NOT NULL, applied_at TEXT NOT NULL) STRICT",
    # Every content that a write replaced or made, by its hash. Never pruned silently.
    "CREATE TABLE blobs (sha256 TEXT PRIMARY KEY, data BLOB NOT NULL, stored_at TEXT NOT NULL) STRICT",
    # Writes that were begun: the next run finishes those that reached the file and forgets the others.
    """CREATE TABLE pending_writes (
        id INTEGER PRIMARY KEY, at TEXT NOT NULL, kind TEXT NOT NULL, value_json TEXT NOT NULL,
        recorded INTEGER NOT NULL DEFAULT 0) STRICT""",
    # What each watched file was when it was last seen, so that an outside edit can be told.
    "CREATE TABLE files (path TEXT PRIMARY KEY, sha256 TEXT NOT NULL, seen_at TEXT NOT NULL) STRICT",
    """CREATE TABLE versions (
        id INTEGER PRIMARY KEY, path TEXT NOT NULL, sha256 TEXT NOT NULL, previous_sha256 TEXT NOT NULL,
        at TEXT NOT NULL, actor TEXT NOT NULL, sweep TEXT, commit_id TEXT, summary TEXT NOT NULL) STRICT""",
    "CREATE INDEX versions_by_path ON versions (path, id)",
    # Who wrote a line of a file: columns set by classification code, never parsed out of memory text.
    """CREATE TABLE line_provenance (
        id INTEGER PRIMARY KEY, path TEXT NOT NULL, line_hash TEXT NOT NULL, origin TEXT NOT NULL
            CHECK (origin IN ('owner', 'agent', 'untrusted', 'system')),
        session_kind TEXT NOT NULL CHECK (session_kind IN
            ('interactive', 'cron', 'heartbeat', 'subagent', 'unknown', 'none')),
        observed_at TEXT NOT NULL, supersedes_key TEXT, session TEXT, turn TEXT, actor TEXT NOT NULL,
        recorded_at TEXT NOT NULL) STRICT""",
    "CREATE INDEX line_provenance_by_line ON line_provenance (path, line_hash)",
    # When a claim was first seen in a note: a line without provenance has no other date.
    """CREATE TABLE claims_seen (
        path TEXT NOT NULL, claim TEXT NOT NULL, first_seen_at TEXT NOT NULL,
        PRIMARY KEY (path, claim)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE signals (
        id INTEGER PRIMARY KEY, path TEXT NOT NULL, claim TEXT NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('recall', 'daily', 'grounded')), score REAL NOT NULL,
        query_hash TEXT, day TEXT NOT NULL, at TEXT NOT NULL) STRICT""",
    "CREATE INDEX signals_by_claim ON signals (path, claim)",
    "CREATE UNIQUE INDEX signals_daily_once ON signals (path, claim) WHERE kind = 'daily'",
    """CREATE TABLE phase_hits (
        path TEXT NOT NULL, claim TEXT NOT NULL, phase TEXT NOT NULL CHECK (phase IN ('light', 'rem')),
        night TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (path, claim, phase, night)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE sweeps (
        id TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('dream', 'edit')), night TEXT NOT NULL,
        started_at TEXT NOT NULL, finished_at TEXT, mode TEXT NOT NULL CHECK (mode IN ('watch', 'gate')),
        state TEXT NOT NULL CHECK (state IN ('live', 'held', 'partly', 'done', 'reverted')),
        outcome TEXT NOT NULL, fallback_reason TEXT NOT NULL, model TEXT NOT NULL, files_json TEXT NOT NULL,
        commit_id TEXT, record_json TEXT NOT NULL) STRICT""",
    # Every candidate of every sweep with its factors: the ranked ones and the left-out ledger.
    """CREATE TABLE candidates (
        sweep TEXT NOT NULL REFERENCES sweeps (id), position INTEGER NOT NULL, key TEXT NOT NULL,
        path TEXT NOT NULL, origin TEXT NOT NULL, score REAL, verdict TEXT NOT NULL, gate TEXT NOT NULL,
        value_json TEXT NOT NULL, PRIMARY KEY (sweep, position)) STRICT, WITHOUT ROWID""",
    """CREATE TABLE hunks (
        sweep TEXT NOT NULL REFERENCES sweeps (id), hunk INTEGER NOT NULL,
        kind TEXT NOT NULL CHECK (kind IN ('added', 'merged', 'superseded', 'removed', 'directive')),
        state TEXT NOT NULL CHECK (state IN ('live', 'held', 'stale', 'applied', 'reverted')),
        decision TEXT NOT NULL CHECK (decision IN ('undecided', 'accepted', 'rejected', 'edited', 'postponed')),
        reason TEXT NOT NULL, edited_text TEXT, stale TEXT NOT NULL, decided_at TEXT NOT NULL,
        anchor TEXT, was_held INTEGER NOT NULL, value_json TEXT NOT NULL,
        PRIMARY KEY (sweep, hunk)) STRICT, WITHOUT ROWID""",
    "CREATE INDEX hunks_open ON hunks (decision, state)",
    """CREATE TABLE journal (
        seq INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, actor TEXT NOT NULL, action TEXT NOT NULL,
        sweep TEXT, hunk INTEGER, batch INTEGER NOT NULL, refers INTEGER REFERENCES journal (seq),
        value_json TEXT NOT NULL) STRICT""",
    "CREATE INDEX journal_by_hunk ON journal (sweep, hunk)",
    "CREATE TABLE postponed_items (key TEXT PRIMARY KEY, until_night TEXT NOT NULL) STRICT, WITHOUT ROWID",
    "CREATE INDEX journal_by_reference ON journal (refers)",
    "CREATE INDEX journal_by_batch ON journal (batch)",
    """CREATE TRIGGER journal_is_append_only_update BEFORE UPDATE ON journal
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END""",
    """CREATE TRIGGER journal_is_append_only_delete BEFORE DELETE ON journal
        BEGIN SELECT RAISE(ABORT, 'the journal is append-only'); END""",
)

_RUNS_AND_PARTS = (
    # Every run of the dream, written when it begins: one that was killed is seen by its missing end.
    """CREATE TABLE sweep_runs (
        id INTEGER PRIMARY KEY AUTOINCREMENT, night TEXT NOT NULL, started_at TEXT NOT NULL,
        step TEXT NOT NULL, finished_at TEXT, state TEXT NOT NULL
            CHECK (state IN ('running', 'done', 'failed', 'stopped', 'killed')),
        sweep TEXT REFERENCES sweeps (id), reason TEXT NOT NULL DEFAULT '') STRICT""",
    "CREATE INDEX sweep_runs_by_night ON sweep_runs (night, id)",
    """INSERT INTO sweep_runs (night, started_at, step, finished_at, state, sweep)
        SELECT night, started_at, 'write', coalesce(finished_at, started_at), 'done', id FROM sweeps
        WHERE kind = 'dream' AND record_json NOT LIKE '%"timings_ms":{}%' ORDER BY CAST(id AS INTEGER)""",
    # A hunk that was split is decided through its parts; they count as long as the split is not undone.
    "ALTER TABLE hunks ADD COLUMN part_of INTEGER",
    "ALTER TABLE hunks ADD COLUMN parts_json TEXT NOT NULL DEFAULT '[]'",
    """CREATE VIEW current_hunks AS SELECT h.* FROM hunks h WHERE h.part_of IS NULL OR EXISTS (
        SELECT 1 FROM hunks p WHERE p.sweep = h.sweep AND p.hunk = h.part_of AND p.parts_json <> '[]')""",
)

_LARGE_ROWS = (
    # Rows of about 1 KB in a table without row ids overflow into a page of 4 KB each.
    "ALTER TABLE candidates RENAME TO candidates_without_rowid",
    """CREATE TABLE candidates (
        sweep TEXT NOT NULL REFERENCES sweeps (id), position INTEGER NOT NULL, key TEXT NOT NULL,
        path TEXT NOT NULL, origin TEXT NOT NULL, score REAL, verdict TEXT NOT NULL, gate TEXT NOT NULL,
        value_json TEXT NOT NULL, PRIMARY KEY (sweep, position)) STRICT""",
    "INSERT INTO candidates SELECT * FROM candidates_without_rowid ORDER BY sweep, position",
    "DROP TABLE candidates_without_rowid",
    "CREATE INDEX candidates_by_key ON candidates (sweep, key)",
)

_WRITE_PATH = (
    # Where a line came from beside its session: who said it, and what it was before it was edited or moved.
    "ALTER TABLE line_provenance ADD COLUMN sender TEXT",
    "ALTER TABLE line_provenance ADD COLUMN followed_from TEXT",
    """ALTER TABLE line_provenance ADD COLUMN how TEXT NOT NULL DEFAULT 'written'
        CHECK (how IN ('written', 'edited', 'moved', 'outside', 'restated'))""",
    "CREATE INDEX line_provenance_by_hash ON line_provenance (line_hash)",
    "CREATE INDEX line_provenance_by_session ON line_provenance (session, turn)",
    # Each note as it was last looked at, so that its lines can be followed through an edit; `content` is zlib's.
    """CREATE TABLE notes_seen (
        path TEXT PRIMARY KEY, size INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, sha256 TEXT NOT NULL,
        content BLOB NOT NULL, seen_at TEXT NOT NULL) STRICT""",
    # Turns of a host: what an unrecorded line takes that came while one was open.
    """CREATE TABLE host_turns (
        session TEXT NOT NULL, turn TEXT NOT NULL, session_kind TEXT NOT NULL CHECK (session_kind IN
            ('interactive', 'cron', 'heartbeat', 'subagent', 'unknown', 'none')),
        origin TEXT NOT NULL CHECK (origin IN ('owner', 'agent', 'untrusted', 'system')), sender TEXT,
        tainted INTEGER NOT NULL, opened_at TEXT NOT NULL, closed_at TEXT,
        PRIMARY KEY (session, turn)) STRICT, WITHOUT ROWID""",
    # Transcripts that were ingested, each with where to go on reading it.
    """CREATE TABLE transcripts (
        id INTEGER PRIMARY KEY, session TEXT NOT NULL, host TEXT NOT NULL, name TEXT NOT NULL,
        handed_over INTEGER NOT NULL, bytes_read INTEGER NOT NULL, lines_read INTEGER NOT NULL,
        head_sha256 TEXT NOT NULL, resume_json TEXT NOT NULL, ingested_at TEXT NOT NULL,
        UNIQUE (session, name)) STRICT""",
    # Messages of sessions, secrets taken out. `line` is the first of a message's lines in its session.
    """CREATE TABLE messages (
        id INTEGER PRIMARY KEY, session TEXT NOT NULL, line INTEGER NOT NULL, lines INTEGER NOT NULL,
        turn TEXT NOT NULL, role TEXT NOT NULL CHECK (role IN ('user', 'assistant')), sender TEXT,
        origin TEXT NOT NULL CHECK (origin IN ('owner', 'agent', 'untrusted', 'system')),
        session_kind TEXT NOT NULL CHECK (session_kind IN
            ('interactive', 'cron', 'heartbeat', 'subagent', 'unknown', 'none')),
        observed_at TEXT NOT NULL, text TEXT NOT NULL, message_hash TEXT NOT NULL, record_line INTEGER NOT NULL,
        transcript INTEGER NOT NULL REFERENCES transcripts (id),
        UNIQUE (session, message_hash), UNIQUE (session, line)) STRICT""",
    "CREATE INDEX messages_by_turn ON messages (session, turn)",
    "CREATE INDEX messages_by_sender ON messages (sender)",
    # What a person had forgotten: it must not come in again.
    """CREATE TABLE tombstones (
        kind TEXT NOT NULL CHECK (kind IN ('session', 'sender', 'line', 'message')), value TEXT NOT NULL,
        reason TEXT NOT NULL, at TEXT NOT NULL, PRIMARY KEY (kind, value)) STRICT, WITHOUT ROWID""",
    # Imports are a third kind of sweep. Other tables refer to this one by its name.
    """CREATE TABLE sweeps_with_imports (
        id TEXT PRIMARY KEY, kind TEXT NOT NULL CHECK (kind IN ('dream', 'edit', 'import')), night TEXT NOT NULL,
        started_at TEXT NOT NULL, finished_at TEXT, mode TEXT NOT NULL CHECK (mode IN ('watch', 'gate')),
        state TEXT NOT NULL CHECK (state IN ('live', 'held', 'partly', 'done', 'reverted')),
        outcome TEXT NOT NULL, fallback_reason TEXT NOT NULL, model TEXT NOT NULL, files_json TEXT NOT NULL,
        commit_id TEXT, record_json TEXT NOT NULL) STRICT""",
    "INSERT INTO sweeps_with_imports SELECT * FROM sweeps",
    "DROP TABLE sweeps",
    "ALTER TABLE sweeps_with_imports RENAME TO sweeps",
)

_VECTORS = (
    # Vectors of texts by their content keys, float16: derived, and dropped when nothing says the text any more.
    """CREATE TABLE vectors (
        id INTEGER PRIMARY KEY, model TEXT NOT NULL, kind TEXT NOT NULL CHECK (kind IN ('passage', 'query')),
        content INTEGER NOT NULL, vector BLOB NOT NULL, made_at TEXT NOT NULL, UNIQUE (model, kind, content)) STRICT""",
    # How a model's vectors lie to each other: their centre, and how close each stands to its nearest.
    """CREATE TABLE vector_surveys (
        id INTEGER PRIMARY KEY AUTOINCREMENT, model TEXT NOT NULL, centre BLOB NOT NULL, contents BLOB NOT NULL,
        crowding BLOB NOT NULL, changed INTEGER NOT NULL, made_at TEXT NOT NULL) STRICT""",
)

_TURNS = (
    # Messages of hosts that were answered, by a hash, so that each leaves its traces once.
    """CREATE TABLE answered_messages (
        message_key TEXT PRIMARY KEY, answered_at TEXT NOT NULL) STRICT, WITHOUT ROWID""",
    "CREATE INDEX answered_messages_by_time ON answered_messages (answered_at)",
)

_INTENTS = (
    # OpenClaw's columns and meanings: times are epoch milliseconds, the cooldown is seconds, scopes and keywords JSON.
    """CREATE TABLE standing_intents (
        intent_key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, description TEXT NOT NULL,
        trigger_keywords TEXT NOT NULL, trigger_embedding TEXT, channel_scope TEXT, sender_scope TEXT,
        creator_sender TEXT CHECK (creator_sender IS NULL OR length(trim(creator_sender)) > 0),
        status TEXT NOT NULL CHECK (status IN ('pending', 'armed', 'fired', 'done', 'cancelled', 'expired')),
        expires_at INTEGER NOT NULL, max_fires INTEGER NOT NULL CHECK (max_fires > 0),
        fire_count INTEGER NOT NULL DEFAULT 0 CHECK (fire_count BETWEEN 0 AND max_fires),
        cooldown_seconds INTEGER NOT NULL DEFAULT 86400 CHECK (cooldown_seconds >= 0), last_fired_at INTEGER,
        created_at INTEGER NOT NULL, source_session_id TEXT) STRICT""",
    "CREATE INDEX standing_intents_lifecycle ON standing_intents (status, expires_at, last_fired_at)",
    # The keywords as they read, not as JSON spells them, so that escaped letters are found too.
    """CREATE VIRTUAL TABLE standing_intents_fts USING fts5 (
        keywords, tokenize = 'unicode61 remove_diacritics 2')""",
    "CREATE VIRTUAL TABLE standing_intents_terms USING fts5vocab (standing_intents_fts, row)",
    """CREATE TRIGGER standing_intents_found_insert AFTER INSERT ON standing_intents BEGIN
        INSERT INTO standing_intents_fts (rowid, keywords) SELECT new.intent_key, group_concat(value, ' ')
        FROM json_each(iif(json_valid(new.trigger_keywords), new.trigger_keywords, '[]')) WHERE type = 'text'; END""",
    """CREATE TRIGGER standing_intents_found_delete AFTER DELETE ON standing_intents BEGIN
        DELETE FROM standing_intents_fts WHERE rowid = old.intent_key; END""",
    """CREATE TRIGGER standing_intents_found_update AFTER UPDATE OF trigger_keywords ON standing_intents BEGIN
        DELETE FROM standing_intents_fts WHERE rowid = old.intent_key;
        INSERT INTO standing_intents_fts (rowid, keywords) SELECT new.intent_key, group_concat(value, ' ')
        FROM json_each(iif(json_valid(new.trigger_keywords), new.trigger_keywords, '[]')) WHERE type = 'text'; END""",
    # Every transition, for a timeline. Of messages only hashes are kept.
    """CREATE TABLE intent_events (
        id INTEGER PRIMARY KEY AUTOINCREMENT, intent TEXT NOT NULL REFERENCES standing_intents (id),
        from_state TEXT CHECK (from_state IN ('pending', 'armed', 'fired', 'done', 'cancelled', 'expired')),
        to_state TEXT NOT NULL CHECK (to_state IN ('pending', 'armed', 'fired', 'done', 'cancelled', 'expired')),
        at TEXT NOT NULL, recorded_at TEXT NOT NULL, actor TEXT NOT NULL, why TEXT NOT NULL,
        message_hash TEXT, message_key TEXT) STRICT""",
    "CREATE INDEX intent_events_by_intent ON intent_events (intent, id)",
    "CREATE INDEX intent_events_by_message ON intent_events (message_key) WHERE message_key IS NOT NULL",
    """CREATE TRIGGER intent_events_are_append_only_update BEFORE UPDATE ON intent_events
        BEGIN SELECT RAISE(ABORT, 'events of intents are append-only'); END""",
    """CREATE TRIGGER intent_events_are_append_only_delete BEFORE DELETE ON intent_events
        BEGIN SELECT RAISE(ABORT, 'events of intents are append-only'); END""",
)

MIGRATIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("review desk", _REVIEW_DESK),
    ("runs and parts", _RUNS_AND_PARTS),
    ("large rows", _LARGE_ROWS),
    ("write path", _WRITE_PATH),
    ("turns", _TURNS),
    ("vectors", _VECTORS),
    ("intents", _INTENTS),
)
"""Name and statements of each step; step n brings the schema to version n."""
