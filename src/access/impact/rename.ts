import { listOf } from '../../api/client.js';
import type { AnyOperation } from '../../api/operation.js';
import type { Organization } from '../../api/resources/orgs.js';
import type { SiteSpace } from '../../api/resources/site-spaces.js';
import type { Site } from '../../api/resources/sites.js';
import { sameName, slug } from '../../base/name.js';
import { decodePercent, isObject } from '../../base/values.js';
import { readAll } from '../../jobs/sequence.js';
import { operationsOf } from '../../model/operations.js';
import { organization, type SiteContent } from '../../snapshot/organization.js';
import { allSpaces } from '../../snapshot/spaces.js';
import { allItems } from '../../snapshot/unread.js';
import { type Findings, readThing, resourceFor, textAt } from './findings.js';
import { type Address, addressesOf, bare, type Fate, pageReader, tellDead, tellLinks } from './published.js';
import type { Affected, ImpactQuestion } from './shapes.js';
import {
  allSites,
  notOnSite,
  partOf,
  partsOf,
  partsWith,
  type SitePart,
  siteOf,
  sitesShowing,
} from './sites.js';

/** Addresses that become others: the path of a section or site space, a basename, a proxy, a hostname; titles. */

/** @throws DocsError if the thing, or its site, cannot be read */
export async function rename(found: Findings, question: ImpactQuestion): Promise<void> {
  const { things, to = {} } = question;
  const { title, label, ...address } = to;
  for (const thing of Object.keys(address).length === 0 ? [] : things) {
    if (thing.object === 'organization') await renameHostname(found, thing, to.hostname);
    else if (thing.object === 'site') await renameSite(found, thing, question);
    else await renamePath(found, thing, question);
  }
  if (title !== undefined || label !== undefined) await retitle(found, question);
}

async function renamePath(
  found: Findings,
  thing: Affected,
  { to: { path } = {}, freed }: ImpactQuestion,
): Promise<void> {
  const all = await partsWith(found, [thing]);
  const part = partOf(all, thing);
  found.thing(thing, part.title);
  if (path === undefined || path === part.path) return;
  const isSection = thing.object === 'site-section';
  const siblings: readonly SitePart[] = isSection
    ? all.flatMap(({ sections }) => sections)
    : all.flatMap(({ siteSpaces }) => siteSpaces).filter(({ section }) => section === part.section);
  const clash = siblings.find(
    (one) => one.id !== part.id && one.path === path && freed?.has(`path ${one.id}`) !== true,
  );
  if (clash !== undefined)
    found.depends(
      'clash',
      clash,
      `The path ${path} is that of ${clash.title}; the platform refuses it.`,
      true,
    );
  const isOwn = ({ section, siteSpace }: RenamedItem) => (isSection ? section : siteSpace) === thing.id;
  await tellRenamed(found, all, isOwn, (own) => {
    const top = own.find(({ kind }) => kind === (isSection ? 'section' : 'site-space'))?.url;
    if (top === undefined) return 'unknown';
    const next = withLast(top, part.path, path);
    // Where the address does not end in the path, as the default one's may not, nothing of it changes.
    return next === undefined ? undefined : { from: bare(top), to: bare(next) };
  });
}

async function renameSite(
  found: Findings,
  thing: Affected,
  { to = {}, freed }: ImpactQuestion,
): Promise<void> {
  const site = await siteOf(found, thing.id);
  found.thing(thing, site.title);
  await tellClashes(found, site, { to, freed });
  const parts = await partsOf(found, [site]);
  await tellRenamed(
    found,
    parts,
    () => true,
    () => nextBase(site, to),
  );
}

/** Another site of the organization may have the basename or the proxy. */
async function tellClashes(
  found: Findings,
  site: Site,
  { to: { basename, proxy } = {}, freed }: Pick<ImpactQuestion, 'to' | 'freed'>,
): Promise<void> {
  for (const other of (await allSites(found)) ?? []) {
    if (other.id === site.id) continue;
    const tell = (what: string) => found.depends('clash', other, what, true);
    const isFree = (field: string) => freed?.has(`${field} ${other.id}`) === true;
    if (basename !== undefined && other.basename === basename && !isFree('basename'))
      tell(`It has the basename ${basename}; the platform refuses it.`);
    if (typeof proxy === 'string' && other.proxy?.origin === proxy && !isFree('proxy'))
      tell(`It is served from ${proxy}; the platform refuses it.`);
  }
}

async function renameHostname(found: Findings, thing: Affected, hostname: string | undefined): Promise<void> {
  const own = organization({ ...found.reading, organizationId: thing.id });
  const org = await own.settings();
  found.thing(thing, org.title);
  if (hostname === undefined || hostname === org.hostname) return;
  const sites = await found.items({ kind: 'sites', id: thing.id }, own.sites());
  for (const site of sites ?? [])
    await tellRenamed(
      found,
      await partsOf(found, [site]),
      () => true,
      () => nextHost(site, org, hostname),
    );
}

/** An address, and what it becomes, both without the last slash; undefined where nothing changes. */
type Prefix = { from: string; to: string } | 'unknown' | undefined;

/** Which part of a site an address belongs to. */
type RenamedItem = Pick<Partial<SiteSpace>, 'section'> & { siteSpace?: string | undefined };

async function tellRenamed(
  found: Findings,
  all: readonly SiteContent[],
  isOwn: (standing: RenamedItem) => boolean,
  prefixOf: (own: readonly Address[]) => Prefix,
): Promise<void> {
  const outer = await addressesOf(found, all, pageReader(found), () => false);
  const prefix = prefixOf(outer.filter(isOwn));
  if (prefix === undefined || outer.length === 0) return;
  const addresses = found.wants('urls')
    ? await addressesOf(found, all, pageReader(found), (_, { id, section }) =>
        isOwn({ siteSpace: id, section }),
      )
    : outer;
  const fateOf = (address: Address): Fate => {
    if (!isOwn(address)) return 'stays';
    if (prefix === 'unknown') return 'unknown';
    const { url } = address;
    return url.startsWith(prefix.from) ? { becomes: prefix.to + url.slice(prefix.from.length) } : 'stays';
  };
  if (prefix === 'unknown')
    for (const { site } of all)
      found.cannotTell(
        { kind: 'site', id: site.id, title: site.title },
        'address_unknown',
        'The platform does not show the future address.',
      );
  if (found.wants('urls')) tellDead(found, addresses, fateOf);
  const stays = (address: Address) => fateOf(address) === 'stays';
  if (found.wants('links'))
    await tellLinks(found, { dead: addresses.filter((one) => !stays(one)), living: addresses.filter(stays) });
}

/** The address with another last segment; undefined where it ends in something else. */
function withLast(url: string, old: string, next: string): string | undefined {
  const [start, end] = [bare(url), `/${encoded(old)}`];
  return start.endsWith(end) ? `${start.slice(0, -end.length)}/${encoded(next)}` : undefined;
}

function encoded(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** A proxy takes precedence over the hostname of a site, and that over the address below the organization's. */
function nextBase(site: Site, { basename, proxy }: NonNullable<ImpactQuestion['to']>): Prefix {
  const from = site.urls?.published;
  if (from === undefined) return undefined;
  const key = site.visibility === 'share-link' ? `/${bare(from).split('/').at(-1)}` : '';
  if (typeof proxy === 'string') return changed(from, `https://${proxy}${key}`);
  if (proxy === null && site.proxy !== undefined)
    return site.hostname === undefined ? 'unknown' : changed(from, `https://${site.hostname}${key}`);
  if (basename === undefined || site.proxy !== undefined || site.hostname !== undefined) return undefined;
  return changed(from, replaced(from, site.basename ?? site.id, basename, 'last'));
}

function nextHost(site: Site, org: Organization, hostname: string): Prefix {
  const from = site.urls?.published;
  if (from === undefined || site.proxy !== undefined || site.hostname !== undefined) return undefined;
  return changed(from, replaced(from, org.hostname ?? org.id, hostname, 'first'));
}

function changed(from: string, to: string | undefined): Prefix {
  if (to === undefined) return 'unknown';
  return bare(from) === bare(to) ? undefined : { from: bare(from), to: bare(to) };
}

/** The address with a label of its host, or a segment of its path, replaced; undefined where it has none such. */
function replaced(url: string, old: string, next: string, which: 'first' | 'last'): string | undefined {
  const parts = bare(url).split(/([./])/);
  const at = which === 'first' ? parts.indexOf(encoded(old)) : parts.lastIndexOf(encoded(old));
  return at < 0 ? undefined : parts.with(at, encoded(next)).join('');
}

/** New titles: references go by id, so what depends on a title is what people and scripts name things by. */

/** A thing, with the title that it has now. */
interface Titled {
  thing: Affected;
  title: string;
  /** As the platform answers it. */
  record: Readonly<Record<string, unknown>>;
}

/** What a kind is called by; a SAML provider has a label. */
export const titleFields = ['title', 'label'] as const;

/** The operation that gives things of a kind another title; undefined where none does. */
export function retitleOf(object: Affected['object']): AnyOperation | undefined {
  const { renames, operations } = resourceFor({ object });
  const isTitled = titleFields.some((field) => renames.includes(field));
  return isTitled ? operationsOf(operations.update ?? [])[0] : undefined;
}

/**
 * Tells what else has the new title, and where the titles are shown or part of an address.
 * @param question its things are of one kind, and of one site where they are on a site
 * @throws DocsError if one of them cannot be read
 */
export async function retitle(found: Findings, { things, to = {} }: ImpactQuestion): Promise<void> {
  const next = to.title ?? to.label;
  const [first] = things;
  if (next === undefined || first === undefined) return;
  const titled = await readTitled(found, things);
  for (const { thing, title } of titled)
    if (!found.things.some(({ id }) => id === thing.id)) found.thing(thing, title);
  const changing = titled.filter(({ title }) => title !== next);
  if (changing.length === 0) return;
  if (found.wants('dependents')) await tellSameTitle(found, titled, next);
  await tellShown(found, changing, next);
}

/** Things of a site are read from the list of their kind, as no operation reads one of them. */
async function readTitled(found: Findings, things: readonly Affected[]): Promise<Titled[]> {
  const [first] = things;
  if (first === undefined) return [];
  const isListed = resourceFor(first).gets.length === 0;
  const all = isListed ? await siblingsOf(found, first) : [];
  return readAll(found.reading, things, async (thing) => {
    const answer = isListed
      ? all.find(({ id }) => id === thing.id)?.record
      : await readThing(found.reading, thing);
    if (!isObject(answer)) throw notOnSite(thing);
    return { thing, title: textAt(answer, resourceFor(thing).titles[0]) ?? thing.id, record: answer };
  });
}

interface Sibling {
  id: string;
  title: string;
  record: Readonly<Record<string, unknown>>;
}

/** All things of the kind that a title could mean: those of the organization, or of the site. */
async function siblingsOf({ reading, unknown }: Findings, thing: Affected): Promise<Sibling[]> {
  if (thing.object === 'space') {
    const { spaces, unread } = await allSpaces(reading, ({ id, title }) => ({ id, title, record: {} }));
    unknown.push(...unread);
    return spaces;
  }
  const { lists, id: idField, titles } = resourceFor(thing);
  const [list] = operationsOf(lists);
  if (list === undefined) throw new Error(`No request lists ${thing.object}.`);
  const path = { organizationId: reading.organizationId, ...thing.within };
  const items = await allItems(listOf(reading.client, list, { path }));
  return items.filter(isObject).map((record) => {
    const id = String(record[idField]);
    return { id, title: textAt(record, titles[0]) ?? id, record };
  });
}

/** What has the title once it is given: all that get it, if they are several, and others of the kind. */
async function tellSameTitle(found: Findings, titled: readonly Titled[], next: string): Promise<void> {
  const [first] = titled;
  if (first === undefined) return;
  const { object, id } = first.thing;
  const list = { kind: `${object}s`.replace(/ss$/, 's'), id: found.reading.organizationId || id };
  const all = (await found.attempt(list, () => siblingsOf(found, first.thing))) ?? [];
  const own = titled.map(({ thing, title }) => ({ id: thing.id, title }));
  const others = all.filter((one) => sameName(one.title, next) && !own.some((mine) => mine.id === one.id));
  for (const one of [...(own.length > 1 ? own : []), ...others])
    found.depends('clash', one, 'It then has the same title, so --by-title may ask for an id.');
}

/** Kinds that sites publish, or publish under; the others have no address that readers see. */
const published: ReadonlySet<string> = new Set([
  ...['organization', 'space', 'site', 'site-section', 'site-section-group'],
]);

/** @throws DocsError if a site that holds one of them cannot be read */
async function tellShown(found: Findings, changing: readonly Titled[], next: string): Promise<void> {
  const object = changing[0]?.thing.object ?? '';
  const isShown = object === 'space' && found.wants('dependents');
  if (!published.has(object) || !(isShown || found.wants('urls', 'links'))) return;
  const all = await sitesOf(found, changing);
  if (isShown) tellSiteSpaces(found, all, changing, next);
  if (found.wants('urls', 'links')) await checkAddresses(found, all, changing);
}

/** The sites that publish them. Of an organization only the addresses of the sites themselves count. */
async function sitesOf(found: Findings, changing: readonly Titled[]): Promise<SiteContent[]> {
  const things = changing.map(({ thing }) => thing);
  const ids = things.map(({ id }) => id);
  const object = things[0]?.object;
  if (object === 'space') return sitesShowing(found, ids);
  if (object === 'site') return partsOf(found, await Promise.all(ids.map((id) => siteOf(found, id))));
  if (object !== 'organization') return partsWith(found, things);
  const lists = await Promise.all(
    ids.map((id) =>
      found.items({ kind: 'sites', id }, organization({ ...found.reading, organizationId: id }).sites()),
    ),
  );
  return lists.flatMap((list) => list ?? []).map((site) => ({ site, sections: [], siteSpaces: [] }));
}

/** A site space has no title of its own that could be set: the site shows that of the space. */
function tellSiteSpaces(
  found: Findings,
  all: readonly SiteContent[],
  changing: readonly Titled[],
  next: string,
): void {
  const titles = new Map(changing.map(({ thing, title }) => [thing.id, title]));
  for (const { site, siteSpaces } of all)
    for (const one of siteSpaces) {
      const old = titles.get(one.space?.id ?? '');
      if (old === undefined) continue;
      const what =
        one.title === old
          ? `Site ${site.title} shows the space under its title, so ${old} becomes ${next} there.`
          : `Site ${site.title} shows the space as ${one.title}.`;
      found.depends('site-space', one, what);
    }
}

/** Paths are set apart from titles; a segment that is the title and no path known would change with it. */
async function checkAddresses(
  found: Findings,
  all: readonly SiteContent[],
  changing: readonly Titled[],
): Promise<void> {
  const addresses = await addressesOf(found, all, pageReader(found), () => false);
  const known = new Set([...all.flatMap(pathsOf), ...changing.flatMap(namesOf)].map(plain));
  for (const { thing, title, record } of changing) {
    const urls = [...addresses.map(({ url }) => url), ...publicOf(record)];
    const url = urls.find((one) => holds(one, title, known));
    if (url === undefined || (await isHostname(found, title))) continue;
    const message = `Its address ${url} contains the title; the platform does not show the new address.`;
    found.cannotTell({ kind: thing.object, id: thing.id, title }, 'address_unknown', message);
  }
}

function pathsOf({ site, sections, siteSpaces }: SiteContent): string[] {
  const paths = [
    ...[site.id, site.basename, site.proxy?.origin],
    ...[...sections, ...siteSpaces].map(({ path }) => path),
  ];
  return paths.flatMap((path) => path?.split('/') ?? []);
}

/** What of a thing itself can be part of an address, beside its title. */
function namesOf({ thing, record }: Titled): string[] {
  const { hostname } = record;
  return typeof hostname === 'string' ? [thing.id, hostname] : [thing.id];
}

/** The public address of a space without a site. */
function publicOf({ urls }: Titled['record']): string[] {
  const url = isObject(urls) ? urls.public : undefined;
  return typeof url === 'string' ? [url] : [];
}

function holds(url: string, title: string, known: ReadonlySet<string>): boolean {
  const wanted = plain(title);
  if (wanted === '' || known.has(wanted)) return false;
  return segmentsOf(url).includes(wanted);
}

function segmentsOf(url: string): string[] {
  if (!URL.canParse(url)) return [];
  return new URL(url).pathname.split('/').map((segment) => plain(decodePercent(segment)));
}

/** A title as an address would write it: letters and digits, with hyphens between. */
function plain(text: string): string {
  return slug(text, { others: /[^\p{L}\p{N}]+/gu });
}

/** The hostname of the organization may be part of a path, too; of an organization itself it is known. */
async function isHostname(found: Findings, title: string): Promise<boolean> {
  const { organizationId } = found.reading;
  if (organizationId === '') return false;
  const what = { kind: 'organization', id: organizationId };
  const org = await found.attempt(what, () => found.organization.settings());
  return org !== undefined && plain(org.hostname ?? org.id) === plain(title);
}
