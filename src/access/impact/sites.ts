import { deleteSection, type SectionGroup } from '../../api/resources/sections.js';
import type { SiteSpace } from '../../api/resources/site-spaces.js';
import { deleteSite, type Site } from '../../api/resources/sites.js';
import { DocsError } from '../../base/errors.js';
import { readAll } from '../../jobs/sequence.js';
import { counted } from '../../output/text.js';
import type { SiteContent } from '../../snapshot/organization.js';
import { allItems } from '../../snapshot/unread.js';
import type { Findings } from './findings.js';
import { type Address, addressesOf, type PagesOf, pageReader, tellDead, tellLinks } from './published.js';
import type { Affected, ImpactQuestion } from './shapes.js';

/** What goes from sites: whole ones, parts of them, or the spaces that they show; their spaces stay. */
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
  const isShown = ({ space }: SiteSpace) => space === undefined || spaces.includes(space.id);
  return all.filter(({ siteSpaces }) => siteSpaces.some(isShown));
}

/** The sites of the organization; undefined where they could not be read, which counts as unknown. */
export function allSites(found: Findings, query: { space?: string } = {}): Promise<Site[] | undefined> {
  return found.own('sites', found.organization.sites(query));
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
  const isGone = goneTest(gone);
  if (found.wants('dependents')) for (const parts of all) tellRests(found, parts, gone);
  // The spaces of everything that goes; undefined stands for those that the token cannot see.
  const spaces = new Set(
    all.flatMap(({ site, siteSpaces }) =>
      siteSpaces.filter((one) => isGone(partOfSpace(site.id, one))).map(({ space }) => space?.id),
    ),
  );
  const onSites = found.wants('urls', 'links')
    ? await addressesOf(found, all, pagesOf, (_, { space }) => found.wants('urls') && spaces.has(space?.id))
    : [];
  const addresses = [...onSites, ...own];
  if (found.wants('urls')) tellDead(found, addresses, (address) => (isGone(address) ? 'gone' : 'stays'));
  return { dead: addresses.filter(isGone), living: addresses.filter((address) => !isGone(address)) };
}

/** What a part of a site belongs to. */
type Around = Pick<Address, 'site' | 'section' | 'siteSpace' | 'space'>;

function goneTest({ spaces, sites, sections, siteSpaces }: Gone): (around: Around) => boolean {
  return ({ site = '', section = '', siteSpace = '', space = '' }) =>
    sites.has(site) || sections.has(section) || siteSpaces.has(siteSpace) || spaces.has(space);
}

function partOfSpace(site: string, { id, section, space }: SiteSpace): Around {
  return { site, section, siteSpace: id, space: space?.id };
}

/** Site spaces, defaults and conditions that go, or that name what goes. */
function tellRests(found: Findings, { site, sections, siteSpaces }: SiteContent, gone: Gone): void {
  const isGone = goneTest(gone);
  const isWhole = gone.sites.has(site.id);
  const on = `site ${site.title}`;
  const goneSpaces = siteSpaces.filter((one) => isGone(partOfSpace(site.id, one)));
  const goneSections = sections.filter(({ id }) => isGone({ site: site.id, section: id }));
  for (const one of goneSpaces) {
    const stays = one.space !== undefined && !gone.spaces.has(one.space.id);
    found.depends('site-space', one, `No longer on ${on}${stays ? '; the space itself stays' : ''}.`);
    if (one.default === true && !isWhole)
      found.depends('default', one, `It is the default site space of ${on}.`);
  }
  for (const one of goneSections)
    if (one.default === true && !isWhole)
      found.depends('default', one, `It is the default section of ${on}.`);
  for (const one of [...goneSections, ...goneSpaces])
    if (one.condition !== undefined)
      found.depends('condition', one, `Its condition goes with it: ${one.condition}`);
  if (isWhole || goneSpaces.length === 0) return;
  if (goneSpaces.length === siteSpaces.length) {
    found.depends('site-space', site, 'The site has no content left.');
    return;
  }
  for (const section of sections) {
    const own = siteSpaces.filter((one) => one.section === section.id);
    const isEmptied = own.length > 0 && own.every((one) => goneSpaces.includes(one));
    if (isEmptied && !gone.sections.has(section.id))
      found.depends('section', section, `The section of ${on} has no content left.`);
  }
}

/**
 * What goes with deleted sites; their spaces stay.
 * @throws DocsError if one of them cannot be read
 */
export async function deleteSites(found: Findings, { things }: ImpactQuestion): Promise<void> {
  const sites = await Promise.all(things.map(({ id }) => siteOf(found, id)));
  for (const { id, title } of sites) found.thing({ object: 'site', id }, title);
  const gone = { ...nothingGone, sites: new Set(sites.map(({ id }) => id)) };
  await tellSiteParts(found, await partsOf(found, sites), gone);
  if (found.wants('dependents')) await tellDefaultContent(found, sites);
  found.limitedUndo(deleteSite);
}

/** Tells whether one of these sites is what members see first. */
async function tellDefaultContent(found: Findings, sites: readonly Site[]): Promise<void> {
  const what = { kind: 'organization', id: found.reading.organizationId };
  const org = await found.attempt(what, () => found.organization.settings());
  const site = sites.find(({ id }) => id === org?.defaultContent?.site);
  if (site !== undefined) found.depends('default', site, 'Members of the organization see it first.');
}

/**
 * What goes with deleted sections.
 * @throws DocsError if the site cannot be read or has no such section
 */
export async function deleteSections(found: Findings, { things }: ImpactQuestion): Promise<void> {
  await deleteParts(found, things, 'sections');
  found.limitedUndo(deleteSection);
}

/** What goes with spaces that are taken off a site. @throws DocsError as `deleteSections` */
export function deleteSiteSpaces(found: Findings, { things }: ImpactQuestion): Promise<void> {
  return deleteParts(found, things, 'siteSpaces');
}

async function deleteParts(
  found: Findings,
  things: readonly Affected[],
  kind: 'sections' | 'siteSpaces',
): Promise<void> {
  const own = await partsWith(found, things);
  for (const thing of things) found.thing(thing, partOf(own, thing).title);
  await tellSiteParts(found, own, { ...nothingGone, [kind]: new Set(things.map(({ id }) => id)) });
}

/** Deleted section groups: their sections stay, at the same addresses. @throws DocsError as `deleteSections` */
export async function deleteSectionGroups(found: Findings, { things }: ImpactQuestion): Promise<void> {
  for (const siteId of sitesOf(things))
    for (const thing of things.filter(({ within }) => within?.siteId === siteId)) {
      const group = await groupOf(found, thing);
      found.thing(thing, group.title);
      const { length } = group.sections;
      const stay = length === 1 ? 'stays' : 'stay';
      const what = `Its ${counted(length, 'section')} ${stay} on the site, outside of a group.`;
      if (length > 0) found.depends('moved', group, what);
    }
}

/** @throws DocsError not-found; if the groups of the site cannot be read */
async function groupOf({ organization }: Findings, thing: Affected): Promise<SectionGroup> {
  const groups = await allItems(organization.site(thing.within?.siteId ?? '').groups());
  const group = groups.find(({ id }) => id === thing.id);
  if (group === undefined) throw notOnSite(thing);
  return group;
}

/** Parts of sites that only get another place in the order. @throws DocsError as `deleteSections` */
export async function orderSiteParts(found: Findings, { things }: ImpactQuestion): Promise<void> {
  const own = await partsWith(found, things);
  for (const thing of things) {
    const isGroup = thing.object === 'site-section-group';
    const { title } = isGroup ? await groupOf(found, thing) : partOf(own, thing);
    found.thing(thing, title);
  }
}

async function tellSiteParts(found: Findings, own: readonly SiteContent[], gone: Gone): Promise<void> {
  const isGone = goneTest(gone);
  // Where the same spaces are shown elsewhere, readers can be sent there.
  const spaces = own.flatMap(({ siteSpaces, site }) =>
    siteSpaces.filter((one) => isGone(partOfSpace(site.id, one))).flatMap(({ space }) => space?.id ?? []),
  );
  const published = own.some(({ site }) => site.published);
  const others = published && found.wants('urls') ? await sitesShowing(found, [...new Set(spaces)]) : [];
  const known = new Set(own.map(({ site }) => site.id));
  const all = [...own, ...others.filter(({ site }) => !known.has(site.id))];
  const addresses = await tellGone(found, all, gone, pageReader(found));
  if (found.wants('links')) await tellLinks(found, addresses);
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
  const failed = found.unknown[before];
  if (failed !== undefined) throw failed.error;
  return parts;
}

/** A section, or a space of a site. */
export type SitePart = Pick<SiteSpace, 'id' | 'title' | 'path' | 'section'>;

/** @throws DocsError not-found */
export function partOf(all: readonly SiteContent[], thing: Affected): SitePart {
  const parts = all.find(({ site }) => site.id === thing.within?.siteId);
  const list = thing.object === 'site-section' ? parts?.sections : parts?.siteSpaces;
  const part = (list as readonly SitePart[] | undefined)?.find(({ id }) => id === thing.id);
  if (part === undefined) throw notOnSite(thing);
  return part;
}

export function notOnSite({ object, id, within }: Affected): DocsError {
  const what = object.replace(/^site-(?=section)/, '').replaceAll('-', ' ');
  const where = within?.siteId === undefined ? '' : ` on site ${within.siteId}`;
  return new DocsError('not-found', 'not_found', `${what} ${id} not found${where}`);
}
