/** Signs addresses of downloads; each database has its own. */
export const downloadSecret =
  "INSERT OR IGNORE INTO local_state (key, value) VALUES ('download_secret', hex(randomblob(32)));";

/**
 * The content of spaces. A revision is one row that refers to versions of pages, files and reusable
 * contents. Versions are immutable, so a further revision stores only what is new.
 *
 * - `pages` is a JSON tree of `{id, version, pages?}`; `files` and `reusables` are lists of
 *   `{id, version}`; `version` is the id of its row.
 * - A version is identified by the hash of its content, which is stored once.
 * - A revision that a space refers to but that has no row is empty.
 * - The full-text index contains all versions; a search picks those of current revisions.
 */
export const content = `
CREATE TABLE revisions (
  id TEXT PRIMARY KEY,
  space_id TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
  change_request_id TEXT,
  parents TEXT NOT NULL,
  pages TEXT NOT NULL,
  files TEXT NOT NULL,
  reusables TEXT NOT NULL,
  message TEXT NOT NULL,
  author_id TEXT REFERENCES users (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX revisions_space ON revisions (space_id, created_at, id);
CREATE INDEX revisions_author ON revisions (change_request_id, author_id);
CREATE INDEX revisions_user ON revisions (author_id);

CREATE TABLE page_versions (
  id INTEGER PRIMARY KEY,
  space_id TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  page_id TEXT NOT NULL,
  title TEXT NOT NULL,
  slug TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '',
  attributes TEXT NOT NULL DEFAULT '{}',
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  markdown TEXT NOT NULL,
  UNIQUE (space_id, hash)
) STRICT;

CREATE TABLE file_versions (
  id INTEGER PRIMARY KEY,
  space_id TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  file_id TEXT NOT NULL,
  path TEXT NOT NULL,
  content_type TEXT NOT NULL,
  size INTEGER NOT NULL,
  width INTEGER,
  height INTEGER,
  base64 TEXT NOT NULL,
  UNIQUE (space_id, hash)
) STRICT;

CREATE TABLE reusable_versions (
  id INTEGER PRIMARY KEY,
  space_id TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
  hash TEXT NOT NULL,
  reusable_id TEXT NOT NULL,
  title TEXT NOT NULL,
  path TEXT NOT NULL,
  markdown TEXT NOT NULL,
  UNIQUE (space_id, hash)
) STRICT;

CREATE VIRTUAL TABLE page_search USING fts5(
  title, description, markdown,
  content = 'page_versions', content_rowid = 'id',
  tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3'
);
CREATE TRIGGER page_search_added AFTER INSERT ON page_versions BEGIN
  INSERT INTO page_search (rowid, title, description, markdown)
  VALUES (NEW.id, NEW.title, NEW.description, NEW.markdown);
END;
CREATE TRIGGER page_search_removed AFTER DELETE ON page_versions BEGIN
  INSERT INTO page_search (page_search, rowid, title, description, markdown)
  VALUES ('delete', OLD.id, OLD.title, OLD.description, OLD.markdown);
END;

${downloadSecret}
`;
