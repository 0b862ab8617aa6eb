import { rowStatuses } from '../../access/sso/report.js';
import { listMembers, type Member } from '../../api/resources/members.js';
import { emailKey, nameKey, sameEmail } from '../../base/name.js';
import { isObject } from '../../base/values.js';
import { parseRows, type Rows } from '../../jobs/rows.js';
import type { Reading } from '../../snapshot/unread.js';
import { type Looked, lookUp, type Name, namesIn } from '../offboard/people.js';

/** From this many names on, one list of all members takes fewer requests than looking each up. */
const manyNames = 100;

export interface NamesRead {
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

/** Whether each line is one email or id: the first has no separator, and is no name of a column. */
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
  if (!text.trimStart().startsWith('{')) return undefined;
  try {
    const report: unknown = JSON.parse(text);
    return isObject(report) && Array.isArray(report.rows) ? JSON.stringify(report.rows) : undefined;
  } catch {
    return undefined; // Lines of JSON, one each.
  }
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
