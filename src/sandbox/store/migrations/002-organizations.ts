/**
 * Organizations, users, members and link invites. Times are milliseconds since the epoch; `folded`
 * columns contain case-folded text for searches (fold.ts).
 */
export const organizations = `
CREATE TABLE organizations (
  id TEXT PRIMARY KEY,
  title TEXT NOT NULL,
  created_at INTEGER NOT NULL,
  email_domains TEXT NOT NULL DEFAULT '[]',
  hostname TEXT UNIQUE,
  type TEXT NOT NULL DEFAULT 'business',
  use_case TEXT,
  community_type TEXT,
  default_role TEXT,
  default_site TEXT,
  sso INTEGER NOT NULL DEFAULT 0,
  ai INTEGER NOT NULL DEFAULT 1,
  invite_links INTEGER NOT NULL DEFAULT 1,
  plan TEXT NOT NULL DEFAULT 'free_2024',
  logo TEXT,
  billing_interval TEXT,
  billing_end_date INTEGER
) STRICT, WITHOUT ROWID;

CREATE TABLE users (
  id TEXT PRIMARY KEY,
  display_name TEXT NOT NULL,
  email TEXT NOT NULL UNIQUE COLLATE NOCASE,
  folded TEXT NOT NULL,
  photo_url TEXT
) STRICT, WITHOUT ROWID;

CREATE TABLE members (
  org_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  role TEXT,
  disabled INTEGER NOT NULL DEFAULT 0,
  joined_at INTEGER NOT NULL,
  last_seen_at INTEGER,
  sso INTEGER NOT NULL DEFAULT 0,
  PRIMARY KEY (org_id, user_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX members_user ON members (user_id);
CREATE INDEX members_joined ON members (org_id, joined_at, user_id);
CREATE INDEX members_seen ON members (org_id, last_seen_at, user_id) WHERE last_seen_at IS NOT NULL;
CREATE INDEX members_admins ON members (org_id, joined_at) WHERE role = 'admin';

CREATE TABLE invites (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  role TEXT NOT NULL,
  redundant INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE INDEX invites_org ON invites (org_id);
`;
