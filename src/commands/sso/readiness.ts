import {
  chosenProviders,
  type ProviderFacts,
  providerWords,
  readProviders,
} from '../../access/saml-providers.js';
import { listMembers, type Member } from '../../api/resources/members.js';
import { getOrg } from '../../api/resources/orgs.js';
import { DocsError } from '../../base/errors.js';
import { emailKey, nameKey } from '../../base/name.js';
import { outputFormat } from '../../cli/run/output.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import type { Report, ReportEnding, View } from '../../cli/run/run-report.js';
import { fieldPaths } from '../../output/printed-shapes.js';
import { showProgress } from '../../output/progress.js';
import { counted, grouped, safeLine } from '../../output/text.js';
import { notAllRead, type Reading, readFailure } from '../../snapshot/unread.js';
import { type IdpPeople, type IdpPerson, idpOf } from './idp.js';
import {
  type Issue,
  type Match,
  Readiness,
  type ReadinessRow,
  type RowFlag,
  type RowStatus,
  rowFlags,
  rowStatuses,
} from './shapes.js';

/** `docs sso readiness`: one object for programs, one row per person for people and pipes. */

const ids: View = { columns: [{ path: 'id' }], fields: ['id'] };
const { fields: rowFields } = fieldPaths(Readiness.properties.rows.items);
const rowView: View = {
  columns: [
    { path: 'status', as: 'state', keep: true },
    { path: 'email', keep: true },
    { path: 'role', as: 'role' },
    { path: 'match' },
    { path: 'flags' },
    { path: 'name' },
    { path: 'line' },
    { path: 'id' },
  ],
  fields: [...rowFields, 'match'],
  empty: 'No rows.',
};

interface Checked {
  readiness: Readiness;
  /** Those of the statuses that were asked for. */
  rows: ReadinessRow[];
}

/** Findings (exit 17) where something blocks enforcement; partial (3) where something was not read. */
export const readinessReport: Report<Checked> = {
  async read({ session, input }) {
    const { provider, status } = input.options;
    const idp = await idpOf(session, input);
    const options = { ...input.options, concurrency: 1 };
    const reading = await checkedReadingOf(session, { ...input, options });
    const readiness = await showProgress(session, 'Reading members', (progress) =>
      readReadiness({
        ...{ reading, idp, nowMs: session.io.now },
        provider: typeof provider === 'string' ? provider : undefined,
        onRead: (members) => progress.count(members),
      }),
    );
    const wanted = status as RowStatus[] | undefined;
    return { readiness, rows: readiness.rows.filter((row) => wanted?.includes(row.status) ?? true) };
  },
  rows({ rows }, { session }) {
    const format = outputFormat(session);
    if (format === 'id') return rows.filter(({ id }) => id !== undefined);
    return format === 'ndjson' ? rows : rows.map(inCells);
  },
  rowView: ({ session }) => (outputFormat(session) === 'id' ? ids : rowView),
  value: ({ readiness, rows }) => ({ ...readiness, rows }),
  valueView: { columns: [], ...fieldPaths(Readiness) },
  end: ({ readiness }) => endingOf(readiness),
};

/** The row as text for tables and spreadsheets. */
function inCells(row: ReadinessRow): Record<string, unknown> {
  const { flags, matches, role } = row;
  const match = matches.map(({ email, why }) => `${email} (${why.join(', ')})`).join('; ');
  const shown = row.id === undefined ? '' : (role ?? 'guest');
  return { ...row, role: shown, flags: flags.join(', '), match, matches: match };
}

function endingOf(report: Readiness): ReportEnding {
  const { blockers, warnings, unread, counts, enforced } = report;
  const lines = [
    ...unread.map(({ what, error }) => `Cannot read the ${what}: ${String(error.message ?? '')}`),
    ...blockers.map(({ message }) => `Blocks enforcement: ${message}`),
    ...warnings.map(({ message }) => `Warning: ${message}`),
    ...(report.idp === null
      ? ['No members were compared with the identity provider; pass its export with --idp.']
      : []),
  ];
  const words = `${sumOf(report)} ${enforcedWords(enforced)}`;
  const known = blockers.map(({ code, message }) => ({ code, message }));
  const details = { enforced, counts, blockers: known, unread };
  const [first] = blockers;
  if (first !== undefined) {
    const message = `${counted(blockers.length, 'blocker')} of enforcement: ${first.message} ${words}`;
    const hint = first.code.includes('provider') ? 'docs saml list' : 'docs members list --role admin';
    const failure = new DocsError('findings', 'not_ready', message, { details, hint });
    return { warnings: lines, failure };
  }
  const missing = [
    ...unread.map(({ what }) => what),
    ...(counts.unknown > 0 ? [`the email of ${counted(counts.unknown, 'member')}`] : []),
    ...(enforced === null ? ['whether SSO is enforced'] : []),
  ];
  if (missing.length === 0) return { warnings: lines, note: `Nothing blocks enforcement. ${words}` };
  const failure = notAllRead(`not known: ${safeLine(missing.join(', '))}. ${words}`, { details });
  return { warnings: lines, failure };
}

function enforcedWords(enforced: boolean | null): string {
  if (enforced === null) return 'Whether SSO is enforced is not known.';
  return `SSO is ${enforced ? '' : 'not '}enforced now.`;
}

/** `400 members: 12 linked, 380 to link, 8 disabled; 3 not members.` */
function sumOf({ counts }: Readiness): string {
  const parts = [
    [counts.linked, 'linked'],
    [counts.toLink, 'to link'],
    [counts.emailMismatch, 'with another email'],
    [counts.notInIdp, 'not in the identity provider'],
    [counts.disabled, 'disabled'],
    [counts.unknown, 'unknown'],
  ] as const;
  const told = parts.filter(([count]) => count > 0).map(([count, what]) => `${grouped(count)} ${what}`);
  const strangers = counts.notInOrganization > 0 ? `; ${grouped(counts.notInOrganization)} not members` : '';
  return `${counted(counts.members, 'member')}: ${told.join(', ') || 'none'}${strangers}.`;
}

/** What stands against enforcing SSO, and what does not but deserves a look. */

export interface Judged extends Pick<Readiness, 'enforced' | 'providers' | 'idp' | 'rows'> {
  /** Those that members are to sign in through; null where they could not be read. */
  chosen: readonly ProviderFacts[] | null;
  /** Whether the whole list of members was read. */
  whole: boolean;
}

/** What blocks enforcement: nobody could administer the organization, or an admin would lose access. */
function blockersOf(judged: Judged): Issue[] {
  return [...providerBlockers(judged.chosen), ...adminBlockers(judged)];
}

function providerBlockers(chosen: Judged['chosen']): Issue[] {
  if (chosen === null || chosen.some(({ broken }) => broken.length === 0)) return [];
  const none = 'The organization has no SAML provider, so no one can sign in with SSO.';
  if (chosen.length === 0) return [{ code: 'no_provider', message: none }];
  return chosen.map((one) => ({
    code: 'provider_broken',
    message: `No one can sign in through SAML provider ${providerWords(one, one.broken)}.`,
  }));
}

function adminBlockers({ rows, whole, idp }: Judged): Issue[] {
  const admins = rows.filter(({ flags }) => flags.includes('admin') && !flags.includes('disabled'));
  const linked = admins.filter(({ status }) => status === 'linked');
  const missing = admins.filter(isMissing);
  const off = admins.filter(({ flags }) => flags.includes('disabled-in-idp'));
  const isUnable = idp !== null && linked.every((row) => isMissing(row) || off.includes(row));
  const unlinked = 'No admin is linked, so none could sign in while SSO is enforced.';
  const unable = 'No linked admin is active in the identity provider, so none could sign in.';
  return [
    ...(whole && linked.length === 0 ? [{ code: 'no_admin_linked', message: unlinked }] : []),
    ...(whole && linked.length > 0 && isUnable
      ? [{ code: 'no_admin_able', message: unable, members: membersIn(linked) }]
      : []),
    ...adminIssue('admin_not_in_idp', missing, 'not in the identity provider'),
    ...adminIssue('admin_disabled_in_idp', off, 'disabled in the identity provider'),
  ];
}

function adminIssue(code: string, rows: readonly ReadinessRow[], what: string): Issue[] {
  const are = rows.length === 1 ? '1 admin is' : `${rows.length} admins are`;
  const message = `${are} ${what}${names(rows)}.`;
  return rows.length === 0 ? [] : [{ code, message, members: membersIn(rows) }];
}

function membersIn(rows: readonly ReadinessRow[]): Issue['members'] {
  const members = rows.flatMap(({ id, email }) => (id === undefined ? [] : [{ id, email }]));
  return members.length > 0 ? members : undefined;
}

function isMissing({ status, flags }: ReadinessRow): boolean {
  return (['not-in-idp', 'email-mismatch'] as const).some((one) => status === one || flags.includes(one));
}

/** What does not block enforcement. */
export function warningsOf(judged: Judged): Issue[] {
  const { rows, idp, enforced } = judged;
  const having = (flag: RowFlag) => rows.filter(({ flags }) => flags.includes(flag));
  const being = (status: RowStatus) => rows.filter((row) => row.status === status);
  const isLinked = ({ status }: ReadinessRow) => status === 'linked';
  const isActive = ({ flags }: ReadinessRow) => !flags.includes('disabled');
  const strangers = [...having('not-in-idp'), ...having('email-mismatch')].filter(isLinked);
  const off = having('disabled-in-idp').filter((row) => isLinked(row) || row.status === 'disabled');
  const locked = `not linked, and SSO is ${enforced ? '' : 'perhaps '}enforced`;
  const found: readonly [code: string, rows: readonly ReadinessRow[], what: string][] = [
    ['admin_locked_out', enforced === false ? [] : having('break-glass'), locked],
    ['not_linked', rows.filter((row) => row.sso === false && isActive(row)), 'not linked'],
    ['email_mismatch', being('email-mismatch'), 'in the identity provider under another email'],
    ['not_in_idp', being('not-in-idp'), 'not in the identity provider'],
    ['linked_not_in_idp', strangers, 'linked, but not in the identity provider under this email'],
    ['disabled_in_idp', off.filter(isActive), 'disabled in the identity provider only'],
    ['case_differs', having('case-differs'), 'in the identity provider with other upper and lower case'],
    ['outside_domains', having('outside-domains'), "outside the organization's email domains"],
  ];
  const people = found.flatMap(([code, who, what]) => {
    const are = who.length === 1 ? '1 person is' : `${who.length} people are`;
    return who.length === 0 ? [] : [{ code, message: `${are} ${what}${names(who)}.` }];
  });
  return [...providerWarnings(judged), ...people, ...fileWarnings(idp)];
}

function providerWarnings({ chosen, providers }: Judged): Issue[] {
  const works = chosen?.some(({ broken }) => broken.length === 0) ?? false;
  return (providers ?? []).flatMap((one) => {
    const isBlocker = !works && chosen?.some(({ id }) => id === one.id);
    const phrases = [...(isBlocker ? [] : one.broken), ...one.warnings];
    const code = one.broken.length > 0 ? 'provider_broken' : 'certificate_expires';
    return phrases.length === 0 ? [] : [{ code, message: `SAML provider ${providerWords(one, phrases)}.` }];
  });
}

function fileWarnings(idp: Judged['idp']): Issue[] {
  if (idp === null) return [];
  const { duplicates, withoutEmail, unknownStates } = idp;
  const [[twice], [bare], [state]] = [duplicates, withoutEmail, unknownStates];
  const issues: Issue[] = [];
  if (twice !== undefined) {
    const are = `${counted(duplicates.length, 'email')} of the file ${duplicates.length === 1 ? 'is' : 'are'}`;
    const first = `${safeLine(twice.email)} (lines ${twice.lines.slice(0, 5).join(', ')})`;
    const message = `${are} there more than once: ${first}${more(duplicates.length)}.`;
    issues.push({ code: 'duplicate_email', message });
  }
  if (bare !== undefined) {
    const rows = `${counted(withoutEmail.length, 'row')} of the file without an email`;
    const message = `${rows} skipped: line ${bare}${more(withoutEmail.length)}.`;
    issues.push({ code: 'row_without_email', message });
  }
  if (state !== undefined) {
    const first = `${safeLine(state.value)} (${counted(state.lines, 'row')})${more(unknownStates.length)}`;
    const message = `The file has a state that docs does not know, taken as active: ${first}.`;
    issues.push({ code: 'unknown_state', message });
  }
  return issues;
}

const mostNamed = 3;

/** `: ada@acme.example, bruno@acme.example and 12 more`. */
function names(rows: readonly ReadinessRow[]): string {
  const shown = rows.slice(0, mostNamed).map(({ email, id = '' }) => safeLine(email ?? id));
  const rest = rows.length - shown.length;
  return `: ${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function more(count: number): string {
  return count > 1 ? ` and ${count - 1} more` : '';
}

interface ReadinessRequest {
  reading: Reading;
  /** The people of the identity provider; undefined where there is no file. */
  idp: IdpPeople | undefined;
  /** The provider that members are to sign in through, by id or label; undefined for any. */
  provider: string | undefined;
  /** The time where the platform's is not known, in milliseconds. */
  nowMs(): number;
  /** Called with the number of members read. */
  onRead?(members: number): void;
}

/**
 * Reads how far an organization is from enforcing SSO. All rows are held: some 400 bytes a member.
 * What cannot be read is in `unread`.
 * @throws DocsError not-found where there is no such provider; where the organization itself cannot be read
 */
async function readReadiness(request: ReadinessRequest): Promise<Readiness> {
  const { reading, idp, provider, nowMs, onRead = () => {} } = request;
  const { client, organizationId, signal } = reading;
  const organization = await client.call(getOrg, { path: { organizationId } });
  const unread: { what: string; error: DocsError }[] = [];
  const { facts: providers, error } = await readProviders(reading, () => client.platformNowMs ?? nowMs());
  if (error !== undefined) unread.push({ what: 'SAML providers', error });
  const comparison = new Comparison(idp, organization.emailDomains);
  let [members, whole] = [0, true];
  try {
    for await (const member of client.call(listMembers, { path: { organizationId } })) {
      comparison.add(member);
      members += 1;
      onRead(members);
    }
  } catch (cause) {
    whole = false;
    unread.push({ what: 'members', error: readFailure(cause, signal) });
  }
  const rows = sorted(comparison.rows(whole));
  const judged: Judged = {
    enforced: organization.sso ?? null,
    providers,
    chosen: providers && chosenProviders(providers, provider),
    idp: factsOf(idp),
    rows,
    whole,
  };
  const { enforced } = judged;
  const blockers = blockersOf(judged);
  const counts = countsOf(rows, members);
  const ready = blockers.length === 0 && unread.length === 0 && enforced !== null && counts.unknown === 0;
  return {
    organization: { id: organizationId, title: organization.title },
    ...{ enforced, ready, counts, providers, idp: judged.idp, blockers, warnings: warningsOf(judged) },
    unread: unread.map(({ what, error: cause }) => ({ what, error: cause.toJSON() })),
    rows,
  };
}

function factsOf(idp: IdpPeople | undefined): Readiness['idp'] {
  if (idp === undefined) return null;
  const { column, people, duplicates, withoutEmail, unknownStates } = idp;
  const states = [...unknownStates].map(([value, lines]) => ({ value, lines }));
  return { column, people: people.length, duplicates, withoutEmail, unknownStates: states };
}

function countsOf(rows: readonly ReadinessRow[], members: number): Readiness['counts'] {
  const statuses = new Map<RowStatus, number>();
  const flags = new Map<RowFlag, number>();
  for (const row of rows) {
    statuses.set(row.status, (statuses.get(row.status) ?? 0) + 1);
    for (const flag of row.flags) flags.set(flag, (flags.get(flag) ?? 0) + 1);
  }
  const of = (status: RowStatus) => statuses.get(status) ?? 0;
  const having = (flag: RowFlag) => flags.get(flag) ?? 0;
  return {
    members,
    ...{ admins: having('admin'), guests: having('guest'), linked: of('linked'), toLink: of('to-link') },
    ...{ emailMismatch: of('email-mismatch'), notInIdp: of('not-in-idp'), disabled: of('disabled') },
    ...{ unknown: of('unknown'), notInOrganization: of('not-in-organization') },
    ...{ breakGlass: having('break-glass'), outsideDomains: having('outside-domains') },
  };
}

/** What needs attention first; then by email. */
function sorted(rows: readonly ReadinessRow[]): ReadinessRow[] {
  const keyed = rows.map((row) => ({
    row,
    rank: rowStatuses.indexOf(row.status),
    key: row.email?.toLowerCase() ?? '',
  }));
  keyed.sort((a, b) => a.rank - b.rank || (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ row }) => row);
}

/** Compares the members of an organization with the people of its identity provider. */

/** A member as far as a row needs it. */
type Known = Pick<Member, 'id' | 'role' | 'sso' | 'disabled'> & { email?: string; name?: string };

class Comparison {
  readonly #people: ReadonlyMap<string, IdpPerson> | undefined;
  readonly #domains: ReadonlySet<string>;
  readonly #found = new Set<IdpPerson>();
  readonly #rows: ReadinessRow[] = [];
  /** Members whose email the identity provider does not have: compared once all others have found theirs. */
  readonly #left: Known[] = [];

  /** @param idp undefined where there is no file, so that nothing is compared */
  constructor(idp: IdpPeople | undefined, emailDomains: readonly string[]) {
    this.#people = idp && new Map(idp.people.map((person) => [emailKey(person.email), person]));
    this.#domains = new Set(emailDomains.map((domain) => domain.toLowerCase()));
  }

  add({ id, role, sso, disabled, user }: Member): void {
    const { email, displayName } = user;
    const member: Known = { id, role, sso, disabled, email, name: displayName || undefined };
    const person = email === undefined ? undefined : this.#people?.get(emailKey(email));
    if (person !== undefined) this.#found.add(person);
    if (person === undefined && this.#people !== undefined && email !== undefined) this.#left.push(member);
    else this.#rows.push(this.#row(member, statusOf(member, person, this.#people !== undefined), person));
  }

  /** The rows of all members, then of the people who are not members. @param whole all members were read */
  rows(whole: boolean): ReadinessRow[] {
    const others = [...(this.#people?.values() ?? [])].filter((person) => !this.#found.has(person));
    if (this.#left.length > 0) this.#match(others);
    // Who is not a member is known only once all members are.
    if (!whole) return this.#rows;
    const strangers = others.map(({ email, name, line, active }): ReadinessRow => {
      const outside = this.#isOutside(email);
      const flags = flagsOf({ 'disabled-in-idp': active === false, 'outside-domains': outside });
      return { status: 'not-in-organization', email, name, flags, line, matches: [] };
    });
    return [...this.#rows, ...strangers];
  }

  #match(people: readonly IdpPerson[]): void {
    const byAlias = onlyBy(people, ({ aliases }) => aliases.map((alias) => alias.toLowerCase()));
    const byName = onlyBy(people, ({ name }) => (name === undefined ? [] : [nameKey(name)]));
    for (const member of this.#left) {
      const alias = byAlias.get(member.email?.toLowerCase() ?? '');
      const namesake = member.name === undefined ? undefined : byName.get(nameKey(member.name));
      const matches = matchesOf(alias, namesake);
      const missing = matches.length > 0 ? 'email-mismatch' : 'not-in-idp';
      const status = member.sso ? 'linked' : member.disabled ? 'disabled' : missing;
      const row = this.#row(member, status, undefined, status === missing ? undefined : missing);
      this.#rows.push({ ...row, matches });
    }
  }

  #row(
    member: Known,
    status: RowStatus,
    person: IdpPerson | undefined,
    also?: 'email-mismatch' | 'not-in-idp',
  ): ReadinessRow {
    const { id, email, name, role, sso, disabled } = member;
    const isAdmin = role === 'admin';
    const flags = flagsOf({
      admin: isAdmin,
      guest: role === null,
      'break-glass': isAdmin && !sso && !disabled,
      disabled,
      'disabled-in-idp': person?.active === false,
      ...(also && { [also]: true }),
      'case-differs': person !== undefined && person.email !== email,
      'outside-domains': this.#isOutside(email),
    });
    return { status, id, email, name, role, sso, line: person?.line, flags, matches: [] };
  }

  #isOutside(email: string | undefined): boolean {
    if (email === undefined || this.#domains.size === 0) return false;
    return !this.#domains.has(email.slice(email.lastIndexOf('@') + 1).toLowerCase());
  }
}

/** The people by a text that only one of them has; who is meant by one that several have cannot be known. */
function onlyBy(
  people: readonly IdpPerson[],
  textsOf: (person: IdpPerson) => readonly string[],
): Map<string, IdpPerson | undefined> {
  const found = new Map<string, IdpPerson | undefined>();
  for (const person of people)
    for (const text of new Set(textsOf(person))) found.set(text, found.has(text) ? undefined : person);
  return found;
}

function matchesOf(alias: IdpPerson | undefined, namesake: IdpPerson | undefined): Match[] {
  return [...new Set([alias, namesake])].flatMap((person) => {
    if (person === undefined) return [];
    const { email, name, line } = person;
    const why = (['alias', 'name'] as const).filter((one) => person === { alias, name: namesake }[one]);
    return [{ email, line, why, name }];
  });
}

/** Of a member whose email is in the identity provider, is not told, or is not compared. */
function statusOf(
  { sso, disabled, email }: Known,
  person: IdpPerson | undefined,
  compared: boolean,
): RowStatus {
  if (sso) return 'linked';
  if (disabled || person?.active === false) return 'disabled';
  return compared && email === undefined ? 'unknown' : 'to-link';
}

function flagsOf(raised: Partial<Record<RowFlag, boolean>>): RowFlag[] {
  return rowFlags.filter((one) => raised[one] === true);
}
