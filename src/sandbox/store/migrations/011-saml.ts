/** SAML providers. Deleting the default team keeps the provider. */
export const saml = `
CREATE TABLE saml_providers (
  id TEXT PRIMARY KEY,
  org_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  label TEXT NOT NULL,
  entity_id TEXT,
  certificate TEXT,
  sso_url TEXT,
  default_team TEXT REFERENCES teams (id) ON DELETE SET NULL,
  default_role TEXT,
  created_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX saml_providers_org ON saml_providers (org_id, created_at, id);
CREATE INDEX saml_providers_team ON saml_providers (default_team);
`;
