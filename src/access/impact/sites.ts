import { deleteSection, type SectionGroup } from '../../api/resources/sections.js';
import type { SiteSpace } from '../../api/resources/site-spaces.js';
import { deleteSite, type Site } from '../../api/resources/sites.js';
import { DocsError } from '../../base/errors.js';
import { readAll } from '../../jobs/in-order.js';
import { counted } from '../../output/text.js';
import type { SiteContent } from '../../snapshot/organization.js';
import { allItems } from '../../snapshot/unread.js';
import type { Affected, Findings } from './findings.js';
import { type Address, addressesOf, type PagesOf, pageReader, tellDead, tellLinks } from './published.js';

/** What goes from sites: whole ones, parts of them, or the spaces that they show. */
interface Gone {
  spaces: ReadonlySet<string>;
  sites: ReadonlySet<string>;
  sections: ReadonlySet<string>;
  siteSpaces: ReadonlySet<string>;
}

export const nothingGone: Gone = {
  spaces: new Set(),
  sites: new Set(),
  sections: new Set(),
  siteSpaces: new Set(),
};

/** Up to as many spaces, each is asked for its sites; more are found by reading all sites. */
const mostAsked = 5;

/** The sites that show any of these spaces, with their parts. What cannot be read counts as unknown. */
export async function sitesShowing(found: Findings, spaces: readonly string[]): Promise<SiteContent[]> {
  const queries = spaces.length > mostAsked ? [{}] : spaces.map((space) => ({ space }));
  const lists = await readAll(found.reading, queries, (query) => allSites(found, query));
  const sites = new Map(lists.flatMap((list) => list ?? []).map((site) => [site.id, site]));
  const all = await partsOf(found, [...sites.values()]);
  // The platform may ignore the filter.
  return all.filter(({ siteSpaces }) =>
    siteSpaces.some(({ space }) => space === undefined || spaces.includes(space.id)),
  );
}

/** The sites of the organization; undefined where they could not be read, which counts as unknown. */
export function allSites(found: Findings, query: { space?: string } = {}): Promise<Site[] | undefined> {
  const what = { kind: 'sites', id: found.reading.organizationId };
  return found.items(what, found.organization.sites(query));
}

/** @throws DocsError if the site cannot be read */
export function siteOf({ organization }: Findings, siteId: string): Promise<Site> {
  return organization.site(siteId).settings();
}

/** What is on sites. What cannot be read counts as unknown. */
export async function partsOf(found: Findings, sites: readonly Site[]): Promise<SiteContent[]> {
  const all = await readAll(found.reading, sites, (site) => {
    const { id, title } = site;
    return found.attempt({ kind: 'site', id, title }, () => found.organization.site(id).contentOf(site));
  });
  return all.filter((content) => content !== undefined);
}

/**
 * Tells the addresses that stop, and what on the sites names what goes.
 * @param all the sites in question, and those that show the same spaces
 * @param own addresses that spaces have without a site
 * @returns every address of them, with what becomes of it, for the links to them
 */
export async function tellGone(
  found: Findings,
  all: readonly SiteContent[],
  gone: Gone,
  pagesOf: PagesOf,
  own: readonly Address[] = [],
): Promise<{ dead: Address[]; living: Address[] }> {
  if (found.wants('dependents')) for (const parts of all) tellRests(found, parts, gone);
  const spaces = spacesIn(all, gone);
  const isGone = goneTest(gone);
  const onSites = found.wants('urls', 'links')
    ? await addressesOf(found, all, pagesOf, (_, { space }) => found.wants('urls') && spaces.has(space?.id))
    : [];
  const addresses = [...onSites, ...own];
  if (found.wants('urls')) tellDead(found, addresses, (address) => (isGone(address) ? 'gone' : 'stays'));
  return { dead: addresses.filter(isGone), living: addresses.filter((address) => !isGone(address)) };
}

/** The spaces of everything that goes; undefined stands for those that the token cannot see. */
function spacesIn(all: readonly SiteContent[], gone: Gone): Set<string | undefined> {
  const isGone = goneTest(gone);
  const own = all.flatMap(({ site, siteSpaces }) =>
    siteSpaces
      .filter(({ id, section, space }) => isGone({ site: site.id, section, siteSpace: id, space: space?.id }))
      .map(({ space }) => space?.id),
  );
  return new Set(own);
}

interface Standing {
  site?: string | undefined;
  section?: string | undefined;
  siteSpace?: string | undefined;
  space?: string | undefined;
}

function goneTest({ spaces, sites, sections, siteSpaces }: Gone): (standing: Standing) => boolean {
  const has = (set: ReadonlySet<string>, id: string | undefined) => id !== undefined && set.has(id);
  return ({ site, section, siteSpace, space }) =>
    has(sites, site) || has(sections, section) || has(siteSpaces, siteSpace) || has(spaces, space);
}

/** Site spaces, defaults and conditions that go, or that name what goes. */
function tellRests(found: Findings, { site, sections, siteSpaces }: SiteContent, gone: Gone): void {
  const isGone = goneTest(gone);
  const of = (standing: Omit<Standing, 'site'>) => isGone({ site: site.id, ...standing });
  const on = `site ${site.title}`;
  const goneSpaces = siteSpaces.filter(({ id, section, space }) =>
    of({ section, siteSpace: id, space: space?.id }),
  );
  const goneSections = sections.filter(({ id }) => of({ section: id }));
  for (const one of goneSpaces) {
    const { id, title } = one;
    const stays = one.space !== undefined && !gone.spaces.has(one.space.id);
    const what = `No longer on ${on}${stays ? '; the space itself stays' : ''}.`;
    found.dependents.push({ kind: 'site-space', id, title, what });
    if (gone.sites.has(site.id)) continue;
    if (one.default === true)
      found.dependents.push({ kind: 'default', id, title, what: `It is the default site space of ${on}.` });
  }
  for (const { id, title, default: isDefault } of goneSections)
    if (isDefault === true && !gone.sites.has(site.id))
      found.dependents.push({ kind: 'default', id, title, what: `It is the default section of ${on}.` });
  for (const { id, title, condition } of [...goneSections, ...goneSpaces])
    if (condition !== undefined)
      found.dependents.push({
        kind: 'condition',
        id,
        title,
        what: `Its condition goes with it: ${condition}`,
      });
  tellEmptied(found, { site, sections, siteSpaces }, gone, new Set(goneSpaces.map(({ id }) => id)));
}

function tellEmptied(
  found: Findings,
  { site, sections, siteSpaces }: SiteContent,
  gone: Gone,
  goneSpaces: ReadonlySet<string>,
): void {
  if (gone.sites.has(site.id) || goneSpaces.size === 0) return;
  const { id, title } = site;
  const left = siteSpaces.filter((one) => !goneSpaces.has(one.id));
  if (left.length === 0) {
    found.dependents.push({ kind: 'site-space', id, title, what: 'The site has no content left.' });
    return;
  }
  for (const section of sections) {
    const own = siteSpaces.filter((one) => one.section === section.id);
    const isEmptied = own.length > 0 && own.every((one) => goneSpaces.has(one.id));
    if (isEmptied && !gone.sections.has(section.id))
      found.dependents.push({
        kind: 'section',
        id: section.id,
        title: section.title,
        what: `The section of site ${title} has no content left.`,
      });
  }
}

/** Tells whether one of these sites is what members see first. */
async function tellDefaultContent(found: Findings, sites: ReadonlyMap<string, string>): Promise<void> {
  const what = { kind: 'organization', id: found.reading.organizationId };
  const org = await found.attempt(what, () => found.organization.settings());
  const id = org?.defaultContent?.site;
  const title = sites.get(id ?? '');
  if (id !== undefined && title !== undefined)
    found.dependents.push({
      kind: 'default',
      id,
      title,
      what: 'It is what members of the organization see first.',
    });
}

/**
 * What goes with deleted sites; their spaces stay.
 * @throws DocsError if one of them cannot be read
 */
export async function deleteSites(found: Findings, things: readonly Affected[]): Promise<void> {
  const sites = await Promise.all(things.map(({ id }) => siteOf(found, id)));
  for (const { id, title } of sites) found.thing({ object: 'site', id }, title);
  const gone = { ...nothingGone, sites: new Set(sites.map(({ id }) => id)) };
  await tellSiteParts(found, await partsOf(found, sites), gone);
  if (found.wants('dependents'))
    await tellDefaultContent(found, new Map(sites.map(({ id, title }) => [id, title])));
  found.limitedUndo(deleteSite);
}

/**
 * What goes with deleted sections, whose spaces stay.
 * @throws DocsError if the site cannot be read or has no such section
 */
export async function deleteSections(found: Findings, things: readonly Affected[]): Promise<void> {
  const own = await partsWith(found, things);
  for (const thing of things) found.thing(thing, partOf(own, thing).title);
  await tellSiteParts(found, own, { ...nothingGone, sections: new Set(things.map(({ id }) => id)) });
  found.limitedUndo(deleteSection);
}

/**
 * What goes with spaces that are taken off a site.
 * @throws DocsError as `deleteSections`
 */
export async function deleteSiteSpaces(found: Findings, things: readonly Affected[]): Promise<void> {
  const own = await partsWith(found, things);
  for (const thing of things) found.thing(thing, partOf(own, thing).title);
  await tellSiteParts(found, own, { ...nothingGone, siteSpaces: new Set(things.map(({ id }) => id)) });
}

/** Deleted section groups: their sections stay, at the same addresses. @throws DocsError as `deleteSections` */
export async function deleteSectionGroups(found: Findings, things: readonly Affected[]): Promise<void> {
  for (const siteId of sitesOf(things))
    for (const thing of things.filter(({ within }) => within?.siteId === siteId)) {
      const group = await groupOf(found, thing);
      found.thing(thing, group.title);
      if (group.sections.length === 0) continue;
      const what = `Its ${counted(group.sections.length, 'section')} stay on the site, outside of a group.`;
      const one = group.sections.length === 1 ? what.replace(' stay ', ' stays ') : what;
      found.dependents.push({ kind: 'moved', id: group.id, title: group.title, what: one });
    }
}

/** @throws DocsError not-found; if the groups of the site cannot be read */
async function groupOf({ organization }: Findings, thing: Affected): Promise<SectionGroup> {
  const groups = await allItems(organization.site(thing.within?.siteId ?? '').groups());
  const group = groups.find(({ id }) => id === thing.id);
  if (group === undefined) throw noSuchPart(thing);
  return group;
}

/** Parts of sites that only get another place in the order. @throws DocsError as `deleteSections` */
export async function orderSiteParts(found: Findings, things: readonly Affected[]): Promise<void> {
  const own = await partsWith(found, things);
  for (const thing of things) {
    const isGroup = thing.object === 'site-section-group';
    const { title } = isGroup ? await groupOf(found, thing) : partOf(own, thing);
    found.thing(thing, title);
  }
}

async function tellSiteParts(found: Findings, own: readonly SiteContent[], gone: Gone): Promise<void> {
  // Where the same spaces are shown elsewhere, readers can be sent there.
  const spaces = own.flatMap(({ siteSpaces, site }) =>
    siteSpaces.filter((one) => isGone(gone, site.id, one)).flatMap(({ space }) => space?.id ?? []),
  );
  const published = own.some(({ site }) => site.published);
  const others = published && found.wants('urls') ? await sitesShowing(found, [...new Set(spaces)]) : [];
  const known = new Set(own.map(({ site }) => site.id));
  const all = [...own, ...others.filter(({ site }) => !known.has(site.id))];
  const addresses = await tellGone(found, all, gone, pageReader(found));
  if (found.wants('links')) await tellLinks(found, addresses);
}

function isGone(gone: Gone, site: string, { id, section }: SiteContent['siteSpaces'][number]): boolean {
  return gone.sites.has(site) || gone.siteSpaces.has(id) || gone.sections.has(section ?? '');
}

/** The sites that the things are on. */
function sitesOf(things: readonly Affected[]): string[] {
  return [...new Set(things.flatMap(({ within }) => within?.siteId ?? []))];
}

/** @throws DocsError if a site cannot be read */
export async function partsWith(found: Findings, things: readonly Affected[]): Promise<SiteContent[]> {
  const sites = await Promise.all(sitesOf(things).map((id) => siteOf(found, id)));
  const before = found.unknown.length;
  const parts = await partsOf(found, sites);
  const [failed] = found.unknown.slice(before);
  if (failed !== undefined) throw failed.error;
  return parts;
}

/** A section, or a space of a site. */
export type SitePart = Pick<SiteSpace, 'id' | 'title' | 'path' | 'section'>;

/** @throws DocsError not-found */
export function partOf(all: readonly SiteContent[], thing: Affected): SitePart {
  const parts = all.find(({ site }) => site.id === thing.within?.siteId);
  const list: readonly SitePart[] =
    thing.object === 'site-section' ? (parts?.sections ?? []) : (parts?.siteSpaces ?? []);
  const part = list.find(({ id }) => id === thing.id);
  if (part === undefined) throw noSuchPart(thing);
  return part;
}

function noSuchPart({ object, id, within }: Affected): DocsError {
  const what = object.replace(/^site-(?=section)/, '').replaceAll('-', ' ');
  const message = `${what} ${id} not found on site ${within?.siteId ?? ''}.`;
  return new DocsError('not-found', 'not_found', message);
}
