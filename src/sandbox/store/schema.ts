import { schemaVersion } from './schema-version.js';

/**
 * The tables of the sandbox. Times are milliseconds since the epoch; `folded` columns contain case-folded text for
 * searches (`fold`); `position` is of positions.ts. Tables named `local_…` belong to one database and are not exported.
 *
 * `told` is what a copy of an organization answers as the platform told it, although it does not follow from the
 * columns: JSON of records/fields.ts, of versions JSON of content/versions.ts. Null for what the sandbox made itself.
 */

/** A column that names the owner of a row, and goes with it. */
const within = (column: string, table: string) =>
  `${column} TEXT NOT NULL REFERENCES ${table} (id) ON DELETE CASCADE`;
const idWithin = (column: string, table: string) => `id TEXT PRIMARY KEY, ${within(column, table)}`;

/**
 * State of the sandbox itself: seed and id counter, clock, tokens, faults, requests. A ticket opens the pages of this
 * database in a browser, once. The secret signs addresses of downloads; each database has its own.
 *
 * The texts of a request come last in its row, so that lists do not read them. An answer that was given before is in
 * the row of `answer_of`. With an answer of its own beside, that is the part in which both differ (`answer-parts.ts`).
 */
const state = `
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
  times INTEGER, rate REAL NOT NULL DEFAULT 1, seen INTEGER NOT NULL DEFAULT 0
) STRICT;
CREATE TABLE local_requests (
  seq INTEGER PRIMARY KEY,
  id TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL, status INTEGER NOT NULL,
  time INTEGER NOT NULL, caller TEXT, ms REAL NOT NULL, fault TEXT, answer_of INTEGER, whole INTEGER,
  changes TEXT, body TEXT, answer ANY
) STRICT;
CREATE TABLE local_tickets (hash TEXT PRIMARY KEY, expires_at INTEGER NOT NULL) STRICT, WITHOUT ROWID;
INSERT INTO local_state (key, value) VALUES ('download_secret', hex(randomblob(32)));
`;

/** Organizations, users, members and link invites. Fields that the platform itself sets, such as `trial`, are JSON. */
const organizations = `
CREATE TABLE organizations (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL, created_at INTEGER NOT NULL, email_domains TEXT NOT NULL DEFAULT '[]',
  hostname TEXT UNIQUE, type TEXT NOT NULL DEFAULT 'business', use_case TEXT, community_type TEXT,
  default_role TEXT, default_site TEXT, sso INTEGER NOT NULL DEFAULT 0, ai INTEGER NOT NULL DEFAULT 1,
  invite_links INTEGER NOT NULL DEFAULT 1, plan TEXT NOT NULL DEFAULT 'free_2024', logo TEXT,
  billing_interval TEXT, billing_end_date INTEGER, custom_hostname TEXT, trial TEXT, blocked TEXT,
  billing_migration TEXT, told TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  display_name TEXT NOT NULL, email TEXT NOT NULL UNIQUE COLLATE NOCASE, folded TEXT NOT NULL, photo_url TEXT,
  told TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE members (
  ${within('org_id', 'organizations')}, ${within('user_id', 'users')},
  role TEXT, disabled INTEGER NOT NULL DEFAULT 0, joined_at INTEGER NOT NULL, last_seen_at INTEGER,
  sso INTEGER NOT NULL DEFAULT 0, told TEXT,
  PRIMARY KEY (org_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_user ON members (user_id);
CREATE INDEX members_joined ON members (org_id, joined_at, user_id);
CREATE INDEX members_seen ON members (org_id, last_seen_at, user_id) WHERE last_seen_at IS NOT NULL;
CREATE INDEX members_admins ON members (org_id, joined_at) WHERE role = 'admin';

CREATE TABLE invites (
  ${idWithin('org_id', 'organizations')}, role TEXT NOT NULL, redundant INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX invites_org ON invites (org_id);
`;

/** Teams and their members. Removing a member from the organization removes it from its teams. */
const teams = `
CREATE TABLE teams (
  ${idWithin('org_id', 'organizations')},
  title TEXT NOT NULL, folded TEXT NOT NULL, created_at INTEGER NOT NULL, told TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX teams_org ON teams (org_id, created_at, id);

CREATE TABLE team_members (
  ${within('team_id', 'teams')}, org_id TEXT NOT NULL, user_id TEXT NOT NULL,
  role TEXT NOT NULL CHECK (role IN ('owner', 'member')),
  told TEXT,
  PRIMARY KEY (team_id, user_id),
  FOREIGN KEY (org_id, user_id) REFERENCES members (org_id, user_id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;
CREATE INDEX team_members_user ON team_members (user_id, org_id, team_id, role);
`;

const rank = (column: string) => `CASE ${column}
  WHEN 'admin' THEN 6 WHEN 'create' THEN 5 WHEN 'review' THEN 4
  WHEN 'edit' THEN 3 WHEN 'comment' THEN 2 WHEN 'read' THEN 1 ELSE 0 END`;

/**
 * Collections, spaces and grants.
 *
 * Levels are ranks in the views: read 1 … admin 6, none 0. The rules are in access.ts. Triggers maintain
 * a space's cap, the highest level it gives by default, because every list of members needs it. The tables
 * of comments and change requests maintain their counters here, by triggers.
 *
 * Sorted by path, a collection comes before its children, and siblings keep their order.
 */
const spaces = `
CREATE TABLE collections (
  ${idWithin('org_id', 'organizations')}, parent_id TEXT REFERENCES collections (id),
  title TEXT NOT NULL, description TEXT, default_level TEXT DEFAULT 'inherit',
  position TEXT NOT NULL DEFAULT '', created_at INTEGER NOT NULL, told TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX collections_siblings ON collections (org_id, parent_id, position);
CREATE INDEX collections_parent ON collections (parent_id);

CREATE TABLE spaces (
  ${idWithin('org_id', 'organizations')}, parent_id TEXT REFERENCES collections (id),
  title TEXT NOT NULL, emoji TEXT NOT NULL DEFAULT '', icon TEXT,
  visibility TEXT NOT NULL DEFAULT 'in-collection', edit_mode TEXT NOT NULL DEFAULT 'live',
  default_level TEXT DEFAULT 'inherit', revision_id TEXT NOT NULL, cap INTEGER NOT NULL DEFAULT 0,
  position TEXT NOT NULL DEFAULT '', created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL,
  deleted_at INTEGER, git_sync TEXT, comments_open INTEGER NOT NULL DEFAULT 0,
  change_requests INTEGER NOT NULL DEFAULT 0, change_requests_open INTEGER NOT NULL DEFAULT 0,
  change_requests_draft INTEGER NOT NULL DEFAULT 0, told TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX spaces_siblings ON spaces (org_id, parent_id, position);
CREATE INDEX spaces_parent ON spaces (parent_id);
CREATE INDEX spaces_deleted ON spaces (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE space_users (
  ${within('space_id', 'spaces')}, ${within('user_id', 'users')},
  level TEXT NOT NULL,
  PRIMARY KEY (space_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX space_users_user ON space_users (user_id, space_id);

CREATE TABLE space_teams (
  ${within('space_id', 'spaces')}, ${within('team_id', 'teams')},
  level TEXT NOT NULL,
  PRIMARY KEY (space_id, team_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX space_teams_team ON space_teams (team_id, space_id);

CREATE VIEW space_grants (space_id, user_id, rank) AS
  SELECT space_id, user_id, ${rank('level')} FROM space_users
  UNION ALL
  SELECT st.space_id, tm.user_id, ${rank('st.level')}
  FROM team_members tm JOIN space_teams st ON st.team_id = tm.team_id;

CREATE VIEW collection_caps (collection_id, org_id, cap) AS
  SELECT k.id, k.org_id, (
    WITH RECURSIVE up (level, parent_id) AS (
      SELECT k.default_level, k.parent_id
      UNION ALL
      SELECT c.default_level, c.parent_id FROM up JOIN collections c ON c.id = up.parent_id
      WHERE up.level = 'inherit'
    )
    SELECT CASE level WHEN 'inherit' THEN 6 ELSE ${rank('level')} END FROM up
    WHERE level IS NOT 'inherit' OR parent_id IS NULL LIMIT 1
  ) FROM collections k;

CREATE VIEW computed_caps (space_id, cap) AS
  SELECT s.id, coalesce(CASE
    WHEN s.default_level IS NOT 'inherit' THEN ${rank('s.default_level')}
    WHEN s.visibility = 'private' THEN 0
    WHEN s.parent_id IS NULL THEN 6
    ELSE (SELECT cap FROM collection_caps WHERE collection_id = s.parent_id) END, 0)
  FROM spaces s;

CREATE TRIGGER space_made AFTER INSERT ON spaces BEGIN
  UPDATE spaces SET cap = (SELECT cap FROM computed_caps WHERE space_id = NEW.id) WHERE id = NEW.id;
END;
CREATE TRIGGER space_changed AFTER UPDATE OF default_level, visibility, parent_id ON spaces BEGIN
  UPDATE spaces SET cap = (SELECT cap FROM computed_caps WHERE space_id = NEW.id) WHERE id = NEW.id;
END;
CREATE TRIGGER collection_made AFTER INSERT ON collections BEGIN
  UPDATE spaces SET cap = (SELECT cap FROM computed_caps WHERE space_id = spaces.id)
  WHERE org_id = NEW.org_id;
END;
CREATE TRIGGER collection_changed AFTER UPDATE OF default_level, parent_id ON collections BEGIN
  UPDATE spaces SET cap = (SELECT cap FROM computed_caps WHERE space_id = spaces.id)
  WHERE org_id = NEW.org_id;
END;

CREATE VIEW space_caps (space_id, org_id, cap) AS
  SELECT id, org_id, cap FROM spaces WHERE deleted_at IS NULL;

CREATE VIEW collection_paths (collection_id, path) AS
  WITH RECURSIVE walk (id, path) AS (
    SELECT id, position FROM collections WHERE parent_id IS NULL
    UNION ALL
    SELECT c.id, walk.path || '/' || c.position FROM walk JOIN collections c ON c.parent_id = walk.id
  )
  SELECT id, path FROM walk;
`;

const customFields = `
CREATE TABLE custom_fields (
  ${idWithin('org_id', 'organizations')},
  name TEXT NOT NULL, type TEXT NOT NULL, title TEXT, description TEXT, placeholder TEXT, options TEXT,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, told TEXT,
  UNIQUE (org_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE space_field_values (
  ${within('space_id', 'spaces')}, ${within('field_id', 'custom_fields')},
  value TEXT NOT NULL,
  PRIMARY KEY (space_id, field_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX space_field_values_field ON space_field_values (field_id);
`;

/**
 * SAML providers. Deleting the default team keeps the provider. SSO logins that belong to none have a table of their
 * own, where `told` is the whole login.
 */
const saml = `
CREATE TABLE saml_providers (
  ${idWithin('org_id', 'organizations')},
  label TEXT NOT NULL, entity_id TEXT, certificate TEXT, sso_url TEXT,
  default_team TEXT REFERENCES teams (id) ON DELETE SET NULL,
  default_role TEXT, created_at INTEGER NOT NULL, told TEXT, login_told TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX saml_providers_org ON saml_providers (org_id, created_at, id);
CREATE INDEX saml_providers_team ON saml_providers (default_team);

CREATE TABLE sso_logins (
  ${within('org_id', 'organizations')}, id TEXT NOT NULL, told TEXT NOT NULL,
  PRIMARY KEY (org_id, id)
) STRICT, WITHOUT ROWID;
`;

/** Translation settings; languages is a JSON list of language tags. */
const translations = `
CREATE TABLE translations (
  ${idWithin('org_id', 'organizations')},
  title TEXT NOT NULL, languages TEXT NOT NULL DEFAULT '[]', created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, told TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX translations_org ON translations (org_id, created_at, id);
`;

/**
 * OpenAPI specs, their versions, and their runs: a run starts when a source is set, and keeps the
 * document or the error found there until it ends (records/openapi-runs.ts). `filesystem` is the content of a version with
 * several files.
 */
const openapi = `
CREATE TABLE openapi_specs (
  ${idWithin('org_id', 'organizations')}, slug TEXT NOT NULL, source_url TEXT,
  state TEXT NOT NULL CHECK (state IN ('pending', 'progress', 'complete')),
  processed_at INTEGER, error TEXT, created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, told TEXT,
  UNIQUE (org_id, slug)
) STRICT, WITHOUT ROWID;
CREATE INDEX openapi_specs_org ON openapi_specs (org_id, created_at, id);

CREATE TABLE openapi_versions (
  ${idWithin('spec_id', 'openapi_specs')},
  number INTEGER NOT NULL, file TEXT NOT NULL, document TEXT NOT NULL, created_at INTEGER NOT NULL, told TEXT,
  filesystem TEXT,
  UNIQUE (spec_id, number)
) STRICT, WITHOUT ROWID;

CREATE TABLE openapi_runs (
  spec_id TEXT PRIMARY KEY REFERENCES openapi_specs (id) ON DELETE CASCADE,
  started_at INTEGER NOT NULL, file TEXT, document TEXT, error TEXT,
  CHECK ((document IS NULL) <> (error IS NULL))
) STRICT, WITHOUT ROWID;
CREATE INDEX openapi_runs_started ON openapi_runs (started_at);
`;

/**
 * The content of spaces. A revision is one row that refers to versions of pages, files and reusable
 * contents. Versions are immutable, so a further revision stores only what is new.
 *
 * - `pages` is a JSON tree of `{id, version, pages?}`; `files` and `reusables` are lists of
 *   `{id, version}`; `version` is the id of its row.
 * - A version is identified by the hash of its content, which is stored once.
 * - A revision that a space refers to but that has no row is empty.
 * - `document` is the structured text of a page that does not follow from its Markdown.
 * - `assumed` marks a revision of which only the id was told: the base of a change request.
 * - The full-text index contains all versions; a search picks those of current revisions.
 */
const content = `
CREATE TABLE revisions (
  ${idWithin('space_id', 'spaces')},
  change_request_id TEXT, parents TEXT NOT NULL, pages TEXT NOT NULL, files TEXT NOT NULL,
  reusables TEXT NOT NULL, message TEXT NOT NULL,
  author_id TEXT REFERENCES users (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL, told TEXT, assumed INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX revisions_space ON revisions (space_id, created_at, id);
CREATE INDEX revisions_author ON revisions (change_request_id, author_id);
CREATE INDEX revisions_user ON revisions (author_id);

CREATE TABLE page_versions (
  id INTEGER PRIMARY KEY, ${within('space_id', 'spaces')},
  hash TEXT NOT NULL, page_id TEXT NOT NULL, title TEXT NOT NULL, slug TEXT NOT NULL,
  description TEXT NOT NULL DEFAULT '', attributes TEXT NOT NULL DEFAULT '{}', created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL, markdown TEXT NOT NULL, told TEXT, document TEXT,
  UNIQUE (space_id, hash)
) STRICT;

CREATE TABLE file_versions (
  id INTEGER PRIMARY KEY, ${within('space_id', 'spaces')},
  hash TEXT NOT NULL, file_id TEXT NOT NULL, path TEXT NOT NULL, content_type TEXT NOT NULL,
  size INTEGER NOT NULL, width INTEGER, height INTEGER, base64 TEXT NOT NULL, told TEXT,
  UNIQUE (space_id, hash)
) STRICT;

CREATE TABLE reusable_versions (
  id INTEGER PRIMARY KEY, ${within('space_id', 'spaces')},
  hash TEXT NOT NULL, reusable_id TEXT NOT NULL, title TEXT NOT NULL, path TEXT NOT NULL,
  markdown TEXT NOT NULL, told TEXT,
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
`;

const count = (status: string) =>
  `(SELECT count(*) FROM change_requests WHERE space_id = NEW.space_id AND status = '${status}')`;

const recount = `
  UPDATE spaces SET
    change_requests = (SELECT count(*) FROM change_requests WHERE space_id = NEW.space_id),
    change_requests_open = ${count('open')},
    change_requests_draft = ${count('draft')}
  WHERE id = NEW.space_id;`;

/**
 * Change requests. Whether one is outdated is derived from its base, the revision of the space it last
 * merged; `current_at` is the revision of the space with which one is not, whatever its base. Triggers on the table of
 * comments maintain `comments_open`.
 */
const changeRequests = `
CREATE TABLE change_requests (
  ${idWithin('space_id', 'spaces')}, number INTEGER NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('draft', 'open', 'archived', 'merged')),
  subject TEXT NOT NULL,
  created_by TEXT REFERENCES users (id) ON DELETE SET NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, revision_id TEXT NOT NULL,
  revision_initial TEXT NOT NULL, revision_merged_ancestor TEXT, revision_merged TEXT,
  comments_open INTEGER NOT NULL DEFAULT 0, told TEXT, current_at TEXT,
  UNIQUE (space_id, number)
) STRICT, WITHOUT ROWID;
CREATE INDEX change_requests_status ON change_requests (space_id, status, number);
CREATE INDEX change_requests_user ON change_requests (created_by);

CREATE TRIGGER change_requests_added AFTER INSERT ON change_requests BEGIN ${recount}
END;
CREATE TRIGGER change_requests_changed AFTER UPDATE OF status ON change_requests BEGIN ${recount}
END;
`;

/**
 * Docs sites: sections, groups of sections, and the spaces on them.
 *
 * Groups and the sections outside of them share one order, by `position`. The sections of a group, the
 * spaces of a section, and those at the root each have their own. A deleted space keeps its place on the
 * site until it is purged, so that a restore brings it back; the view excludes it. A space transferred to
 * another organization leaves the sites of this one.
 */
const sites = `
CREATE TABLE sites (
  ${idWithin('org_id', 'organizations')},
  type TEXT NOT NULL DEFAULT 'basic', title TEXT NOT NULL, folded TEXT NOT NULL, hostname TEXT UNIQUE,
  basename TEXT, proxy TEXT UNIQUE, visibility TEXT NOT NULL DEFAULT 'public', share_key TEXT NOT NULL,
  published INTEGER NOT NULL DEFAULT 0, adaptive_content INTEGER NOT NULL DEFAULT 0, adaptive_schema TEXT,
  adaptive_schema_updated_at INTEGER, created_at INTEGER NOT NULL, icon TEXT, told TEXT,
  adaptive_schema_told TEXT,
  UNIQUE (org_id, basename)
) STRICT, WITHOUT ROWID;
CREATE INDEX sites_org ON sites (org_id, created_at, id);

CREATE TABLE section_groups (
  ${idWithin('site_id', 'sites')},
  title TEXT NOT NULL, icon TEXT, position TEXT NOT NULL DEFAULT '', told TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX section_groups_site ON section_groups (site_id, position);

CREATE TABLE sections (
  ${idWithin('site_id', 'sites')}, group_id TEXT REFERENCES section_groups (id) ON DELETE SET NULL,
  title TEXT NOT NULL, description TEXT, path TEXT NOT NULL, condition TEXT, icon TEXT,
  is_default INTEGER NOT NULL DEFAULT 0, position TEXT NOT NULL DEFAULT '', told TEXT,
  UNIQUE (site_id, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX sections_group ON sections (group_id);

CREATE TABLE site_spaces (
  ${idWithin('site_id', 'sites')}, section_id TEXT REFERENCES sections (id) ON DELETE CASCADE,
  ${within('space_id', 'spaces')},
  path TEXT NOT NULL, condition TEXT, is_default INTEGER NOT NULL DEFAULT 0, position TEXT NOT NULL DEFAULT '',
  told TEXT,
  UNIQUE (site_id, space_id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX site_spaces_path ON site_spaces (site_id, coalesce(section_id, ''), path);
CREATE INDEX site_spaces_section ON site_spaces (section_id);
CREATE INDEX site_spaces_space ON site_spaces (space_id, site_id);

CREATE VIEW live_site_spaces AS
  SELECT ss.* FROM site_spaces ss JOIN spaces s ON s.id = ss.space_id WHERE s.deleted_at IS NULL;

CREATE TRIGGER spaces_leave_sites AFTER UPDATE OF org_id ON spaces WHEN NEW.org_id <> OLD.org_id BEGIN
  DELETE FROM site_spaces WHERE space_id = NEW.id;
END;
CREATE TRIGGER sites_deleted AFTER DELETE ON sites BEGIN
  UPDATE organizations SET default_site = NULL WHERE id = OLD.org_id AND default_site = OLD.id;
END;
`;

const countOf = (row: 'NEW' | 'OLD') => `
  UPDATE spaces SET comments_open = (
    SELECT count(*) FROM comments
    WHERE space_id = ${row}.space_id AND change_request_id IS NULL AND status = 'open')
  WHERE id = ${row}.space_id AND ${row}.change_request_id IS NULL;
  UPDATE change_requests SET comments_open = (
    SELECT count(*) FROM comments WHERE change_request_id = ${row}.change_request_id AND status = 'open')
  WHERE id = ${row}.change_request_id;`;

const reactionsTo = (kind: 'comment' | 'reply', table: string) => `
CREATE TABLE ${kind}_reactions (
  ${within(`${kind}_id`, table)}, emoji TEXT NOT NULL,
  ${within('user_id', 'users')}, reacted_at INTEGER NOT NULL,
  PRIMARY KEY (${kind}_id, emoji, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX ${kind}_reactions_user ON ${kind}_reactions (user_id);`;

/**
 * Comments on spaces (`change_request_id` is null) and on change requests, their replies, and the
 * reactions to both. Triggers recount open comments with each change, so that the counts are right
 * however rows are added; a space counts its own, each change request those on it.
 *
 * `seq` orders comments posted within one millisecond. `page_version` is the page when the comment was
 * posted: shown if the page no longer exists, and used to detect that it has changed.
 */
const comments = `
CREATE TABLE comments (
  ${idWithin('space_id', 'spaces')},
  change_request_id TEXT REFERENCES change_requests (id) ON DELETE CASCADE,
  seq INTEGER NOT NULL,
  ${within('author_id', 'users')}, posted_at INTEGER NOT NULL, edited_at INTEGER, markdown TEXT,
  status TEXT NOT NULL DEFAULT 'open' CHECK (status IN ('open', 'resolved')),
  resolved_at INTEGER,
  resolved_by TEXT REFERENCES users (id) ON DELETE SET NULL,
  page_id TEXT, page_version INTEGER, node_id TEXT, node_preview TEXT, revision_id TEXT NOT NULL,
  review_id TEXT, told TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX comments_space ON comments (space_id, posted_at, seq) WHERE change_request_id IS NULL;
CREATE INDEX comments_space_open ON comments (space_id) WHERE change_request_id IS NULL AND status = 'open';
CREATE INDEX comments_change_request ON comments (change_request_id, posted_at, seq);
CREATE INDEX comments_change_request_open ON comments (change_request_id) WHERE status = 'open';
CREATE INDEX comments_author ON comments (author_id);
CREATE INDEX comments_resolver ON comments (resolved_by);

${reactionsTo('comment', 'comments')}

CREATE TABLE comment_replies (
  ${idWithin('comment_id', 'comments')}, seq INTEGER NOT NULL,
  ${within('author_id', 'users')}, posted_at INTEGER NOT NULL, edited_at INTEGER, markdown TEXT, told TEXT
) STRICT, WITHOUT ROWID;
CREATE INDEX comment_replies_comment ON comment_replies (comment_id, posted_at, seq);
CREATE INDEX comment_replies_author ON comment_replies (author_id);

${reactionsTo('reply', 'comment_replies')}

CREATE TRIGGER comments_added AFTER INSERT ON comments BEGIN ${countOf('NEW')}
END;
CREATE TRIGGER comments_changed AFTER UPDATE OF status ON comments BEGIN ${countOf('NEW')}
END;
CREATE TRIGGER comments_removed AFTER DELETE ON comments BEGIN ${countOf('OLD')}
END;
`;

export const schema: string = [
  ...[state, organizations, teams, spaces, customFields, saml, translations, openapi],
  ...[content, changeRequests, sites, comments, `PRAGMA user_version = ${schemaVersion};`],
].join('\n');
