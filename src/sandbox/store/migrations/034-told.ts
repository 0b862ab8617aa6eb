const tables = [
  'organizations',
  'users',
  'members',
  'teams',
  'team_members',
  'collections',
  'spaces',
  'custom_fields',
  'translations',
  'saml_providers',
  'openapi_specs',
  'openapi_versions',
  'sites',
  'section_groups',
  'sections',
  'site_spaces',
];

/**
 * What a copy of an organization answers as the platform told it, although it does not follow from the columns:
 * JSON of records/told.ts. `filesystem` is the content of an OpenAPI version with several files. SSO logins that
 * belong to no SAML provider have a table of their own, where `told` is the whole login.
 */
export const told = `
${tables.map((table) => `ALTER TABLE ${table} ADD COLUMN told TEXT;`).join('\n')}
ALTER TABLE saml_providers ADD COLUMN login_told TEXT;
ALTER TABLE sites ADD COLUMN adaptive_schema_told TEXT;
ALTER TABLE openapi_versions ADD COLUMN filesystem TEXT;

CREATE TABLE sso_logins (
  org_id TEXT NOT NULL REFERENCES organizations (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  told TEXT NOT NULL,
  PRIMARY KEY (org_id, id)
) STRICT, WITHOUT ROWID;
`;
