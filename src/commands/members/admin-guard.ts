import { readAdmins } from '../../access/read/admins.js';
import { findTokenOwner, mayOwnToken } from '../../access/read/token-owner.js';
import type { Client } from '../../api/client.js';
import { getMember, type Member } from '../../api/resources/members.js';
import type { Caution, Changes, Guard } from '../../cli/declare/guard.js';
import type { Session } from '../../cli/declare/session.js';
import { defined } from '../../defined.js';
import { DocsError } from '../../errors.js';
import { isRefusal } from '../../jobs/request.js';
import { counted } from '../../output/counted.js';
import { safeLine } from '../../output/safe-text.js';
import { findCredential } from '../../settings/credentials.js';
import { calledMember, lastAdminReasons, refusal } from '../../workflows/offboard/refusals.js';
import { refuse } from './offboard-request.js';

/**
 * What changes of members do to the admins of an organization, with the checks of an offboarding. Requests
 * beside the change: none to make admins, but on a terminal one read per new admin; else the list of admins,
 * and if it has one of the members, a ping between two lists to find the owner of the token.
 */

type Call = Changes['calls'][number];

/** More new admins than this are counted, not named. */
const mostNamed = 20;

export const guardAdmins: Guard = async ({ session, client, calls }) => {
  const { yes, dryRun } = session.globals;
  const plans = session.savePlan !== undefined;
  const raised = calls.filter(makesAdmin);
  const others = calls.filter((call) => !makesAdmin(call));
  const reasons: string[] = [];
  const own: string[] = [];
  for (const organizationId of new Set(others.map(organizationOf))) {
    const ids = others.filter((call) => organizationOf(call) === organizationId).map(({ id }) => id);
    const [admins, lost] = await adminsAmong(client, organizationId, ids);
    const last = lastAdminReasons(admins, lost);
    reasons.push(...last);
    const alone = calls.length === 1;
    // A dry run sends no ping; --yes answers the question that a change of one member raises.
    if (lost.length === 0 || last.length > 0 || dryRun || (alone && yes && !plans)) continue;
    const found = plans
      ? await signedInAmong(session, lost)
      : await ownersAmong(client, organizationId, lost);
    if (!alone && found.sure) reasons.push(...found.members.map(amongOthers));
    else own.push(...found.members.map((member) => ownWords(member, calls, found.sure)));
  }
  refuse(session, refusal(reasons));
  const asks = session.interactive && !yes && !dryRun;
  const rise = asks || plans ? await riseOf(client, raised) : [];
  const [only] = rise;
  const risks = [...own, ...rise.map(({ words }) => words)];
  const question = calls.length === 1 && only !== undefined ? `Make ${only.name} an admin` : undefined;
  return {
    risks,
    needsYes: own.length > 0,
    ...defined({ question }),
    ...((asks || plans) && { exposes: true }),
  } satisfies Caution;
};

function makesAdmin({ input }: Call): boolean {
  return (input.body as { role?: unknown } | undefined)?.role === 'admin';
}

function organizationOf({ input }: Call): string {
  return input.path?.organizationId ?? '';
}

/** All admins, and those of them that the ids or emails name. */
async function adminsAmong(
  client: Client,
  organizationId: string,
  ids: readonly string[],
): Promise<[admins: Member[], named: Member[]]> {
  const names = new Set(ids.map((id) => (id.includes('@') ? id.toLowerCase() : id)));
  const admins: Member[] = [];
  for await (const admin of readAdmins(client, organizationId)) admins.push(admin);
  const named = admins.filter(({ id, user }) => names.has(id) || names.has(user?.email?.toLowerCase() ?? id));
  return [admins, named];
}

/** Those who own the token in use, or may own it. All of them are admins. */
async function ownersAmong(
  client: Client,
  organizationId: string,
  members: readonly Member[],
): Promise<{ sure: boolean; members: Member[] }> {
  const owner = await findTokenOwner(client, organizationId);
  const found = members.filter((member) => mayOwnToken(owner, member, {}));
  return { sure: owner.is === 'known', members: found };
}

/** The same for a plan, which sends no ping: the member whom sign-in found, else each of them may be the owner. */
async function signedInAmong(
  { io, settings }: Session,
  members: readonly Member[],
): Promise<{ sure: boolean; members: readonly Member[] }> {
  const own = (await findCredential(io, settings))?.member;
  if (own === undefined) return { sure: false, members };
  return { sure: true, members: members.filter(({ id }) => id === own.id) };
}

function amongOthers(member: Member): string {
  return `${calledMember(member)} owns the token in use, and without the role admin it could not finish; change this member alone, and last.`;
}

function ownWords(member: Member, calls: readonly Call[], sure: boolean): string {
  const leaves = calls.some(({ id, input }) => id === member.id && input.body === undefined);
  const back = leaves ? 'another admin has to invite you again' : 'another admin has to give it back';
  const loss = leaves ? 'you would leave the organization' : 'you would lose the role admin';
  return `${calledMember(member)} ${sure ? 'owns' : 'may own'} the token in use: ${loss}, and ${back}.`;
}

interface Rise {
  name: string;
  words: string;
}

/** The members who become admins, by name and with the role they have now. */
async function riseOf(client: Client, raised: readonly Call[]): Promise<Rise[]> {
  if (raised.length > mostNamed) {
    const name = counted(raised.length, 'member');
    return [{ name, words: `${name} would be admins, who control the whole organization.` }];
  }
  const found = await Promise.all(raised.map((call) => roleNow(client, call)));
  return found.flatMap(({ name, role }) => {
    if (role === 'admin') return [];
    const now = role === undefined ? '' : ` The role now: ${safeLine(role ?? 'guest')}.`;
    return [{ name, words: `${name} would control the whole organization.${now}` }];
  });
}

/** The role is undefined where it cannot be read. */
async function roleNow(
  client: Client,
  { input, id }: Call,
): Promise<{ name: string; role?: Member['role'] }> {
  try {
    const path = { organizationId: input.path?.organizationId ?? '', userId: id };
    const { user, role } = await client.call(getMember, { path });
    const { displayName, email } = user;
    const also = email ?? id;
    return { name: safeLine(displayName ? `${displayName} (${also})` : also), role };
  } catch (cause) {
    const unknown = cause instanceof DocsError && (isRefusal(cause) || cause.kind === 'not-found');
    if (!unknown) throw cause;
    return { name: safeLine(id) };
  }
}
