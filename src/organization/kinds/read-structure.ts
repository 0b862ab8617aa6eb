import { getAdaptiveSchema } from '../../api/resources/adaptive-schemas.js';
import { listSectionGroups } from '../../api/resources/section-groups.js';
import { listSections } from '../../api/resources/sections.js';
import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { listSites } from '../../api/resources/sites.js';
import { defined } from '../../defined.js';
import { DocsError } from '../../errors.js';
import type { Resource } from '../../jobs/request.js';
import { topLevel } from '../../jobs/rules/section-places.js';
import type { LiveReading } from '../kind.js';
import type { LiveItem, LiveReference } from '../model.js';
import { referenceTo } from './declare.js';

/** How sites and what stands in them are read: the same lists for several kinds, each read once. */

/** A resource and where it stands. */
export interface Standing {
  resource: Resource;
  place: { parent: LiveItem; index: number };
}

/**
 * Makes live items of what stands in each site.
 * @param lists what is asked for as soon as the sites are listed, before more is read of them
 */
export async function* inSites(
  reading: LiveReading,
  lists: readonly SiteList[],
  read: (reading: LiveReading, site: LiveItem) => Promise<readonly Standing[]>,
  itemOf: (standing: Standing) => LiveItem,
): AsyncGenerator<LiveItem> {
  const sites = reading.all('sites');
  for (const site of await listedSites(reading)) {
    // A failure is thrown where the list is awaited.
    for (const op of lists) allOf(reading, op, site).catch(() => {});
  }
  const standings = (await sites).map((site) => read(reading, site));
  for (const standing of await Promise.all(standings)) yield* standing.map(itemOf);
}

/** @throws DocsError not-found where the token may not see the organization */
async function listedSites({ reads, organizationId }: LiveReading): Promise<(Resource & { id: string })[]> {
  const sites = await reads.all(listSites, { path: { organizationId } });
  if (sites !== null) return sites as (Resource & { id: string })[];
  throw new DocsError('not-found', 'not_found', `organization ${organizationId} not found`);
}

/** The list of sections shows where a group stands among them, and no list where one without sections does. */
export async function groupsOf(reading: LiveReading, parent: LiveItem): Promise<Standing[]> {
  const [groups, sections] = await Promise.all([
    allOf(reading, listSectionGroups, parent),
    sectionList(reading, parent),
  ]);
  const order = topOrder(sections);
  return groups.map((group) => {
    const inGroup = (group.sections ?? []) as Resource[];
    const resource = { ...group, sections: inGroup.map(({ id }) => ({ id })) };
    return { resource, place: { parent, index: order.indexOf(String(group.id)) } };
  });
}

export async function sectionsOf(reading: LiveReading, site: LiveItem): Promise<Standing[]> {
  const [groups, sections] = await Promise.all([reading.all('groups'), sectionList(reading, site)]);
  const order = topOrder(sections);
  const next = counter();
  return sections.map((section) => {
    const group = groups.find(({ id }) => id === section.sectionGroup);
    const index = group === undefined ? order.indexOf(String(section.id)) : next(group);
    return { resource: withSmallSpaces(section), place: { parent: group ?? site, index } };
  });
}

export async function siteSpacesOf(reading: LiveReading, site: LiveItem): Promise<Standing[]> {
  const [sections, found] = await Promise.all([
    reading.all('sections'),
    allOf(reading, listSiteSpaces, site),
  ]);
  const next = counter();
  return found.flatMap((own) => {
    const parent = sections.find(({ id }) => id === own.section) ?? site;
    const place = { parent, index: next(parent) };
    if (own.space !== undefined) return { resource: withSmallSpace(own), place };
    reading.missed(`The token may not see the space ${own.title} of the site ${site.title}.`);
    return [];
  });
}

/** Sites with what other reads show of them: the schema, and what they show first. */
export async function sitesWithInside(reading: LiveReading): Promise<Resource[]> {
  const { organizationId, wants, reads } = reading;
  const inside = async (site: Resource & { id: string }): Promise<Resource> => {
    const path = { organizationId, siteId: site.id };
    const [adaptiveSchema, shownFirst] = await Promise.all([
      wants('sites', 'schema') ? reads.one(getAdaptiveSchema, { path }) : undefined,
      wants('sites', 'default') ? readShownFirst(reading, site) : undefined,
    ]);
    return { ...site, ...defined({ adaptiveSchema, shownFirst }) };
  };
  return Promise.all((await listedSites(reading)).map(inside));
}

async function readShownFirst(reading: LiveReading, site: { id: string }): Promise<LiveReference | null> {
  const isShown = (one: Resource) => one.default === true;
  const sections = await sectionList(reading, site);
  if (sections.length > 0) return referenceTo('sections', sections.find(isShown)?.id);
  const spaces = await allOf(reading, listSiteSpaces, site);
  return referenceTo('site-spaces', spaces.find(isShown)?.id);
}

type SiteList = typeof listSections | typeof listSiteSpaces | typeof listSectionGroups;

async function allOf(
  { reads, organizationId }: LiveReading,
  op: SiteList,
  { id }: { id: string },
): Promise<Resource[]> {
  return (await reads.all(op, { path: { organizationId, siteId: id } })) ?? [];
}

function sectionList(reading: LiveReading, site: { id: string }): Promise<Resource[]> {
  return allOf(reading, listSections, site);
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
