/** A change beside the program, of a field that a backup has. */
export interface Change {
  sql: string;
  /** What a restore says of it where it cannot bring it back. */
  lack?: string;
  /** The kind of what `docs backup diff` then still shows. */
  stays?: string;
}

const anyOf = (table: string, id = 'id') => `${id} = (SELECT min(${id}) FROM ${table})`;

/** Of the seed `tiny`. */
export const changes: readonly Change[] = [
  // What comes back.
  { sql: "UPDATE organizations SET title = 'Broken'" },
  { sql: `UPDATE organizations SET email_domains = '["other.example"]', ai = 0, default_role = 'edit'` },
  { sql: "UPDATE organizations SET hostname = 'broken-docs' WHERE hostname = 'acme-docs'" },
  { sql: 'UPDATE organizations SET invite_links = 0' },
  { sql: "UPDATE spaces SET title = 'Hello', emoji = '🎉' WHERE title = 'Welcome'" },
  { sql: "UPDATE spaces SET edit_mode = 'locked', default_level = 'read' WHERE title = 'Board Notes'" },
  { sql: "UPDATE translations SET title = 'Wrong'" },
  {
    sql: "UPDATE saml_providers SET label = 'Wrong', entity_id = 'https://x.example', sso_url = 'https://y.example'",
  },
  { sql: 'UPDATE saml_providers SET default_role = NULL, default_team = NULL' },
  { sql: "UPDATE sites SET visibility = 'unlisted', adaptive_content = 0" },
  { sql: "UPDATE sites SET basename = 'wrong'" },
  // What does not, or not all of it.
  {
    sql: "UPDATE openapi_specs SET source_url = 'https://wrong.example/openapi.json'",
    lack: 'versions of OpenAPI specs',
    stays: 'openapi-spec',
  },
  {
    sql: "UPDATE organizations SET plan = 'free_2024', use_case = 'notes'",
    lack: 'type, use case, plan and custom domain of the organization',
    stays: 'organization',
  },
  {
    sql: 'UPDATE members SET disabled = 1 - disabled WHERE role IS NULL',
    lack: 'disabled members',
    stays: 'member',
  },
  { sql: 'UPDATE members SET sso = 1', lack: 'members linked to SSO since', stays: 'member' },
  {
    sql: `UPDATE translations SET languages = '["it"]'`,
    lack: 'languages of translations',
    stays: 'translation',
  },
  {
    sql: "UPDATE spaces SET visibility = 'private' WHERE title = 'Engineering Handbook'",
    lack: 'visibility of spaces',
    stays: 'space',
  },
  { sql: 'UPDATE sites SET published = 0', lack: 'publication of sites', stays: 'site' },
  {
    sql: "UPDATE sites SET hostname = 'wrong.acme.example'",
    lack: 'icons and custom domains of sites',
    stays: 'site',
  },
  {
    sql: `UPDATE spaces SET icon = 'https://files.example.com/icon.png' WHERE title = 'Board Notes'`,
    lack: 'icons of spaces',
  },
  {
    sql: `UPDATE spaces SET git_sync = '{"repoName":"docs","installationProvider":"github","integration":"github","url":"https://git.example.com","updatedAt":1}' WHERE ${anyOf('spaces')}`,
    lack: 'Git Sync and visitor authentication of spaces',
    stays: 'space',
  },
];
