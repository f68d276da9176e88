"""SQLite's only door: the connection, transactions, and numbered migrations."""
