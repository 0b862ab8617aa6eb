import { getMember, listMembers, type Member } from '../api/resources/members.js';
import { DocsError, sentences, usageError } from '../base/errors.js';
import { nameKey, sameEmail } from '../base/name.js';
import { type Mistake, mistakeWords, type Rows } from '../jobs/rows.js';
import { readAll } from '../jobs/sequence.js';
import { type Reading, unlessNotFound } from '../snapshot/unread.js';
import type { Refusal } from './guards.js';

/** A member as named, typed or in a file: by id or email, or by both. */
export interface Name {
  text: string;
  /** The email in the same row, which must be the member's. */
  email?: string;
  place?: Pick<Mistake, 'line' | 'column' | 'name'>;
}

const idColumns: readonly string[] = ['user', 'id', 'user.id'];
const emailColumns: readonly string[] = ['email', 'user.email'];

/**
 * The members that the rows of a file name, and the columns it ignores.
 * @throws DocsError usage `missing_column`, `bad_rows`
 */
export function namesIn({ header, rows }: Rows): { names: Name[]; unused: string[] } {
  const known = (name: string) => [...idColumns, ...emailColumns].includes(nameKey(name));
  const columns = header?.cells ?? [];
  if (header !== undefined && !columns.some(({ name }) => known(name)))
    throw usageError('missing_column', `line ${header.line}: missing column user or email`);
  const mistakes: Mistake[] = [];
  const names = rows.flatMap(({ line, cells }): Name[] => {
    const cellOf = (columns: readonly string[]) =>
      cells.find(({ name, value }) => typeof value === 'string' && columns.includes(nameKey(name)));
    const [id, email] = [cellOf(idColumns), cellOf(emailColumns)];
    const first = id ?? email;
    const text = String(first?.value ?? '').trim();
    if (first === undefined || text === '') {
      mistakes.push({ line, message: 'user and email are empty.' });
      return [];
    }
    const place = { line, name: first.name, ...(first.column > 0 && { column: first.column }) };
    return [{ text, place, ...(id && email && { email: String(email.value).trim() }) }];
  });
  if (mistakes.length > 0) throw badRows(mistakes);
  return { names, unused: columns.map(({ name }) => name).filter((name) => !known(name)) };
}

export interface Looked {
  name: Name;
  member?: Member;
  wrong?: { message: string; unknown: boolean };
}

/** Looks up each name, with one request each. @throws DocsError as `Client.call`, except not-found */
export async function lookUp(reading: Reading, names: readonly Name[]): Promise<Looked[]> {
  return readAll(reading, names, (name) => (name.text.includes('@') ? byEmail : byId)(reading, name));
}

async function byId({ client, organizationId }: Reading, name: Name): Promise<Looked> {
  try {
    const member = await client.call(getMember, { path: { organizationId, userId: name.text } });
    const { email = 'not visible' } = member.user;
    if (name.email === undefined || sameEmail(member.user.email, name.email)) return { name, member };
    return wrong(name, `The email of ${quoted(name.text)} is ${email}, not ${quoted(name.email)}.`);
  } catch (cause) {
    unlessNotFound(cause);
    return notFound(name);
  }
}

/** The platform searches in names and emails; only the whole email counts, in any case. */
async function byEmail({ client, organizationId }: Reading, name: Name): Promise<Looked> {
  const found = new Map<string, Member>();
  const query = { search: name.text };
  for await (const member of client.call(listMembers, { path: { organizationId }, query }))
    if (sameEmail(member.user.email, name.text)) found.set(member.id, member);
  const exact = [...found.values()].filter(({ user }) => user.email === name.text);
  const fitting = exact.length > 0 ? exact : [...found.values()];
  const [only] = fitting;
  if (only === undefined) return notFound(name);
  if (fitting.length === 1) return { name, member: only };
  const ids = fitting.map(({ id }) => id).join(', ');
  return wrong(name, `Email ${quoted(name.text)} matches ${fitting.length} members: ${ids}. Use the id.`);
}

function quoted(text: string): string {
  return JSON.stringify(text.slice(0, 100));
}

function notFound(name: Name): Looked {
  return wrong(name, `member ${quoted(name.text)} not found`, true);
}

function wrong(name: Name, message: string, unknown = false): Looked {
  return { name, wrong: { message, unknown } };
}

/**
 * The refusal where any name was not found, or is ambiguous.
 * @returns with a DocsError not-found `unknown_people`; usage `bad_people`, or `bad_rows` of a file
 */
export function wrongNames(looked: readonly Looked[]): Refusal | undefined {
  const bad = looked.flatMap(({ name, wrong: what }) => (what === undefined ? [] : [{ name, ...what }]));
  const [first] = bad;
  if (first === undefined) return undefined;
  const mistakes = bad.flatMap(({ name: { place }, message }) => (place ? [{ ...place, message }] : []));
  const reasons = bad.map(({ name: { place }, message }) =>
    place ? mistakeWords({ ...place, message }) : message,
  );
  if (mistakes.length > 0) return { reasons, error: badRows(mistakes) };
  const all =
    bad.length === 1
      ? sentences(first.message, 'Nothing was changed')
      : `${bad.length} of ${looked.length} members are unknown or ambiguous; nothing was changed`;
  const failure = {
    details: { mistakes: bad.map(({ name, message }) => ({ name: name.text, message })) },
    outcome: 'not-sent' as const,
    hint: 'docs members list',
  };
  if (!bad.every(({ unknown }) => unknown)) return { reasons, error: usageError('bad_people', all, failure) };
  return { reasons, error: new DocsError('not-found', 'unknown_people', all, failure) };
}

/** The error for mistakes in a file: the first is in the message, all are in the details. */
export function badRows(mistakes: readonly Mistake[]): DocsError {
  const [first] = mistakes;
  const rows = new Set(mistakes.map(({ line }) => line)).size;
  const count = `${rows} ${rows === 1 ? 'row has a mistake' : 'rows have mistakes'}`;
  const message = `${count}; nothing was changed. ${first === undefined ? '' : mistakeWords(first)}`;
  return usageError('bad_rows', message.trim(), { details: { mistakes: [...mistakes] } });
}
