import type { Member } from '../../api/resources/members.js';
import { emailKey, nameKey } from '../../base/name.js';
import { defined } from '../../base/values.js';
import type { IdpPeople, IdpPerson } from './idp.js';
import { type Match, type ReadinessRow, type RowFlag, type RowStatus, rowFlags } from './report.js';

/** Compares the members of an organization with the people of its identity provider. */

/** A member as far as a row needs it. */
type Known = Pick<Member, 'id' | 'role' | 'sso' | 'disabled'> & { email?: string; name?: string };

export class Comparison {
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
    const member: Known = { id, role, sso, disabled, ...defined({ email, name: displayName || undefined }) };
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
      return { status: 'not-in-organization', email, ...defined({ name }), flags, line, matches: [] };
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
    const facts = defined({ id, email, name, role, sso, line: person?.line });
    return { status, ...facts, flags, matches: [] };
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
    const why = [
      ...(person === alias ? ['alias' as const] : []),
      ...(person === namesake ? ['name' as const] : []),
    ];
    return [{ email, line, why, ...defined({ name }) }];
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
