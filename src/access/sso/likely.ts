import { distance } from 'fastest-levenshtein';
import { emailKey } from '../../base/name.js';
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

/** A person, taken apart once. */
interface Entry {
  person: IdpPerson;
  address: Address;
  name: string | undefined;
}

interface Address {
  local: string;
  /** Without `+tag`. */
  base: string;
  /** Without dots, too. */
  core: string;
  domain: string;
}

/** A member whose email the identity provider does not have. */
export interface Sought {
  email: string;
  name?: string;
}

/** Typos are looked for where no more members than this have no other match: an index of all would take a gigabyte. */
const mostMisspelt = 5000;

export interface LikelyMatches {
  /** By member, the likeliest first; none where nothing speaks for anybody. */
  matches: Likely[][];
  /** Members without a match for whom no typo was looked for, since there are too many of them. */
  notSpelt: number;
}

/**
 * Who is likely meant by each member.
 * @param people those whose email no member has
 */
export function likelyFor(members: readonly Sought[], people: readonly IdpPerson[]): LikelyMatches {
  const entries = people.map((person) => ({
    ...{ person, address: addressOf(person.email), name: personKey(person.name) },
  }));
  const index = new Index(entries);
  const found = members.map((member) => ranked(member, index.near(member)));
  const left = members.filter((_, at) => found[at]?.length === 0);
  if (left.length === 0) return { matches: found, notSpelt: 0 };
  if (left.length > mostMisspelt) return { matches: found, notSpelt: left.length };
  const misspelt = misspeltBy(left, entries);
  const matches = members.map((member, at) => {
    const own = found[at] ?? [];
    return own.length > 0 ? own : ranked(member, misspelt.get(member) ?? []);
  });
  return { matches, notSpelt: 0 };
}

class Index {
  readonly #byAlias = new Map<string, Entry[]>();
  readonly #byCore = new Map<string, Entry[]>();
  readonly #byName = new Map<string, Entry[]>();

  constructor(entries: readonly Entry[]) {
    for (const entry of entries) {
      const { person, address, name } = entry;
      for (const alias of person.aliases) add(this.#byAlias, emailKey(alias), entry);
      add(this.#byCore, address.core, entry);
      if (name !== undefined) add(this.#byName, name, entry);
    }
  }

  near({ email, name }: Sought): Entry[] {
    const key = personKey(name);
    return [
      ...few(this.#byAlias.get(emailKey(email))),
      ...few(this.#byCore.get(addressOf(email).core)),
      ...few(key === undefined ? undefined : this.#byName.get(key)),
    ];
  }
}

/** People whose address is that of a member but for a typo. */
function misspeltBy(members: readonly Sought[], entries: readonly Entry[]): Map<Sought, Entry[]> {
  const seeking = new Map<string, Sought[]>();
  for (const member of members)
    for (const key of typoKeys(addressOf(member.email))) add(seeking, key, member);
  const found = new Map<Sought, Entry[]>();
  for (const entry of entries)
    for (const key of typoKeys(entry.address))
      for (const member of few(seeking.get(key))) add(found, member, entry);
  return found;
}

function ranked({ email, name }: Sought, near: readonly Entry[]): Likely[] {
  const own = { email: emailKey(email), address: addressOf(email), name: personKey(name) };
  const found = [...new Set(near)].map((entry) => {
    const why = whyOf(own, entry);
    return { person: entry.person, why, weight: why.reduce((sum, one) => sum + weights[one], 0) };
  });
  return found
    .filter(({ why }) => why.length > 0)
    .sort((a, b) => b.weight - a.weight || a.person.line - b.person.line)
    .slice(0, most)
    .map(({ person: { email: other, name: called, line }, why }) => ({
      ...{ email: other, line, why },
      ...(called !== undefined && { name: called }),
    }));
}

function whyOf(
  own: Omit<Entry, 'person'> & { email: string },
  { person, address: other, name }: Entry,
): Why[] {
  const { address } = own;
  const sameDomain = address.domain === other.domain;
  const sameCore = address.core === other.core;
  const isTypo =
    sameDomain && !sameCore && address.core.length > 3 && distance(address.core, other.core) <= 2;
  const holds: Record<Why, boolean> = {
    alias: person.aliases.some((one) => emailKey(one) === own.email),
    'plus-address': sameCore && tagOf(address) !== tagOf(other),
    dots: sameCore && address.base !== other.base,
    domain: sameCore && !sameDomain,
    name: name !== undefined && name === own.name,
    spelling: isTypo,
  };
  return whys.filter((why) => holds[why]);
}

function tagOf({ local, base }: Address): string {
  return local.slice(base.length);
}

function addressOf(email: string): Address {
  const text = emailKey(email);
  const at = text.lastIndexOf('@');
  const local = text.slice(0, at < 0 ? undefined : at);
  const base = local.split('+')[0] || local;
  return { local, base, core: base.replaceAll('.', '') || base, domain: at < 0 ? '' : text.slice(at + 1) };
}

/** `Øster, José` and `jose oster` have the same; undefined for a name of one word, which many people share. */
function personKey(name: string | undefined): string | undefined {
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

/** Two addresses with a key in common differ by one letter that is missing, added, replaced or swapped with the next. */
function typoKeys({ core, domain }: Address): string[] {
  if (core.length <= 3 || core.length > 64) return [];
  const keys = new Set([`${core}@${domain}`]);
  for (let at = 0; at < core.length; at += 1) keys.add(`${core.slice(0, at)}${core.slice(at + 1)}@${domain}`);
  return [...keys];
}

function add<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const all = map.get(key);
  if (all === undefined) map.set(key, [value]);
  else if (all.length <= mostAlike) all.push(value);
}

function few<T>(found: readonly T[] = []): readonly T[] {
  return found.length > mostAlike ? [] : found;
}
