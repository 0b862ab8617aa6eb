import { deleteSection, type SectionGroup } from '../../api/resources/sections.js';
import type { SiteSpace } from '../../api/resources/site-spaces.js';
import { deleteSite } from '../../api/resources/sites.js';
import { DocsError } from '../../base/errors.js';
import { counted } from '../../output/counted.js';
import type { SiteContent } from '../../snapshot/organization.js';
import { allItems } from '../../snapshot/unread.js';
import type { Affected } from './change.js';
import type { Findings } from './findings.js';
import { tellLinks } from './links-to.js';
import { pageReader } from './published.js';
import {
  type Gone,
  nothingGone,
  partsOf,
  siteOf,
  sitesShowing,
  tellDefaultContent,
  tellGone,
} from './site-changes.js';

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
