import { getAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { listSectionGroups } from '../../api/resources/section-groups.js';
import { listSections } from '../../api/resources/sections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { listSites } from '../../api/resources/sites.js';
import { defined } from '../../base/values.js';
import type { Resource } from '../../jobs/request.js';
import { topLevel } from '../../jobs/rules/section-places.js';
import type { Kind, LiveReading } from '../kind.js';
import type { LiveItem, LiveReference } from '../model.js';
import { liveItem, referenceTo } from './declare.js';
import { allOf, unlessRefused } from './refused.js';

/** How sites and what stands in them are read: the same lists for several kinds, each read once. */

/** A resource and where it stands. */
export interface Standing {
  resource: Resource;
  place: { parent: LiveItem; index: number };
}

/**
 * Makes live items of what stands in each site. A site of which a list is refused has unknown parts: where the rest
 * stands would be a guess.
 * @param lists what is asked for as soon as the sites are listed, before more is read of them
 */
export async function* inSites(
  reading: LiveReading,
  { name, one }: Pick<Kind, 'name' | 'one'>,
  lists: readonly SiteList[],
  read: (reading: LiveReading, site: LiveItem) => Promise<readonly Standing[]>,
  itemOf: (standing: Standing) => LiveItem,
): AsyncGenerator<LiveItem> {
  const sites = reading.all('sites');
  for (const site of await allOf(reading, listSites)) {
    // A failure is thrown where the list is awaited.
    for (const op of lists) inSite(reading, op, site).catch(() => {});
  }
  const standings = (await sites).map((site) => {
    const what = `the ${one}s of the site ${site.title}`;
    return unlessRefused(reading, { kind: name, within: site, what }, () => read(reading, site));
  });
  for (const found of await Promise.all(standings)) yield* (found ?? []).map(itemOf);
}

/** The list of sections shows where a group stands among them, and no list where one without sections does. */
export async function groupsOf(reading: LiveReading, parent: LiveItem): Promise<Standing[]> {
  const [groups, sections] = await Promise.all([
    inSite(reading, listSectionGroups, parent),
    inSite(reading, listSections, parent),
  ]);
  const order = topOrder(sections);
  return groups.map((group) => {
    const inGroup = (group.sections ?? []) as Resource[];
    const resource = { ...group, sections: inGroup.map(({ id }) => ({ id })) };
    return { resource, place: { parent, index: order.indexOf(String(group.id)) } };
  });
}

export async function sectionsOf(reading: LiveReading, site: LiveItem): Promise<Standing[]> {
  const [groups, sections] = await Promise.all([reading.all('groups'), inSite(reading, listSections, site)]);
  const order = topOrder(sections);
  const next = counter();
  return sections.flatMap((section) => {
    const parent = holderIn(groups, section.sectionGroup, site);
    if (parent === undefined) return hidden(reading, 'sections', section, site);
    const index = parent === site ? order.indexOf(String(section.id)) : next(parent);
    return [{ resource: withSmallSpaces(section), place: { parent, index } }];
  });
}

export async function siteSpacesOf(reading: LiveReading, site: LiveItem): Promise<Standing[]> {
  const [sections, found] = await Promise.all([
    reading.all('sections'),
    inSite(reading, listSiteSpaces, site),
    inSite(reading, listSections, site),
  ]);
  const next = counter();
  return found.flatMap((own) => {
    const parent = holderIn(sections, own.section, site);
    if (parent === undefined) return hidden(reading, 'site-spaces', own, site);
    const place = { parent, index: next(parent) };
    if (own.space !== undefined) return [{ resource: withSmallSpace(own), place }];
    const message = `The token may not see the space ${own.title} of the site ${site.title}.`;
    reading.missed({ kind: 'site-spaces', within: site, message });
    return [];
  });
}

/** The group or section in which something stands, or the site; undefined where it is one that was not read. */
function holderIn(holders: readonly LiveItem[], id: unknown, site: LiveItem): LiveItem | undefined {
  return typeof id === 'string' ? holders.find((one) => one.id === id) : site;
}

function hidden(
  reading: LiveReading,
  kind: 'sections' | 'site-spaces',
  { title }: Resource,
  site: LiveItem,
): [] {
  const [one, holder] = kind === 'sections' ? ['section', 'group'] : ['space', 'section'];
  const message = `The token may not see the ${holder} of the ${one} ${title} of the site ${site.title}.`;
  reading.missed({ kind, within: site, message });
  return [];
}

/** A site with what other reads show of it: the schema, and what it shows first. */
export async function* sitesWithInside(
  reading: LiveReading,
  kind: Pick<Kind, 'name' | 'fields'>,
): AsyncGenerator<LiveItem> {
  const { organizationId, wants, reads } = reading;
  const inside = async (site: Resource): Promise<LiveItem> => {
    const within = { kind: kind.name, id: String(site.id) };
    const path = { organizationId, siteId: within.id };
    const unread: string[] = [];
    const field = async <T>(key: string, what: string, read: () => Promise<T>): Promise<T | undefined> => {
      if (!wants('sites', key)) return undefined;
      const missed = { kind: kind.name, field: key, within, what: `${what} of the site ${site.title}` };
      const found = await unlessRefused(reading, missed, read);
      if (found === undefined) unread.push(key);
      return found;
    };
    const [adaptiveSchema, shownFirst] = await Promise.all([
      field('schema', 'the adaptive schema', () => reads.one(getAdaptiveSchema, { path })),
      field('default', 'the default', () => readShownFirst(reading, within)),
    ]);
    return liveItem(kind, { ...site, ...defined({ adaptiveSchema, shownFirst }) }, {}, unread);
  };
  yield* await Promise.all((await allOf(reading, listSites)).map(inside));
}

async function readShownFirst(reading: LiveReading, site: { id: string }): Promise<LiveReference | null> {
  const isShown = (one: Resource) => one.default === true;
  const sections = await inSite(reading, listSections, site);
  if (sections.length > 0) return referenceTo('sections', sections.find(isShown)?.id);
  const spaces = await inSite(reading, listSiteSpaces, site);
  return referenceTo('site-spaces', spaces.find(isShown)?.id);
}

type SiteList = typeof listSections | typeof listSiteSpaces | typeof listSectionGroups;

function inSite(reading: LiveReading, op: SiteList, { id }: { readonly id?: unknown }): Promise<Resource[]> {
  return allOf(reading, op, { siteId: String(id) });
}

function topOrder(sections: readonly Resource[]): string[] {
  return topLevel(sections).map(({ id }) => id);
}

/** Numbers the items of each parent from 0. */
function counter(): (parent: LiveItem) => number {
  const counts = new Map<LiveItem, number>();
  return (parent) => {
    const index = counts.get(parent) ?? 0;
    counts.set(parent, index + 1);
    return index;
  };
}

function withSmallSpaces({ siteSpaces, ...section }: Resource): Resource {
  const own = (siteSpaces ?? []) as Resource[];
  return {
    ...section,
    siteSpaces: own.map(({ id, default: shown, space }) => withSmallSpace({ id, default: shown, space })),
  };
}

/** A site space with its space by the id alone. */
function withSmallSpace(own: Resource): Resource {
  return { ...own, space: { id: (own.space as Resource | undefined)?.id } };
}
