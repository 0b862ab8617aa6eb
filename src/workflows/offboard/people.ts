import type { Client } from '../../api/client.js';
import { getMember, listMembers, type Member } from '../../api/resources/members.js';
import type { Session } from '../../cli/declare/session.js';
import { type Mistake, mistakeWords } from '../../cli/run/bulk/rows.js';
import { DocsError, usageError } from '../../errors.js';
import { runInOrder } from '../../jobs/in-order.js';
import type { Rows } from '../../jobs/rows.js';

/** Who is meant: ids and emails, typed or in a file, each a member or a mistake. */

/** A person as named: by id or email, or by both. */
export interface Name {
  text: string;
  /** The email of the same row, which must be that of the person. */
  email?: string;
  /** Where it stands, in a file. */
  place?: Pick<Mistake, 'line' | 'column' | 'name'>;
}

const idColumns: readonly string[] = ['user', 'id', 'user.id'];
const emailColumns: readonly string[] = ['email', 'user.email'];

/**
 * The people that the rows of a file name. Other columns are not used.
 * @throws DocsError usage `missing_column`, `bad_rows`
 */
export function namesIn({ header, rows }: Rows): { names: Name[]; unused: string[] } {
  const known = (name: string) => [...idColumns, ...emailColumns].includes(normal(name));
  const columns = header?.cells ?? [];
  if (header !== undefined && !columns.some(({ name }) => known(name)))
    throw usageError(
      'missing_column',
      `Line ${header.line}: no column is called user or email; nothing was sent.`,
    );
  const mistakes: Mistake[] = [];
  const names = rows.flatMap((row): Name[] => {
    const texts = row.cells.flatMap(({ name, value, column }) =>
      typeof value === 'string' && known(name)
        ? [{ by: normal(name), text: value.trim(), name, column }]
        : [],
    );
    const id = texts.find(({ by }) => idColumns.includes(by));
    const email = texts.find(({ by }) => emailColumns.includes(by));
    const first = id ?? email;
    if (first === undefined || first.text === '') {
      mistakes.push({ line: row.line, message: 'this row names nobody: user and email are empty.' });
      return [];
    }
    const place = { line: row.line, name: first.name, ...(first.column > 0 && { column: first.column }) };
    return [
      { text: first.text, place, ...(id !== undefined && email !== undefined && { email: email.text }) },
    ];
  });
  if (mistakes.length > 0) throw badRows(mistakes);
  return { names, unused: columns.map(({ name }) => name).filter((name) => !known(name)) };
}

function normal(name: string): string {
  return name.trim().toLowerCase();
}

/** How the platform is asked. */
export interface Asking {
  client: Client;
  organizationId: string;
  concurrency: number;
}

/** A name and whom it names, or what is wrong with it. */
export interface Looked {
  name: Name;
  member?: Member;
  wrong?: { message: string; unknown: boolean };
}

/** Looks everybody up, by one request each. @throws DocsError where the platform is out of reach */
export async function lookUp(asking: Asking, names: readonly Name[]): Promise<Looked[]> {
  const looked: Looked[] = [];
  const look = (index: number) => find(asking, names[index] as Name);
  for await (const one of runInOrder(names.length, look, asking)) {
    if ('failure' in one) throw one.failure;
    looked.push(one.looked);
  }
  return looked;
}

type Found = { looked: Looked } | { failure: unknown };

async function find(asking: Asking, name: Name): Promise<Found> {
  try {
    const looked = name.text.includes('@') ? await byEmail(asking, name) : await byId(asking, name);
    return { looked };
  } catch (failure) {
    return { failure };
  }
}

async function byId({ client, organizationId }: Asking, name: Name): Promise<Looked> {
  try {
    const member = await client.call(getMember, { path: { organizationId, userId: name.text } });
    const other = name.email !== undefined && !isSame(member.user.email, name.email);
    if (!other) return { name, member };
    const has = member.user.email ?? 'none that is shown';
    return wrong(name, `${shown(name.text)} has another email than ${shown(name.email ?? '')}: ${has}.`);
  } catch (cause) {
    if (!(cause instanceof DocsError) || cause.kind !== 'not-found') throw cause;
    return wrong(name, `No member has the id ${shown(name.text)}.`, true);
  }
}

/** The platform searches in names and emails; only the whole email counts, whatever its case. */
async function byEmail({ client, organizationId }: Asking, name: Name): Promise<Looked> {
  const found = new Map<string, Member>();
  const query = { search: name.text };
  for await (const member of client.call(listMembers, { path: { organizationId }, query }))
    if (isSame(member.user.email, name.text)) found.set(member.id, member);
  const exact = [...found.values()].filter(({ user }) => user.email === name.text);
  const [only, ...others] = exact.length > 0 ? exact : [...found.values()];
  if (only === undefined) return wrong(name, `No member has the email ${shown(name.text)}.`, true);
  if (others.length === 0) return { name, member: only };
  const ids = [only, ...others].map(({ id }) => id).join(', ');
  return wrong(name, `${others.length + 1} members have the email ${shown(name.text)}: ${ids}. Give the id.`);
}

function isSame(email: string | undefined, typed: string): boolean {
  return email?.toLowerCase() === typed.toLowerCase();
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

function wrong(name: Name, message: string, unknown = false): Looked {
  return { name, wrong: { message, unknown } };
}

/**
 * Refuses where anybody was not found, or not surely: all of them are told.
 * @throws DocsError not-found `unknown_people`; usage `bad_people`, or `bad_rows` of a file
 */
export function refuseWrong({ settings, printer }: Session, looked: readonly Looked[]): void {
  const bad = looked.flatMap(({ name, wrong: what }) => (what === undefined ? [] : [{ name, ...what }]));
  const [first] = bad;
  if (first === undefined) return;
  const mistakes = bad.flatMap(({ name: { place }, message }): Mistake[] =>
    place === undefined ? [] : [{ ...place, message }],
  );
  const lines = bad.map(({ name: { place }, message }) =>
    place === undefined ? message : mistakeWords({ ...place, message }),
  );
  const isJson = ['json', 'ndjson'].includes(settings.output?.value ?? '');
  if (!isJson && bad.length > 1) for (const line of lines) printer.warn(line);
  if (mistakes.length > 0) throw badRows(mistakes);
  const all =
    bad.length === 1
      ? `${first.message} Nothing was changed.`
      : `${bad.length} of ${looked.length} people were not found, or not surely; nothing was changed.`;
  const failure = {
    details: { mistakes: bad.map(({ name, message }) => ({ name: name.text, message })) },
    outcome: 'not-sent' as const,
    hint: 'docs members list',
  };
  if (bad.every(({ unknown }) => unknown)) throw new DocsError('not-found', 'unknown_people', all, failure);
  throw usageError('bad_people', all, failure);
}

/** Mistakes of a file: the first one is in the message, all are in the details. */
export function badRows(mistakes: readonly Mistake[]): DocsError {
  const [first] = mistakes;
  const rows = new Set(mistakes.map(({ line }) => line)).size;
  const count = `${rows} ${rows === 1 ? 'row has a mistake' : 'rows have mistakes'}`;
  const message = `${count}; nothing was changed. ${first === undefined ? '' : mistakeWords(first)}`;
  return usageError('bad_rows', message.trim(), { details: { mistakes: [...mistakes] } });
}
