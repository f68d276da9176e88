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

MIGRATIONS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("review desk", _REVIEW_DESK),
    ("runs and parts", _RUNS_AND_PARTS),
    ("large rows", _LARGE_ROWS),
    ("write path", _WRITE_PATH),
)
"""Name and statements of each step; step n brings the schema to version n."""
