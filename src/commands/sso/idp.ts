import { usageError } from '../../base/errors.js';
import { emailKey, sameEmail, sameName } from '../../base/name.js';
import { asText, defined, isObject } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { readRowsFile } from '../../cli/run/typed-files.js';
import type { Cell, Rows } from '../../jobs/rows.js';

/** People as an identity provider exports them: Okta, Entra, Google and others, as CSV or JSON. */

export interface IdpPerson {
  /** The line of the file, from 1. */
  line: number;
  /** The address that they sign in with. */
  email: string;
  /** Their other addresses and logins. */
  aliases: readonly string[];
  name?: string;
  /** Whether they can sign in there; undefined where the file does not say, or says something unknown. */
  active?: boolean;
}

export interface IdpPeople {
  people: IdpPerson[];
  /** The column that the addresses came from, as the file writes it. */
  column: string;
  /** Lines without an address. */
  withoutEmail: number[];
  /** Addresses that several lines have, folded to lower case. */
  duplicates: { email: string; lines: number[] }[];
  /** Unknown values in the columns of state, with the number of lines that have each. */
  unknownStates: Map<string, number>;
}

/** The columns that can hold the address, by what is left of their name; the first of a list wins. */
const emailColumns = ['email', 'emailaddress', 'mail', 'primaryemail', 'primaryemailaddress', 'workemail'];
const loginColumns = ['userprincipalname', 'upn', 'username', 'login', 'nameid', 'samlnameid', 'signinname'];
const aliasColumns = [
  ...['alias', 'aliases', 'emailaliases', 'proxyaddresses', 'othermails', 'secondemail', 'secondaryemail'],
  ...['alternateemailaddress', 'alternateemail', 'worksecondaryemail', 'homesecondaryemail'],
];
const nameColumns = ['displayname', 'name', 'fullname', 'namefullname'];
const givenColumns = ['firstname', 'givenname', 'namegivenname'];
const familyColumns = ['lastname', 'surname', 'familyname', 'sn', 'namefamilyname'];
const activeColumns = ['active', 'status', 'accountenabled', 'enabled', 'accountstatus', 'userstatus'];
const inactiveColumns = [
  ...['suspended', 'disabled', 'blocked', 'blockcredential', 'archived', 'deactivated', 'deleted'],
  ...['issuspended', 'isdisabled', 'isblocked', 'isarchived', 'isdeleted', 'signinblocked'],
];
const yes = ['true', 'yes', 'y', '1', 'active', 'enabled', 'on'];
const no = ['false', 'no', 'n', '0', 'inactive', 'disabled', 'off'];
/** States of Okta and others; those who have yet to set a password, or are locked out for a while, are active. */
const activeStates = [...yes, 'provisioned', 'recovery', 'passwordexpired', 'passwordreset', 'lockedout'];
const inactiveStates = [
  ...[...no, 'suspended', 'deprovisioned', 'staged', 'deactivated', 'blocked', 'archived', 'deleted'],
  ...['terminated', 'pendingdelete', 'softdeleted'],
];

/**
 * @param column the name of the column with the address, where it is not to be guessed
 * @throws DocsError usage `missing_column`, `ambiguous_column`: nothing was read of the platform
 */
export function idpPeople({ header, rows }: Rows, column?: string): IdpPeople {
  const flat = rows.map(({ line, cells }) => ({ line, cells: flattened(cells) }));
  const names = header?.cells.map(({ name }) => name) ?? [
    ...new Set(flat.flatMap(({ cells }) => cells.map(({ name }) => name))),
  ];
  const chosen = column === undefined ? guessed(names) : named(names, column);
  const found: IdpPeople = {
    ...{ people: [], column: chosen, withoutEmail: [], duplicates: [], unknownStates: new Map() },
  };
  const lines = new Map<string, number[]>();
  for (const { line, cells } of flat) {
    const person = personIn(cells, { line, chosen, fallback: column === undefined }, found.unknownStates);
    if (person === undefined) {
      found.withoutEmail.push(line);
      continue;
    }
    const key = emailKey(person.email);
    const same = lines.get(key);
    if (same === undefined) {
      lines.set(key, [line]);
      found.people.push(person);
    } else same.push(line);
  }
  for (const [email, all] of lines) if (all.length > 1) found.duplicates.push({ email, lines: all });
  return found;
}

/** What is left of a column's name: `Email Address [Required]` is `emailaddress`, `profile.email` is `email`. */
function plain(name: string): string {
  return name
    .toLowerCase()
    .replace(/\[[^\]]*\]/g, '')
    .replace(/^(?:user|profile|attributes)[._]/, '')
    .replace(/[^\p{L}\p{N}]/gu, '');
}

function guessed(names: readonly string[]): string {
  const emails = names.filter((name) => emailColumns.includes(plain(name)));
  const logins = names.filter((name) => loginColumns.includes(plain(name)));
  const [first, ...others] = emails.length > 0 ? emails : logins;
  const hint = 'docs sso readiness --help';
  if (first === undefined) {
    const known = names.slice(0, 12).map((name) => JSON.stringify(name.slice(0, 40)));
    const message = `no column of the file is known to hold the email (${known.join(', ')}); name it with --idp-column`;
    throw usageError('missing_column', message, { hint, details: { columns: [...names] } });
  }
  if (others.length === 0) return first;
  const all = [first, ...others].map((name) => JSON.stringify(name.slice(0, 40))).join(' and ');
  const message = `columns ${all} may both hold the email; name one with --idp-column`;
  throw usageError('ambiguous_column', message, { hint, details: { columns: [first, ...others] } });
}

function named(names: readonly string[], column: string): string {
  const found =
    names.find((name) => sameName(name, column)) ?? names.find((name) => plain(name) === plain(column));
  if (found !== undefined) return found;
  const known = names.slice(0, 12).map((name) => JSON.stringify(name.slice(0, 40)));
  const message = `--idp-column: column ${JSON.stringify(column)} not found; the file has ${known.join(', ')}`;
  throw usageError('missing_column', message, { details: { columns: [...names] } });
}

/** JSON may hold the person in an object of its own, as Okta's `profile` does. */
function flattened(cells: readonly Cell[]): Cell[] {
  return cells.flatMap((cell) =>
    isObject(cell.value)
      ? Object.entries(cell.value).map(([key, value]) => ({ ...cell, name: `${cell.name}.${key}`, value }))
      : [cell],
  );
}

function personIn(
  cells: readonly Cell[],
  { line, chosen, fallback }: { line: number; chosen: string; fallback: boolean },
  unknownStates: Map<string, number>,
): IdpPerson | undefined {
  const textOf = (wanted: (name: string) => boolean) =>
    cells.filter(({ name }) => wanted(name)).map(({ value }) => String(value).trim());
  const within = (columns: readonly string[]) => textOf((name) => columns.includes(plain(name)));
  const logins = within(loginColumns).filter((text) => text.includes('@'));
  const [own = ''] = textOf((name) => name === chosen);
  const email = own.includes('@') ? own : fallback ? logins[0] : undefined;
  if (email === undefined) return undefined;
  const others = [...logins, ...within(emailColumns), ...within(aliasColumns).flatMap(addressesIn)];
  const aliases = [...new Set(others)].filter((one) => one.includes('@') && !sameEmail(one, email));
  const [given, family] = [within(givenColumns)[0], within(familyColumns)[0]];
  const joined = [given, family].filter(Boolean).join(' ');
  const name = within(nameColumns)[0] || joined || undefined;
  return { line, email, aliases, ...defined({ name, active: activeIn(cells, unknownStates) }) };
}

/** `SMTP:ada@acme.example;smtp:a@acme.example`, as Entra writes several addresses. */
function addressesIn(text: string): string[] {
  return text.split(/[\s;,|[\]"']+/).map((one) => one.replace(/^smtp:/i, ''));
}

function activeIn(cells: readonly Cell[], unknownStates: Map<string, number>): boolean | undefined {
  let active: boolean | undefined;
  for (const { name, value } of cells) {
    const column = plain(name);
    const inverse = inactiveColumns.includes(column);
    if (!inverse && !activeColumns.includes(column)) continue;
    const text = plain(String(value));
    const is = inverse ? stateOf(text, no, yes) : stateOf(text, activeStates, inactiveStates);
    if (is === undefined) {
      const said = String(value).slice(0, 40);
      unknownStates.set(said, (unknownStates.get(said) ?? 0) + 1);
    } else active = is && active !== false;
  }
  return active;
}

function stateOf(text: string, on: readonly string[], off: readonly string[]): boolean | undefined {
  if (on.includes(text)) return true;
  return off.includes(text) ? false : undefined;
}

/**
 * The people in the file of `--idp`; undefined where there is none.
 * @throws DocsError local-io; usage `bad_rows`, `bad_encoding`, `missing_column`, `ambiguous_column`, `no_items`
 */
export async function idpOf(session: Session, { options }: ManualInput): Promise<IdpPeople | undefined> {
  const { idp, idpColumn } = options;
  if (typeof idp !== 'string') {
    if (idpColumn === undefined) return undefined;
    throw usageError('contradiction', '--idp-column requires --idp');
  }
  const { rows } = await readRowsFile(session, idp, '--idp');
  const found = idpPeople(rows, asText(idpColumn));
  if (found.people.length > 0) return found;
  // An export that failed would make everybody look as if they had left.
  const message = `--idp: no row of ${idp} has an email in column ${JSON.stringify(found.column)}; nothing was sent`;
  throw usageError('no_items', message);
}
