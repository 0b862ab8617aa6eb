import { allowsRole, atMostOf, type OwnRole, roleOf } from '../../access/own-role.js';
import type { Client } from '../../api/client.js';
import { getMember, type Member } from '../../api/resources/members.js';
import { getOrg, type Organization } from '../../api/resources/orgs.js';
import { getSite } from '../../api/resources/sites.js';
import { getSpace } from '../../api/resources/spaces.js';
import { DocsError } from '../../base/errors.js';
import { defined } from '../../base/values.js';
import type { GroupEntry } from '../../cli/declare/command.js';
import { callsOf, outlineTree } from '../../cli/declare/outline.js';
import type { Session } from '../../cli/declare/session.js';
import { patience } from '../../cli/run/find-titles.js';
import { gatedCommand } from '../../cli/run/policy-gate.js';
import type { Fact } from '../../document/document.js';
import { counted } from '../../output/text.js';
import { decideCommand } from '../../policy/decide.js';
import type { Settings } from '../../settings/settings.js';
import { memberName } from '../../settings/settings-file.js';
import { checkedClient } from '../../snapshot/checked-client.js';
import { lateError, limitedClient } from '../../snapshot/tasks.js';
import { contextParts, labels, type SignedIn, type Titles } from './signed-in.js';

/** What `docs status` tells beyond the settings: titles, the person, their role, and what they may not do. */

export interface Identity {
  titles: Titles;
  /** Of the member whose token it is. */
  name?: string;
  role: OwnRole | null;
  /** The highest role that is possible, where the role is unknown. */
  roleAtMost?: OwnRole;
  mayNot: Limit[];
}

/** For how long the answers to these reads may be waited for. */
const patienceMs = 2000;

/**
 * Reads for a person the titles of the context, one read each and all at once; for a program the member at most, where
 * the permissions of the token do not tell the role. What cannot be read in time is left out.
 */
export async function identityOf(
  session: Session,
  found: SignedIn,
  groups: readonly GroupEntry[],
  isPerson: boolean,
): Promise<Identity> {
  const { org, space, site, member } = await inTime(session, found, isPerson);
  const role = (member === undefined ? roleOf(org?.permissions) : (member.role ?? 'guest')) ?? null;
  const roleAtMost = role === null ? atMostOf(org?.permissions) : undefined;
  return {
    titles: defined({ org: org?.title, space: space?.title, site: site?.title }),
    ...defined({ name: member?.user.displayName, roleAtMost }),
    role,
    mayNot: await limitsOf(session, { role, roleAtMost }, groups),
  };
}

interface Read {
  org?: Organization;
  space?: { title: string };
  site?: { title: string };
  member?: Member;
}

async function inTime(session: Session, found: SignedIn, isPerson: boolean): Promise<Read> {
  if (!found.works) return {};
  const until = patience(patienceMs, lateError());
  const client = checkedClient(limitedClient(await session.client(), { until }));
  return await read(session, client, found, isPerson);
}

async function read(
  { settings, io }: Session,
  client: Client,
  { organizations = [], member: stored }: SignedIn,
  isPerson: boolean,
): Promise<Read> {
  const [organizationId, spaceId, siteId] = [
    settings.org?.value,
    settings.space?.value,
    settings.site?.value,
  ];
  const listed = organizations.find(({ id }) => id === organizationId);
  if (organizationId === undefined) return {};
  const asksMember = stored !== undefined && (isPerson || roleOf(listed?.permissions) === undefined);
  const found = async <T>(isAsked: boolean, call: () => Promise<T>): Promise<T | undefined> => {
    if (!isAsked) return undefined;
    try {
      return await call();
    } catch (cause) {
      if (!(cause instanceof DocsError) || io.signal.aborted) throw cause;
      return undefined;
    }
  };
  const path = { organizationId };
  const [org, space, site, member] = await Promise.all([
    found(listed === undefined && isPerson, () => client.call(getOrg, { path })),
    found(isPerson && spaceId !== undefined, () =>
      client.call(getSpace, { path: { spaceId: spaceId ?? '' } }),
    ),
    found(isPerson && siteId !== undefined, () =>
      client.call(getSite, { path: { ...path, siteId: siteId ?? '' } }),
    ),
    found(asksMember, () => client.call(getMember, { path: { ...path, userId: stored?.id ?? '' } })),
  ]);
  return defined({ org: listed ?? org, space, site, member });
}

/** What keeps a session from doing what other members may do. */

export interface Limit {
  because: 'role' | 'policy' | 'rehearsal';
  /** A phrase. */
  why: string;
  commands: string[];
}

interface Has {
  role: OwnRole | null;
  roleAtMost: OwnRole | undefined;
}

async function limitsOf(
  session: Session,
  { role, roleAtMost }: Has,
  groups: readonly GroupEntry[],
): Promise<Limit[]> {
  const { settings, gate } = session;
  const limits: Limit[] = [];
  const { rehearsal } = settings;
  if (rehearsal !== undefined) {
    const why = `a rehearsal changes a copy of ${rehearsal.organization.title}, and nothing on ${rehearsal.origin}`;
    limits.push({ because: 'rehearsal', why, commands: [] });
  }
  const tree = await outlineTree(groups);
  const highest = role ?? roleAtMost;
  const above =
    highest === undefined
      ? []
      : tree
          .filter(({ command }) => allowsRole({ role, roleAtMost }, callsOf(command)) === 'no')
          .map(({ path }) => path);
  if (above.length > 0) {
    const why = role === null ? `the role is at most ${highest}` : `the role is ${role}`;
    limits.push({ because: 'role', why, commands: above });
  }
  const policies = gate?.policies ?? [];
  const denied = tree.filter(
    ({ path, command }) => decideCommand(policies, gatedCommand(path, command)).is === 'deny',
  );
  if (policies.length > 0 && denied.length > 0) {
    const why = `a policy denies it: ${policies.map(({ file }) => file).join(', ')}`;
    limits.push({ because: 'policy', why, commands: denied.map(({ path }) => path) });
  }
  return limits;
}

/** `docs status` as people read it on a terminal. */

/** Commands that are named of those that are refused. */
const mostNamed = 3;

export function statusFacts(settings: Settings, found: SignedIn, identity: Identity): Fact[] {
  const context = contextParts.map((name): Fact => {
    const { value, where = 'not set' } = settings[name] ?? {};
    const title = identity.titles[name as keyof Identity['titles']];
    const shown = title === undefined ? value : `${title} (${value})`;
    return { label: labels[name], value: shown ?? '-', beside: where };
  });
  const lines = [...context, ...personLines(found, identity), ...limitLines(identity)];
  const { token, works, problem } = found;
  const signIn: Fact = {
    label: 'sign-in',
    value: works ? 'works' : token === null ? (problem ?? 'not signed in') : 'does not work',
    beside: token ?? '-',
    tone: works ? 'good' : 'bad',
  };
  return lines.toSpliced(context.length, 0, signIn);
}

function personLines({ token, member, works }: SignedIn, { name, role, roleAtMost }: Identity): Fact[] {
  if (token === null) return [];
  const known = member === undefined ? undefined : memberName(member);
  const who = name === undefined ? known : `${name} (${known})`;
  const lines: Fact[] = [
    { label: 'member', value: who ?? 'unknown', beside: member === undefined ? '-' : 'sign-in' },
  ];
  if (!works) return lines;
  const atMost = roleAtMost === undefined ? 'unknown' : `${roleAtMost} at most`;
  const from = name === undefined ? 'permissions of the token' : 'member';
  return [...lines, { label: 'role', value: role ?? atMost, beside: role === null ? '-' : from }];
}

function limitLines({ mayNot }: Identity): Fact[] {
  return mayNot.map((limit, at) => ({ label: at === 0 ? 'may not' : '', value: limitWords(limit) }));
}

function limitWords({ because, why, commands }: Limit): string {
  if (because === 'rehearsal') return why;
  const named = commands.slice(0, mostNamed).join(', ');
  const more = commands.length > mostNamed ? `, … (${counted(commands.length, 'command')})` : '';
  return `${named}${more}: ${why}`;
}
