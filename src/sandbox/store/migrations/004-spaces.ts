const rank = (column: string) => `CASE ${column}
  WHEN 'admin' THEN 6 WHEN 'create' THEN 5 WHEN 'review' THEN 4
  WHEN 'edit' THEN 3 WHEN 'comment' THEN 2 WHEN 'read' THEN 1 ELSE 0 END`;

/**
 * Collections, spaces, grants, and custom fields.
 *
 * Levels are ranks in the views: read 1 … admin 6, none 0. The rules are in access.ts. Triggers maintain
 * a space's cap, the highest level it gives by default, because every list of members needs it. The tables
 * of comments and change requests maintain their counters here, by triggers.
 */
export const spaces = `
CREATE TABLE collections (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  parent_id TEXT REFERENCES collections (id),
  title TEXT NOT NULL,
  description TEXT,
  default_level TEXT DEFAULT 'inherit',
  position INTEGER NOT NULL,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX collections_siblings ON collections (org_id, parent_id, position, id);
CREATE INDEX collections_parent ON collections (parent_id);

CREATE TABLE spaces (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  parent_id TEXT REFERENCES collections (id),
  title TEXT NOT NULL,
  emoji TEXT NOT NULL DEFAULT '',
  icon TEXT,
  visibility TEXT NOT NULL DEFAULT 'in-collection',
  edit_mode TEXT NOT NULL DEFAULT 'live',
  default_level TEXT DEFAULT 'inherit',
  revision_id TEXT NOT NULL,
  cap INTEGER NOT NULL DEFAULT 0,
  position INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  deleted_at INTEGER,
  git_sync TEXT,
  comments_open INTEGER NOT NULL DEFAULT 0,
  change_requests INTEGER NOT NULL DEFAULT 0,
  change_requests_open INTEGER NOT NULL DEFAULT 0,
  change_requests_draft INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX spaces_siblings ON spaces (org_id, parent_id, position, id);
CREATE INDEX spaces_parent ON spaces (parent_id);
CREATE INDEX spaces_deleted ON spaces (deleted_at) WHERE deleted_at IS NOT NULL;

CREATE TABLE space_users (
  space_id TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  level TEXT NOT NULL,
  PRIMARY KEY (space_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX space_users_user ON space_users (user_id, space_id);

CREATE TABLE space_teams (
  space_id TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
  team_id TEXT NOT NULL REFERENCES teams (id) ON DELETE CASCADE,
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

CREATE TABLE custom_fields (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  name TEXT NOT NULL,
  type TEXT NOT NULL,
  title TEXT,
  description TEXT,
  placeholder TEXT,
  options TEXT,
  created_at INTEGER NOT NULL,
  updated_at INTEGER NOT NULL,
  UNIQUE (org_id, name)
) STRICT, WITHOUT ROWID;

CREATE TABLE space_field_values (
  space_id TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
  field_id TEXT NOT NULL REFERENCES custom_fields (id) ON DELETE CASCADE,
  value TEXT NOT NULL,
  PRIMARY KEY (space_id, field_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX space_field_values_field ON space_field_values (field_id);
`;
