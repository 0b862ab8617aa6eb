/**
 * Docs sites: sections, groups of sections, and the spaces on them.
 *
 * Groups and the sections outside of them share one order, by `position`. The sections of a group, the
 * spaces of a section, and those at the root each have their own. A deleted space keeps its place on the
 * site until it is purged, so that a restore brings it back; the view excludes it. A space transferred to
 * another organization leaves the sites of this one.
 */
export const sites = `
CREATE TABLE sites (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  type TEXT NOT NULL DEFAULT 'basic',
  title TEXT NOT NULL,
  folded TEXT NOT NULL,
  hostname TEXT UNIQUE,
  basename TEXT,
  proxy TEXT UNIQUE,
  visibility TEXT NOT NULL DEFAULT 'public',
  share_key TEXT NOT NULL,
  published INTEGER NOT NULL DEFAULT 0,
  adaptive_content INTEGER NOT NULL DEFAULT 0,
  adaptive_schema TEXT,
  adaptive_schema_updated_at INTEGER,
  created_at INTEGER NOT NULL,
  UNIQUE (org_id, basename)
) STRICT, WITHOUT ROWID;
CREATE INDEX sites_org ON sites (org_id, created_at, id);

CREATE TABLE section_groups (
  id TEXT PRIMARY KEY,
  site_id TEXT NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  title TEXT NOT NULL,
  icon TEXT,
  position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX section_groups_site ON section_groups (site_id, position, id);

CREATE TABLE sections (
  id TEXT PRIMARY KEY,
  site_id TEXT NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  group_id TEXT REFERENCES section_groups (id) ON DELETE SET NULL,
  title TEXT NOT NULL,
  description TEXT,
  path TEXT NOT NULL,
  condition TEXT,
  icon TEXT,
  is_default INTEGER NOT NULL DEFAULT 0,
  position INTEGER NOT NULL,
  UNIQUE (site_id, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX sections_group ON sections (group_id);

CREATE TABLE site_spaces (
  id TEXT PRIMARY KEY,
  site_id TEXT NOT NULL REFERENCES sites (id) ON DELETE CASCADE,
  section_id TEXT REFERENCES sections (id) ON DELETE CASCADE,
  space_id TEXT NOT NULL REFERENCES spaces (id) ON DELETE CASCADE,
  path TEXT NOT NULL,
  condition TEXT,
  is_default INTEGER NOT NULL DEFAULT 0,
  position INTEGER NOT NULL,
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
