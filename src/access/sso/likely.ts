import { distance } from 'fastest-levenshtein';
import type { IdpPerson } from './idp.js';

/** Who in the identity provider is probably meant by a member whose email it does not have. */

/**
 * - `alias`: the member's email is another address or login of the person
 * - `plus-address`, `dots`: the addresses differ in `+tag` or dots
 * - `domain`: the same local part with another domain
 * - `name`: the same name, whatever the order of its words, accents and case
 * - `spelling`: the local parts differ by a typo in the same domain
 */
export const whys = ['alias', 'plus-address', 'dots', 'domain', 'name', 'spelling'] as const;
export type Why = (typeof whys)[number];

export interface Likely {
  email: string;
  name?: string;
  line: number;
  why: Why[];
}

const weights: Record<Why, number> = {
  alias: 16,
  'plus-address': 8,
  dots: 8,
  domain: 6,
  name: 4,
  spelling: 3,
};
/** Likely matches of one member. */
const most = 3;
/** Names and local parts that more people share than this tell nothing. */
const mostAlike = 20;

interface Address {
  local: string;
  /** Without `+tag`. */
  base: string;
  /** Without dots, too. */
  core: string;
  domain: string;
}

export class Candidates {
  readonly #byAlias = new Map<string, IdpPerson[]>();
  readonly #byCore = new Map<string, IdpPerson[]>();
  readonly #byName = new Map<string, IdpPerson[]>();
  readonly #byTypo = new Map<string, IdpPerson[]>();

  /** @param people those whose email no member has; one entry of the index for each letter of an address */
  constructor(people: readonly IdpPerson[]) {
    for (const person of people) {
      const { core, domain } = addressOf(person.email);
      for (const alias of person.aliases) add(this.#byAlias, alias.toLowerCase(), person);
      add(this.#byCore, core, person);
      const name = nameKey(person.name);
      if (name !== undefined) add(this.#byName, name, person);
      for (const key of typoKeys(core)) add(this.#byTypo, `${key}@${domain}`, person);
    }
  }

  /** The likeliest first; none where nothing speaks for anybody. */
  of(email: string, name: string | undefined): Likely[] {
    const own = addressOf(email);
    const key = nameKey(name);
    const near = [
      ...(this.#byAlias.get(email.toLowerCase()) ?? []),
      ...few(this.#byCore.get(own.core)),
      ...few(key === undefined ? undefined : this.#byName.get(key)),
      ...typoKeys(own.core).flatMap((typo) => few(this.#byTypo.get(`${typo}@${own.domain}`))),
    ];
    const found = [...new Set(near)].map((person) => {
      const why = whyOf(own, email, key, person);
      return { person, why, weight: why.reduce((sum, one) => sum + weights[one], 0) };
    });
    return found
      .filter(({ why }) => why.length > 0)
      .sort((a, b) => b.weight - a.weight || a.person.line - b.person.line)
      .slice(0, most)
      .map(({ person: { email: other, name: called, line }, why }) => ({
        email: other,
        ...(called !== undefined && { name: called }),
        line,
        why,
      }));
  }
}

function whyOf(own: Address, email: string, name: string | undefined, person: IdpPerson): Why[] {
  const other = addressOf(person.email);
  const sameDomain = own.domain === other.domain;
  const sameCore = own.core === other.core;
  const holds: Record<Why, boolean> = {
    alias: person.aliases.some((one) => one.toLowerCase() === email.toLowerCase()),
    'plus-address': sameCore && own.local.slice(own.base.length) !== other.local.slice(other.base.length),
    dots: sameCore && own.base !== other.base,
    domain: sameCore && !sameDomain,
    name: name !== undefined && nameKey(person.name) === name,
    spelling: sameDomain && !sameCore && own.core.length > 3 && distance(own.core, other.core) <= 2,
  };
  return whys.filter((why) => holds[why]);
}

function addressOf(email: string): Address {
  const text = email.toLowerCase();
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at < 0 ? undefined : at);
  const base = local.split('+')[0] || local;
  return { local, base, core: base.replaceAll('.', '') || base, domain: at < 0 ? '' : text.slice(at + 1) };
}

/** `Øster, José` and `jose oster` have the same; undefined for a name of one word, which many people share. */
function nameKey(name: string | undefined): string | undefined {
  const spelt = (name ?? '')
    .toLowerCase()
    .replaceAll(/[øłßıæđ]/g, (letter) => plainLetters[letter] ?? letter);
  const words =
    spelt
      .normalize('NFD')
      .replaceAll(/\p{M}/gu, '')
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words.length < 2 ? undefined : words.sort().join(' ');
}

const plainLetters: Readonly<Record<string, string>> = { ø: 'o', ł: 'l', ß: 'ss', ı: 'i', æ: 'ae', đ: 'd' };

/** Two words with a key in common differ by one letter that is missing, added, replaced or swapped with the next. */
function typoKeys(word: string): string[] {
  if (word.length <= 3 || word.length > 64) return [];
  const keys = new Set([word]);
  for (let at = 0; at < word.length; at += 1) keys.add(word.slice(0, at) + word.slice(at + 1));
  return [...keys];
}

function add(map: Map<string, IdpPerson[]>, key: string, person: IdpPerson): void {
  const all = map.get(key);
  if (all === undefined) map.set(key, [person]);
  else if (all.length <= mostAlike) all.push(person);
}

function few(people: readonly IdpPerson[] = []): readonly IdpPerson[] {
  return people.length > mostAlike ? [] : people;
}
