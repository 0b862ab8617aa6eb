/**
 * OpenAPI specs, their versions, and their runs: a run starts when a source is set, and keeps the
 * document or the error found there until it ends (openapi-runs.ts).
 */
export const openapi = `
CREATE TABLE openapi_specs (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  slug TEXT NOT NULL,
  source_url TEXT,
  state TEXT NOT NULL CHECK (state IN ('pending', 'progress', 'complete')),
  processed_at INTEGER,
  error TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (org_id, slug)
) STRICT, WITHOUT ROWID;
CREATE INDEX openapi_specs_org ON openapi_specs (org_id, created_at, id);

CREATE TABLE openapi_versions (
  id TEXT PRIMARY KEY,
  spec_id TEXT NOT NULL REFERENCES openapi_specs (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,
  file TEXT NOT NULL,
  document TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  UNIQUE (spec_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE openapi_runs (
  spec_id TEXT PRIMARY KEY REFERENCES openapi_specs (id) ON DELETE CASCADE,
  started_at INTEGER NOT NULL,
  file TEXT,
  document TEXT,
  error TEXT,
  CHECK ((document IS NULL) <> (error IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX openapi_runs_started ON openapi_runs (started_at);
`;
