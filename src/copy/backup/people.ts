import type { Member } from '../../api/resources/members.js';
import type { SamlProvider } from '../../api/resources/saml.js';
import type { SsoLogin } from '../../api/resources/sso.js';
import type { Team } from '../../api/resources/teams.js';
import { type Role, roles } from '../../api/shapes.js';
import {
  putMember,
  putMemberAccess,
  putSamlProvider,
  putSsoLogin,
  putTeam,
  putTeamMember,
  type TeamMemberItem,
} from '../../sandbox/copy/organization.js';
import { idFrom } from '../../sandbox/store/rows.js';
import type { Filling } from './parts.js';

/** Members, and someone who can use the copy. */
export async function fillMembers({ db, orgId, top, gaps, signal }: Filling): Promise<void> {
  for await (const member of top.items<Member>(top.find('members'))) {
    putMember(db, orgId, member);
    signal.throwIfAborted();
  }
  const admins = "SELECT 1 FROM members WHERE org_id = ? AND role = 'admin' LIMIT 1";
  if (db.get(admins, orgId) !== undefined) return;
  putMember(db, orgId, standIn(orgId));
  gaps.push(
    'The backup has no administrator; the copy has one besides, "Sandbox administrator", so that it can be used.',
  );
}

/** Teams, and ways to sign in, which name teams. */
export async function fillTeams({ db, orgId, top, gaps }: Filling): Promise<void> {
  for (const entry of top.all('team')) {
    const team = await top.json<Team>(entry);
    if (team !== undefined) putTeam(db, orgId, team);
  }
  let strangers = 0;
  for (const entry of top.all('team-members')) {
    const { id = '' } = entry;
    for await (const item of top.items<TeamMemberItem>(entry))
      if (!putTeamMember(db, orgId, id, item)) strangers += 1;
  }
  if (strangers > 0) gaps.push(`Left out of teams: ${strangers} people who are not in the list of members.`);
  for await (const provider of top.items<SamlProvider>(top.find('saml')))
    putSamlProvider(db, orgId, provider);
  for await (const login of top.items<SsoLogin>(top.find('sso'))) putSsoLogin(db, orgId, login);
}

/** What each member can do in each space. Put the spaces first. */
export async function fillAccess({ db, top, gaps, signal }: Filling): Promise<void> {
  const entry = top.find('access');
  if (entry === undefined) {
    gaps.push('The backup has no permissions of people in spaces; the copy has those that levels give.');
    return;
  }
  let higher = 0;
  for await (const { member, ...spaces } of top.items<AccessLine>(entry)) {
    higher += putMemberAccess(db, member, rolesIn(spaces));
    signal.throwIfAborted();
  }
  if (higher > 0)
    gaps.push(
      `${higher} permissions are higher in the copy than in the backup: levels of spaces and roles give more here.`,
    );
}

/** Puts members and teams again, so that their counts are those of the backup. */
export async function settlePeople({ db, orgId, top }: Filling): Promise<void> {
  for await (const member of top.items<Member>(top.find('members'))) putMember(db, orgId, member);
  for (const entry of top.all('team')) {
    const team = await top.json<Team>(entry);
    if (team !== undefined) putTeam(db, orgId, team);
  }
  for await (const provider of top.items<SamlProvider>(top.find('saml')))
    putSamlProvider(db, orgId, provider);
}

/** A line of access.json. */
type AccessLine = { member: string } & Record<string, unknown>;

/** The highest permission by space. */
function rolesIn(spaces: Readonly<Record<string, unknown>>): Map<string, Role> {
  const found = new Map<string, Role>();
  // From high to low.
  for (const role of roles)
    for (const id of [spaces[role] ?? []].flat()) if (!found.has(String(id))) found.set(String(id), role);
  return found;
}

function standIn(orgId: string): Member {
  const id = idFrom(`administrator of the copy of ${orgId}`);
  const user = { displayName: 'Sandbox administrator', email: 'admin@copy.invalid' };
  return {
    object: 'member',
    id,
    role: 'admin',
    user: { object: 'user', id, ...user, urls: {} },
    disabled: false,
    joinedAt: new Date(0).toISOString(),
    sso: false,
    spaces: 0,
    teams: 0,
  };
}
