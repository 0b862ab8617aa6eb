import type { CustomField } from '../../api/resources/custom-fields.js';
import type { Member, TeamMembership } from '../../api/resources/members.js';
import type { OpenApiSpec, OpenApiVersion, OpenApiVersionContent } from '../../api/resources/openapi.js';
import type { Organization } from '../../api/resources/orgs.js';
import type { SamlProvider, SsoLogin } from '../../api/resources/saml.js';
import type { Team } from '../../api/resources/teams.js';
import { type Role, roles, type User } from '../../api/shapes.js';
import { formatJson } from '../../api/transport/json-text.js';
import { type MemberRole, rank, spaceRank } from '../access.js';
import { customFields } from '../handlers/custom-fields.js';
import { specs, toVersion, type VersionRow, versionLayout } from '../handlers/openapi.js';
import { memberById, memberLayout, teams } from '../handlers/people.js';
import { type SamlRow, samlProviders, toSsoLogin } from '../handlers/saml.js';
import type { InOrg, OrgTable } from '../org-table.js';
import { toldJson } from '../records/fields.js';
import { type OrgRow, orgById, type UserColumns, userColumns } from '../records/in-path.js';
import { msOrNull } from '../records/layout.js';
import { orgLayout, toOrg, toUser } from '../records/org.js';
import { found } from '../refusal.js';
import type { Database } from '../store/database.js';
import { type Columns, fold } from '../store/rows.js';

/** Puts an organization. Its default site may come later. Call within a write. */
export function putOrganization(db: Database, org: Organization): void {
  const { id, billing, defaultContent, urls } = org;
  const row = {
    ...orgLayout.columns(org),
    default_site: defaultContent?.type === 'site' ? (defaultContent.site ?? null) : null,
    logo: urls?.logo ?? null,
    billing_interval: billing?.interval ?? null,
    billing_end_date: msOrNull(billing?.endDate),
  };
  const read = () => db.get<OrgRow>('SELECT * FROM organizations WHERE id = ?', id);
  putRow(db, 'organizations', row, org, () => toOrg(found(read(), 'organization', id), 'admin'));
}

type FieldItem = Omit<CustomField, 'permissions'>;

/** A value of a space, as the API lists it: with its field. */
export interface FieldValueItem {
  customField: FieldItem;
  value?: unknown;
}

/** Puts the definition of a custom field. Call within a write. */
export function putCustomField(db: Database, orgId: string, field: FieldItem): void {
  putItem(db, orgId, customFields, field, field.name);
}

/**
 * Puts the values of a space: of each field the value listed, or none. A field that the organization lacks here,
 * since the list of fields could not be read, is put as the value names it. Call within a write.
 */
export function putFieldValues(db: Database, spaceId: string, values: readonly FieldValueItem[]): void {
  const space = db.get<{ org_id: string }>('SELECT org_id FROM spaces WHERE id = ?', spaceId);
  if (space === undefined) return;
  db.run('DELETE FROM space_field_values WHERE space_id = ?', spaceId);
  for (const { customField, value } of values) {
    const known = 'SELECT 1 FROM custom_fields WHERE id = ?';
    if (db.get(known, customField.id) === undefined) putCustomField(db, space.org_id, customField);
    if (value === undefined) continue;
    upsert(db, 'space_field_values', ['space_id', 'field_id'], {
      space_id: spaceId,
      field_id: customField.id,
      value: formatJson(value),
    });
  }
}

/** Puts a SAML provider. Its default team is put as the provider names it, unless it is there. Call within a write. */
export function putSamlProvider(db: Database, orgId: string, provider: SamlProvider): void {
  const { id, defaultTeam } = provider;
  const isThere = 'SELECT 1 FROM teams WHERE id = ?';
  if (defaultTeam !== undefined && db.get(isThere, defaultTeam.id) === undefined)
    putTeam(db, orgId, defaultTeam);
  putItem(db, orgId, samlProviders, provider, id, { default_team: defaultTeam?.id ?? null });
}

/** Puts a way to sign in: of a SAML provider that is there, or one of its own. Call within a write. */
export function putSsoLogin(db: Database, orgId: string, login: SsoLogin): void {
  const { id } = login;
  const read = () => db.get<SamlRow>('SELECT * FROM saml_providers WHERE org_id = ? AND id = ?', orgId, id);
  const row = read();
  if (row === undefined) {
    upsert(db, 'sso_logins', ['org_id', 'id'], { org_id: orgId, id, told: JSON.stringify(login) });
    return;
  }
  db.run('DELETE FROM sso_logins WHERE org_id = ? AND id = ?', orgId, id);
  const own = () => toSsoLogin(found(read(), 'SAML provider', id));
  tell(db, { table: 'saml_providers', key: { id }, column: 'login_told' }, login, own);
}

/**
 * Puts a member and their user. Counts of teams and spaces are right once these are there and the member is put
 * again. Call within a write.
 */
export function putMember(db: Database, orgId: string, member: Member): void {
  const { user } = member;
  putUser(db, user);
  const key = { org_id: orgId, user_id: user.id };
  upsert(db, 'members', Object.keys(key), {
    ...memberLayout.columns(member),
    ...key,
    // A role that the sandbox does not know gives nothing here, as that of a guest; it is shown as told.
    role: roles.find((known) => known === member.role) ?? null,
  });
  tell(db, { table: 'members', key }, member, () => memberById(db, orgId, user.id));
}

/** Puts a user as the list of members has them. Call within a write. */
function putUser(db: Database, user: User): void {
  const { id, displayName = id } = user;
  const email = freeEmail(db, user);
  const folded = fold(`${displayName}\n${user.email ?? ''}`);
  const row = { id, display_name: displayName, email, folded, photo_url: user.photoURL ?? null };
  const read = () => db.get<UserColumns>(`SELECT ${userColumns} FROM users u WHERE u.id = ?`, id);
  putRow(db, 'users', row, user, () => toUser(found(read(), 'user', id)));
}

/**
 * Puts the user that a comment, a change request or a team names, unless there is one: the list of members,
 * which is read first, tells more. Users outside the organization, such as authors who left, get a row.
 */
export function ensureUser(db: Database, user: User): void {
  if (db.get('SELECT 1 FROM users WHERE id = ?', user.id) === undefined) putUser(db, user);
}

/** Emails are unique here; a user without one, or with that of another user, gets one that nobody has. */
function freeEmail(db: Database, { id, email }: User): string {
  const taken = 'SELECT 1 FROM users WHERE email = ? AND id <> ?';
  if (email !== undefined && db.get(taken, email, id) === undefined) return email;
  return `${id}@unknown.invalid`;
}

/** A membership as backups hold it: who, and with which role. */
export type TeamMemberItem = Pick<TeamMembership, 'team'> & { user: Pick<User, 'id'> };

/**
 * Puts a team. Its counts of members and spaces are right once its members are there and it is put again; the
 * platform does not tell which spaces it has access to. Call within a write.
 */
export function putTeam(db: Database, orgId: string, team: Omit<Team, 'permissions'>): void {
  putItem(db, orgId, teams, team, team.id);
}

/**
 * Puts a member into a team. Call within a write.
 * @returns false, without a change, if the user is not a member of the organization
 */
export function putTeamMember(
  db: Database,
  orgId: string,
  teamId: string,
  { user, team }: TeamMemberItem,
): boolean {
  const isMember = 'SELECT 1 FROM members WHERE org_id = ? AND user_id = ?';
  if (db.get(isMember, orgId, user.id) === undefined) return false;
  const key = { team_id: teamId, user_id: user.id };
  const role = team.role === 'owner' ? 'owner' : 'member';
  upsert(db, 'team_members', Object.keys(key), { ...key, org_id: orgId, role });
  tell(db, { table: 'team_members', key }, team, () => ({ role }));
  return true;
}

/**
 * Puts what a member can do in a space. The platform tells the permission, not where it comes from, so a copy
 * holds it as a grant to the person, but only where levels do not give as much already: the default level of the
 * space, at most the role of the person (rules 2 and 4 of access.ts). Teams have no grants in a copy, so removing
 * someone from a team takes nothing away there, and changing a level changes what others get by it. Put members,
 * collections and the space first. Call within a write.
 * @param role null if the person has no access
 * @returns false if levels give more than the platform told, which no grant can take away
 */
export function putAccess(db: Database, userId: string, spaceId: string, role: Role | null): boolean {
  const [byLevel = 0] = byLevels(db, userId, spaceId).map((space) => space.rank);
  return putGrant(db, userId, { spaceId, rank: byLevel }, role);
}

/**
 * Puts what a member can do in all spaces of the organization; in one that is not named, nothing. As `putAccess`.
 * @returns how many permissions are higher here than the platform told
 */
export function putMemberAccess(db: Database, userId: string, roles: ReadonlyMap<string, Role>): number {
  const put = (space: SpaceRank) => putGrant(db, userId, space, roles.get(space.spaceId) ?? null);
  return byLevels(db, userId).filter((space) => !put(space)).length;
}

interface SpaceRank {
  spaceId: string;
  rank: number;
}

function putGrant(db: Database, userId: string, { spaceId, rank: byLevel }: SpaceRank, role: Role | null) {
  if (rank(role) > byLevel) {
    const sql = 'INSERT OR REPLACE INTO space_users (space_id, user_id, level) VALUES (?, ?, ?)';
    db.run(sql, spaceId, userId, role);
  } else db.run('DELETE FROM space_users WHERE space_id = ? AND user_id = ?', spaceId, userId);
  return rank(role) >= byLevel;
}

/** What a member could do in each space, or one, without any grant to the person. */
function byLevels(db: Database, userId: string, spaceId?: string): SpaceRank[] {
  const members = db.all<MemberRole & { orgId: string }>(
    'SELECT org_id AS orgId, user_id AS userId, role FROM members WHERE user_id = ?',
    userId,
  );
  return members.flatMap(({ orgId, role }) => {
    // Grants to nobody.
    const [sql, ...values] = spaceRank({ userId: '', role });
    return db.all<SpaceRank>(
      `SELECT caps.space_id AS spaceId, ${sql} AS rank FROM space_caps caps
       WHERE caps.org_id = ? AND caps.space_id = coalesce(?, caps.space_id)`,
      ...[...values, orgId, spaceId ?? null],
    );
  });
}

const states = ['pending', 'progress', 'complete'];

/** Puts a spec. Its last version is right once its versions are there and it is put again. Call within a write. */
export function putSpec(db: Database, orgId: string, spec: OpenApiSpec): void {
  const { slug, processingState: state } = spec;
  // A state that the sandbox does not know is shown as told.
  const known = states.includes(state) ? state : 'complete';
  putItem(db, orgId, specs, spec, slug, { state: known });
}

/**
 * Puts the versions of a spec, in place of those it has here. Only content that is there already stays: put that of
 * the latest one behind them. `url` is where the content is, so it always is an address of the sandbox itself. Call
 * within a write.
 * @param versions the latest first, as the API lists them
 */
export function putSpecVersions(db: Database, specId: string, versions: readonly OpenApiVersion[]): void {
  const sql = 'SELECT org_id AS orgId, slug FROM openapi_specs WHERE id = ?';
  const spec = found(db.get<{ orgId: string; slug: string }>(sql, specId), 'OpenAPI spec', specId);
  const contents = 'SELECT * FROM openapi_versions WHERE spec_id = ?';
  const known = new Map(db.all<VersionRow>(contents, specId).map((row) => [row.id, row]));
  db.run('DELETE FROM openapi_versions WHERE spec_id = ?', specId);
  for (const [index, version] of versions.entries()) {
    const { id } = version;
    const { file = '', document = '', filesystem = null } = known.get(id) ?? {};
    const number = versions.length - index;
    const made = { ...versionLayout.columns(version), created_at: msOf(version.createdAt) };
    const row = { spec_id: specId, number, file, document, filesystem, ...made };
    const read = () => db.get<VersionRow>('SELECT * FROM openapi_versions WHERE id = ?', id);
    const own = () => toVersion({ ...spec, origin: '' }, found(read(), 'version', id));
    putRow(db, 'openapi_versions', row, version, own, ['url']);
  }
}

/** Puts the content of the latest version of a spec; nothing if it has no version. Call within a write. */
export function putSpecContent(
  db: Database,
  specId: string,
  { filesystem }: Pick<OpenApiVersionContent, 'filesystem'>,
): void {
  const [[file, document] = ['', null], ...others] = Object.entries(filesystem);
  const isOne = file !== '' && others.length === 0;
  db.run(
    `UPDATE openapi_versions SET file = ?, document = ?, filesystem = ? WHERE spec_id = ? AND number =
       (SELECT max(number) FROM openapi_versions WHERE spec_id = ?)`,
    ...(isOne ? [file, formatJson(document), null] : ['', '', formatJson(filesystem)]),
    ...[specId, specId],
  );
}

/**
 * Inserts a row, or changes the one with the same key; undefined leaves a column as it is, or at its default.
 * Table and column names must never come from input.
 */
export function upsert(db: Database, table: string, keys: readonly string[], row: Columns): void {
  const names = Object.keys(row).filter((name) => row[name] !== undefined);
  const values = names.map((name) => row[name] ?? null);
  const others = names.filter((name) => !keys.includes(name));
  const changes = others.map((name) => `${name} = excluded.${name}`).join(', ');
  db.run(
    `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})
     ON CONFLICT (${keys.join(', ')}) DO ${others.length === 0 ? 'NOTHING' : `UPDATE SET ${changes}`}`,
    ...values,
  );
}

/** Puts a resource of an organization by the columns of its table. @param more columns that its fields do not give */
export function putItem(
  db: Database,
  orgId: string,
  items: OrgTable<object>,
  told: object,
  key: string,
  more: Columns = {},
): void {
  const row = { org_id: orgId, ...items.columns(told), ...more };
  putRow(db, items.table, row, told, () => items.get(asAdmin(db, orgId), key));
}

/** Puts a row by its id, and what the platform told of it besides; see `upsert` and `tell`. */
export function putRow(
  db: Database,
  table: string,
  row: Columns,
  told: object,
  own: () => object,
  except?: readonly string[],
): void {
  upsert(db, table, ['id'], row);
  tell(db, { table, key: { id: String(row.id) } }, told, own, except);
}

interface Tellable {
  table: string;
  /** Values by key column. */
  key: Readonly<Record<string, string>>;
  /** Default `told`. */
  column?: string;
}

/**
 * Records what the platform told of a resource and its row does not give (records/fields.ts).
 * @param own what the sandbox answers now; called without what was told before
 */
export function tell(
  db: Database,
  { table, key, column = 'told' }: Tellable,
  told: object,
  own: () => object,
  except: readonly string[] = [],
): void {
  const where = Object.keys(key)
    .map((name) => `${name} = ?`)
    .join(' AND ');
  const ids = Object.values(key);
  // Of most rows, nothing was told before: then this changes nothing, which is quick.
  db.run(`UPDATE ${table} SET ${column} = NULL WHERE ${where} AND ${column} IS NOT NULL`, ...ids);
  const json = toldJson(own(), told, except);
  if (json !== null) db.run(`UPDATE ${table} SET ${column} = ? WHERE ${where}`, json, ...ids);
}

/** Milliseconds of a time as the platform writes it; 0 for what is not one. */
export function msOf(time: string | undefined): number {
  return msOrNull(time) ?? 0;
}

/** An organization as an administrator sees it, as a backup is read. @throws 404 if it is not there */
export function asAdmin(db: Database, orgId: string): InOrg {
  const org = found(orgById(db, orgId), 'organization', orgId);
  return { db, org, caller: { userId: '', email: '', role: 'admin', level: 'admin' } };
}
