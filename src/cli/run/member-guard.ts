import {
  calledMember,
  findTokenOwner,
  lastAdminReasons,
  ownerReasons,
  refusal,
  type TokenOwner,
} from '../../access/guards.js';
import type { Client } from '../../api/client.js';
import { deleteMember, getMember, type Member, updateMember } from '../../api/resources/members.js';
import { DocsError } from '../../base/errors.js';
import { emailKey } from '../../base/name.js';
import { isRefusal } from '../../jobs/reads.js';
import { counted, safeLine } from '../../output/text.js';
import { findCredential } from '../../settings/credentials.js';
import { organization } from '../../snapshot/organization.js';
import { allItems, type Reading } from '../../snapshot/unread.js';
import type { Caution, Changes, Guard } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { refuse } from './output.js';

/**
 * What changes of members do to the admins of an organization, with the checks of an offboarding, whichever command
 * sends them. Requests beside the change: none to make admins, but on a terminal one read per new admin; else the list
 * of admins, and if it has one of the members, a ping between two lists to find the owner of the token.
 */

type Call = Changes['calls'][number];

/** More new admins than this are counted, not named. */
const mostNamed = 20;

export const guardMembers: Guard = async ({ session, client, calls }) => {
  const { yes, dryRun } = session.globals;
  const plans = session.savePlan !== undefined;
  const changed = calls.filter(({ op: { id } }) => id === updateMember.id || id === deleteMember.id);
  const raised = changed.filter(makesAdmin);
  const others = changed.filter((call) => !makesAdmin(call));
  const reasons: string[] = [];
  const own: string[] = [];
  for (const organizationId of new Set(others.map(organizationOf))) {
    const ids = others.filter((call) => organizationOf(call) === organizationId).map(({ id }) => id);
    const [admins, lost] = await adminsAmong(client, organizationId, ids);
    const last = lastAdminReasons(admins, lost);
    const owner =
      last.length > 0
        ? { reasons: last, risks: [] }
        : await ownerAmong(session, client, organizationId, lost);
    reasons.push(...owner.reasons);
    own.push(...owner.risks);
  }
  refuse(session, refusal(reasons));
  const asks = session.interactive && !yes && !dryRun;
  const rise = asks || plans ? await riseOf(client, raised) : [];
  const [only] = rise;
  const risks = [...own, ...rise.map(({ words }) => words)];
  const question = calls.length === 1 && only !== undefined ? `Make ${only.name} an admin` : undefined;
  const isWhole = changed.length === calls.length;
  return {
    risks,
    needsYes: false,
    question,
    ...((asks || plans) && isWhole && { exposes: true }),
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
  const names = new Set(ids.map((id) => (id.includes('@') ? emailKey(id) : id)));
  const admins = await allItems(organization({ client, organizationId }).administrators());
  const named = admins.filter(
    ({ id, user }) => names.has(id) || (user?.email !== undefined && names.has(emailKey(user.email))),
  );
  return [admins, named];
}

/**
 * Why the owner of the token is not among those who lose the role admin. A dry run and a plan send no ping: they know
 * the member whom sign-in found, and else only that each of them may be the owner.
 */
async function ownerAmong(
  session: Session,
  client: Client,
  organizationId: string,
  lost: readonly Member[],
): Promise<{ reasons: string[]; risks: string[] }> {
  if (lost.length === 0) return { reasons: [], risks: [] };
  const own = (await findCredential(session.io, session.settings))?.member;
  const member = lost.find(({ id }) => id === own?.id);
  if (member !== undefined) return { reasons: ownerReasons({ is: 'known', member }, lost), risks: [] };
  const isSent = !session.globals.dryRun && session.savePlan === undefined;
  if (isSent) return { reasons: ownerReasons(await findTokenOwner(client, organizationId), lost), risks: [] };
  return { reasons: [], risks: own === undefined ? lost.map(mayOwnWords) : [] };
}

/**
 * The owner of the token. A dry run and a plan send no ping: a plan knows only the member whom sign-in found, and
 * applying it looks again.
 */
export async function ownerOf(
  session: Session,
  { client, organizationId }: Reading,
  members: readonly Member[],
): Promise<TokenOwner | undefined> {
  if (session.globals.dryRun) return undefined;
  if (session.savePlan === undefined) return findTokenOwner(client, organizationId);
  const own = (await findCredential(session.io, session.settings))?.member;
  const member = members.find(({ id }) => id === own?.id);
  return member && { is: 'known', member };
}

function mayOwnWords(member: Member): string {
  return `${calledMember(member)} may own the token in use; docs finds out before it sends this, and refuses it then.`;
}

/** The members who become admins, by name and with the role they have now. */
async function riseOf(client: Client, raised: readonly Call[]): Promise<{ name: string; words: string }[]> {
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
