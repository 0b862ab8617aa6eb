import { type Looked, lookUp, type Name, namesIn } from '../../access/names.js';
import {
  linkRisks,
  lockOutReasons,
  memberName,
  type ProviderFacts,
  waysIn,
} from '../../access/saml-providers.js';
import { linkMemberSso, listMembers, type Member } from '../../api/resources/members.js';
import { emailKey, nameKey, sameEmail } from '../../base/name.js';
import { isObject, jsonIn } from '../../base/values.js';
import { requestFor } from '../../jobs/change.js';
import { type JobItem, jobItem } from '../../jobs/journal.js';
import { parseRows, type Rows } from '../../jobs/rows.js';
import { counted } from '../../output/text.js';
import type { Reading } from '../../snapshot/unread.js';
import type { IdpPeople } from './idp.js';
import { rowStatuses } from './shapes.js';

/** From this many names on, one list of all members takes fewer requests than looking each up. */
const manyNames = 100;

interface NamesRead {
  names: Name[];
  /** Columns that say nothing of who is meant. */
  unused: string[];
  /** Rows of a readiness whose status is not `to-link`. */
  others: number;
}

/**
 * The members that a file names: emails or ids one a line; CSV or JSON rows with a column user, id or email; or what
 * `docs sso readiness` printed, of which the rows `to-link` count.
 * @param name its path, or `-`
 * @throws DocsError usage `bad_rows`, `missing_column`
 */
export async function namesFrom(text: string, name: string): Promise<NamesRead> {
  if (isList(text)) return { names: linesOf(text), unused: [], others: 0 };
  const rows = await parseRows(
    rowsOfReport(text) ?? text,
    rowsOfReport(text) === undefined ? name : 'rows.json',
  );
  const wanted = toLink(rows);
  const { names, unused } = namesIn(wanted);
  return {
    names,
    unused: unused.filter((one) => !isReadiness(rows) || one === 'user'),
    others: rows.rows.length - wanted.rows.length,
  };
}

/** Whether each line is one email or id: the first has no separator, and does not name a column. */
function isList(text: string): boolean {
  const first =
    text
      .split(/\r?\n/)
      .find((line) => line.trim() !== '')
      ?.trim() ?? '';
  const isHeader = ['user', 'id', 'user.id', 'email', 'user.email'].includes(nameKey(first));
  return !isHeader && !/^[[{]|[,;\t"]/.test(first);
}

function linesOf(text: string): Name[] {
  return text.split(/\r?\n/).flatMap((line, at) => {
    const own = line.trim();
    return own === '' ? [] : [{ text: own, place: { line: at + 1 } }];
  });
}

/** The rows in the object that `docs sso readiness --json` prints; undefined where it is something else. */
function rowsOfReport(text: string): string | undefined {
  // What is no JSON may be lines of it, one each.
  const report = text.trimStart().startsWith('{') ? jsonIn(text) : undefined;
  return isObject(report) && Array.isArray(report.rows) ? JSON.stringify(report.rows) : undefined;
}

const statuses: readonly unknown[] = rowStatuses;

function statusOf({ cells }: Rows['rows'][number]): unknown {
  return cells.find(({ name }) => name === 'status')?.value;
}

/** Other files may have a status of their own, such as ACTIVE. */
function isReadiness({ rows }: Rows): boolean {
  return rows.length > 0 && rows.every((row) => statuses.includes(statusOf(row)));
}

function toLink(all: Rows): Rows {
  if (!isReadiness(all)) return all;
  return { ...all, rows: all.rows.filter((row) => statusOf(row) === 'to-link') };
}

/** Looks up members by id or email; of many, in one list. @throws DocsError as `lookUp` */
export async function lookUpMany(reading: Reading, names: readonly Name[]): Promise<Looked[]> {
  if (names.length < manyNames) return lookUp(reading, names);
  const ids = new Map<string, Member>();
  const emails = new Map<string, Member | null>();
  const { client, organizationId } = reading;
  for await (const member of client.call(listMembers, { path: { organizationId } })) {
    ids.set(member.id, member);
    if (member.user.email === undefined) continue;
    const email = emailKey(member.user.email);
    emails.set(email, emails.has(email) ? null : member);
  }
  const found = names.map((name): Looked | undefined => {
    const member = name.text.includes('@') ? emails.get(emailKey(name.text)) : ids.get(name.text);
    const fits = name.email === undefined || sameEmail(member?.user.email, name.email);
    return member != null && fits ? { name, member } : undefined;
  });
  // What the list does not settle is looked up alone, which words the mistake.
  const open = names.filter((_, at) => found[at] === undefined);
  const settled = await lookUp(reading, open);
  return found.map((one) => one ?? (settled.shift() as Looked));
}

interface LinkRequest {
  reading: Reading;
  /** Who is to be linked, without the canary. */
  members: readonly Member[];
  canary: Member | undefined;
  /** The people of the identity provider, where a file tells them. */
  idp: IdpPeople | undefined;
  /** The provider they are to sign in through, by id or label. */
  provider: string | undefined;
  /** The time where the platform's is not known, in milliseconds. */
  nowMs(): number;
}

export interface PreparedLinks {
  /** Those who are not linked yet. */
  members: Member[];
  canary: Member | undefined;
  /** The canary, where it was linked before. */
  linkedCanary: Member | undefined;
  /** How many were linked before. */
  already: number;
  providers: readonly ProviderFacts[];
  /** Why it is refused, as sentences; empty where it is not. */
  reasons: string[];
  /** What to know before it starts, as sentences; the first says that there is no way back. */
  risks: string[];
}

const noInverse =
  'Linking has no inverse: the API cannot unlink a member, who can then sign in only through SSO.';

/**
 * Reads what decides whether linking may begin.
 * @throws DocsError not-found where there is no such provider; as `Client.call`
 */
export async function prepareLinks(request: LinkRequest): Promise<PreparedLinks> {
  const { members, canary, idp } = request;
  const open = (all: readonly Member[]) => all.filter(({ sso }) => !sso);
  const [toLink, first] = [open(members), open(canary === undefined ? [] : [canary])];
  const everybody = [...first, ...toLink];
  const { reading, provider, nowMs } = request;
  const linking = everybody.map(({ id }) => id);
  const inIdp = idp && inFile(idp);
  const ways = await waysIn(reading, linking, { provider, nowMs, ...(inIdp && { inIdp }) });
  const missing = idp === undefined ? [] : everybody.filter((member) => !inFile(idp)(member));
  return {
    members: toLink,
    canary: first[0],
    linkedCanary: canary?.sso ? canary : undefined,
    already: members.length - toLink.length + (canary === undefined ? 0 : 1) - first.length,
    providers: ways.providers ?? [],
    reasons:
      everybody.length === 0
        ? []
        : [
            ...roleReasons(ways),
            ...lockOutReasons(ways),
            ...missing.map(missingWords),
            ...canaryReasons(first),
          ],
    risks: [noInverse, ...linkRisks(ways), ...disabledRisks(toLink)],
  };
}

function inFile({ people }: IdpPeople): (member: Member) => boolean {
  const active = new Set(people.filter((one) => one.active !== false).map(({ email }) => emailKey(email)));
  return ({ user }) => user.email !== undefined && active.has(emailKey(user.email));
}

/** Without the role, every request would be refused. */
function roleReasons({ mayLink }: { mayLink: boolean }): string[] {
  return mayLink ? [] : ['The token in use does not have the role admin, which linking requires.'];
}

function missingWords(member: Member): string {
  return `${memberName(member)} is not in the identity provider under this email, or is disabled there.`;
}

function canaryReasons(canaries: readonly Member[]): string[] {
  return canaries
    .filter(({ disabled }) => disabled)
    .map((one) => `${memberName(one)} is disabled, so cannot show that signing in works.`);
}

function disabledRisks(members: readonly Member[]): string[] {
  const disabled = members.filter((one) => one.disabled).length;
  return disabled === 0 ? [] : [`${counted(disabled, 'disabled member')} would be linked, too.`];
}

export interface Linking {
  organizationId: string;
  /** Ids of the members to be linked, without the canary. */
  members: readonly string[];
  /** Linked before all others, who wait for it; undefined for none. */
  canary?: string | undefined;
  /** Index of the first item: 1 where the canary was a job of its own; default 0. */
  first?: number;
  /** How many are linked before a read must show them all linked. */
  batch: number;
  /** Whether a batch is linked although one before it failed. */
  continues: boolean;
}

/**
 * The requests that link members. Each is sent only to a member who is not linked, and is done only once a read
 * shows the member linked. A batch waits for all of the one before it, so its reads are the check between them;
 * the journal keeps that for a resume.
 */
export function planLinks({
  organizationId,
  members,
  canary,
  first: start = 0,
  batch,
  continues,
}: Linking): JobItem[] {
  const first = canary === undefined ? [] : [canary];
  const step = (userId: string, item: number, after: readonly number[]) => {
    const request = requestFor(linkMemberSso, { organizationId, userId });
    const waits = after.length > 0 && { after };
    return jobItem({ ...request, expect: { sso: false }, confirms: true, ...waits }, item);
  };
  const base = start + first.length;
  let before: readonly number[] = [...first.keys()];
  const steps = first.map((id) => step(id, 0, []));
  for (let from = 0; from < members.length; from += batch) {
    const now = members.slice(from, from + batch);
    steps.push(...now.map((id, at) => step(id, base + from + at, before)));
    if (!continues) before = now.map((_, at) => base + from + at);
  }
  return steps;
}

/** How many batches that is. */
export function batchesOf({ members, batch }: Pick<Linking, 'members' | 'batch'>): number {
  return Math.ceil(members.length / batch);
}
