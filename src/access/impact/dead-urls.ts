import { defined } from '../../base/values.js';
import type { Redirect } from './change.js';
import type { Findings } from './findings.js';
import { type Address, bare, isWithin } from './published.js';

/** What becomes of published addresses: which stop, which become others, and where their readers should go. */

/** `stays`, `gone`, or what the address becomes; `unknown` where it changes and nobody can tell into what. */
export type Fate = 'stays' | 'gone' | 'unknown' | { becomes: string };

/**
 * Tells the dead addresses, and a redirect for each. An address that several things share dies with the last.
 * @param all every address of the sites in question
 */
export function tellDead(found: Findings, all: readonly Address[], fateOf: (address: Address) => Fate): void {
  const fates = all.map((address) => ({ address, fate: fateOf(address) }));
  const living = fates.filter(({ fate }) => fate === 'stays').map(({ address }) => address);
  const stays = new Set(living.map(({ url }) => bare(url)));
  const places = placesIn(living);
  const told = new Set<string>();
  for (const { address, fate } of fates) {
    const key = bare(address.url);
    if (fate === 'stays' || stays.has(key) || told.has(key)) continue;
    told.add(key);
    const { url, kind, title } = address;
    const of = { url, kind, title, ...defined({ site: address.site }) };
    if (fate === 'unknown') {
      found.urls.push(of);
      found.redirects.push({ from: url, to: null, why: 'not-told' });
    } else if (fate === 'gone') {
      found.urls.push(of);
      found.redirects.push(redirectOf(address, places));
    } else {
      found.urls.push({ ...of, becomes: fate.becomes });
      found.redirects.push({ from: url, to: fate.becomes, why: 'moved' });
    }
  }
}

/** What is left to go to: by site, the addresses that show content; and every page on every site. */
interface Places {
  bySite: Map<string, Address[]>;
  byPage: Map<string, Address[]>;
}

function placesIn(living: readonly Address[]): Places {
  const spaces = living.filter(({ kind }) => kind === 'site-space');
  const [sites, sections] = [
    new Set(spaces.map(({ site }) => site)),
    new Set(spaces.map(({ section }) => section)),
  ];
  const places: Places = { bySite: new Map(), byPage: new Map() };
  for (const address of living) {
    const isEmpty = address.kind === 'site' ? !sites.has(address.site) : !sections.has(address.section);
    if (isEmpty && address.kind !== 'page') continue;
    if (address.kind !== 'page' && address.site !== undefined) put(places.bySite, address.site, address);
    const content = contentOf(address);
    if (content !== undefined) put(places.byPage, content, address);
  }
  return places;
}

function put(map: Map<string, Address[]>, key: string, address: Address): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [address]);
  else list.push(address);
}

function contentOf({ space, page }: Address): string | undefined {
  return space === undefined ? undefined : `${space} ${page ?? ''}`;
}

function redirectOf(address: Address, { bySite, byPage }: Places): Redirect {
  const from = address.url;
  const same = byPage.get(contentOf(address) ?? '') ?? [];
  // Another audience may not be let in.
  const elsewhere = same.find(({ visibility }) => visibility === address.visibility);
  if (elsewhere !== undefined) return { from, to: elsewhere.url, why: 'elsewhere' };
  const parents = (bySite.get(address.site ?? '') ?? []).filter(({ url }) => isWithin(from, url));
  const nearest = parents.sort((a, b) => b.url.length - a.url.length)[0];
  return nearest === undefined
    ? { from, to: null, why: 'nothing-left' }
    : { from, to: nearest.url, why: 'parent' };
}
