/** State of the sandbox itself: seed and id counter, clock, tokens, faults, requests. */
export const state = `
CREATE TABLE state (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
CREATE TABLE local_state (key TEXT PRIMARY KEY, value ANY) STRICT, WITHOUT ROWID;
CREATE TABLE local_tokens (
  name TEXT PRIMARY KEY, token TEXT NOT NULL UNIQUE, user_id TEXT, org_id TEXT
) STRICT, WITHOUT ROWID;
CREATE TABLE local_faults (
  id INTEGER PRIMARY KEY,
  method TEXT NOT NULL, path TEXT NOT NULL,
  status INTEGER, headers TEXT NOT NULL DEFAULT '{}', delay_ms INTEGER NOT NULL DEFAULT 0,
  reset TEXT CHECK (reset IN ('before', 'after')),
  times INTEGER, rate REAL NOT NULL DEFAULT 1,
  seen INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE local_requests (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, status INTEGER NOT NULL,
  time INTEGER NOT NULL, caller TEXT
) STRICT;
`;
