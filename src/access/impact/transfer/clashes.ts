import { listCollections } from '../../../api/resources/collections.js';
import { listSites, type Site } from '../../../api/resources/sites.js';
import { nameKey } from '../../../base/name.js';
import { allSpaces } from '../../../reading/spaces.js';
import type { Dependent } from '../change.js';
import { allOf, type Findings } from '../findings.js';
import { specsOf, type UsedSpec } from './contents.js';
import type { Moved } from './moved.js';
import type { Side, Sides } from './organizations.js';
import type { ValueLoss } from './values.js';

/*
 * What has the name of something in the target already. Spaces and collections have no slug, so the platform
 * refuses no transfer for a name; but titles become ambiguous, and what has to be set up again there (sites,
 * specs, custom fields) finds its name taken.
 */

/** What has to be set up again in the target. */
export interface LeftBehind {
  /** The sites that the spaces leave. */
  sites: readonly Site[];
  specs: readonly UsedSpec[];
  values: readonly ValueLoss[];
}

export async function tellClashes(
  found: Findings,
  { things }: Pick<Moved, 'things'>,
  { sites, specs, values }: LeftBehind,
  sides: Sides,
): Promise<void> {
  const { to } = sides;
  const taken = await titlesOf(found, to);
  for (const { object, id, title } of things)
    if (taken?.[object].has(nameKey(title)))
      clash(found, { id, title }, `${to.name} already has a ${object} of this title at its top level.`);
  await tellSites(found, sites, sides);
  const slugs = specs.flatMap(({ slug }) => slug ?? []);
  const there = slugs.length === 0 ? [] : await specsOf(found, to);
  for (const { id, slug } of specs)
    if (slug !== undefined && there?.some((spec) => spec.slug === slug))
      clash(found, { id, title: slug }, `${to.name} already has an OpenAPI spec with this slug.`);
  const fields = new Set(values.filter(({ why }) => why === 'other-type').map(({ field }) => field));
  for (const field of fields) {
    const what = `${to.name} already has a custom field of this name, of another type.`;
    clash(found, { id: field, title: field }, what);
  }
}

function clash(found: Findings, named: Pick<Dependent, 'id' | 'title'>, what: string): void {
  found.dependents.push({ kind: 'clash', ...named, what });
}

/** The titles at the top level of an organization; undefined where its collections could not be read. */
async function titlesOf(found: Findings, { id, name }: Side) {
  const reading = { ...found.reading, organizationId: id };
  const input = { path: { organizationId: id }, query: { nested: false } };
  const collections = await found.attempt({ kind: 'collections', id, title: name }, () =>
    allOf(reading.client.call(listCollections, input)),
  );
  if (collections === undefined) return undefined;
  const { spaces, unread } = await allSpaces(reading, ({ id: spaceId, title, parent }) => ({
    id: spaceId,
    title,
    parent,
  }));
  found.unknown.push(...unread);
  const top = <T extends { parent?: string | undefined; title: string }>(all: readonly T[]) =>
    new Set(all.filter(({ parent }) => parent === undefined).map(({ title }) => nameKey(title)));
  return { space: top(spaces), collection: top(collections) };
}

/** Basenames are unique in an organization, hostnames and proxies on the whole platform. */
async function tellSites(found: Findings, sites: readonly Site[], { from, to }: Sides): Promise<void> {
  if (sites.length === 0) return;
  const there = await found.attempt({ kind: 'sites', id: to.id, title: to.name }, () =>
    allOf(found.reading.client.call(listSites, { path: { organizationId: to.id } })),
  );
  for (const { id, title, basename, hostname, proxy } of sites) {
    if (basename !== undefined && there?.some((site) => site.basename === basename))
      clash(found, { id, title }, `${to.name} already has a site with the basename ${basename}.`);
    for (const held of [hostname, proxy?.origin])
      if (held !== undefined) {
        const what = `The site stays in ${from.name} and keeps ${held}, which no site of ${to.name} can have meanwhile.`;
        clash(found, { id, title }, what);
      }
  }
}
