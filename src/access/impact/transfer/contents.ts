import { listChangeRequests } from '../../../api/resources/change-requests.js';
import type { OpenApiSpec } from '../../../api/resources/openapi.js';
import type { Site } from '../../../api/resources/sites.js';
import { nameKey } from '../../../base/name.js';
import { readAll } from '../../../jobs/in-order.js';
import { counted } from '../../../output/counted.js';
import { organization } from '../../../snapshot/organization.js';
import { allSpaces } from '../../../snapshot/spaces.js';
import { allItems } from '../../../snapshot/unread.js';
import type { Findings } from '../findings.js';
import type { PagesOf } from '../published.js';
import type { Moved, MovedSpace } from './moved.js';
import type { Side, Sides } from './organizations.js';

/**
 * What goes along with the content of spaces, what the content is made from and leaves behind, and what has the same
 * title in the target.
 */

/** An OpenAPI spec that pages of the spaces are made from. */
export interface UsedSpec {
  id: string;
  /** Undefined where the platform does not list it. */
  slug?: string;
}

const pending = ['open', 'draft'] as const;

/** Change requests that are open or drafts: they go along, their authors may not. */
export async function tellChangeRequests(found: Findings, spaces: readonly MovedSpace[], target: Side) {
  const { client } = found.reading;
  const asked = spaces.filter(({ changeRequests }) => changeRequests > 0);
  const lists = await readAll(found.reading, asked, async (space) => {
    const { id, title } = space;
    const requests = pending.map((status) =>
      found.attempt({ kind: `${status}-change-requests`, id, title }, async () => {
        const listing = client.call(listChangeRequests, { path: { spaceId: id }, query: { status } });
        // The platform may ignore the filter.
        return (await allItems(listing)).filter((request) => request.status === status);
      }),
    );
    return { title, requests: (await Promise.all(requests)).flatMap((list) => list ?? []) };
  });
  for (const { title, requests } of lists)
    for (const { id, number, subject, status, createdBy } of requests) {
      const author = createdBy?.displayName;
      const by = author === undefined ? '' : ` by ${author}`;
      const what = `#${number} of ${title} (${status}${by}) goes to ${target.name} with the space.`;
      found.dependents.push({ kind: 'change-request', id, title: subject, what });
    }
}

/** Repositories that spaces are synchronized with: the connection belongs to the organization that is left. */
export function tellGitSync(found: Findings, spaces: readonly MovedSpace[], { from }: Sides): void {
  for (const { id, title, gitSync } of spaces) {
    if (gitSync === undefined) continue;
    const what = `It is synchronized with ${gitSync} by an integration of ${from.name}; set it up again.`;
    found.dependents.push({ kind: 'integration', id, title, what });
  }
}

/** Specs that pages are made from stay behind. @returns the specs, once each */
export async function tellSpecs(
  found: Findings,
  spaces: readonly MovedSpace[],
  pagesOf: PagesOf,
  { from }: Sides,
): Promise<UsedSpec[]> {
  const uses = new Map<string, number>();
  for (const pages of await readAll(found.reading, spaces, ({ id }) => pagesOf(id)))
    for (const { computed } of pages ?? []) {
      const spec = computed?.dependencies?.spec?.ref.spec;
      if (spec !== undefined) uses.set(spec, (uses.get(spec) ?? 0) + 1);
    }
  if (uses.size === 0) return [];
  const specs = await specsOf(found, from);
  return [...uses].map(([id, count]) => {
    const slug = specs?.find((spec) => spec.id === id || spec.slug === id)?.slug;
    const verb = count === 1 ? 'is' : 'are';
    const what = `${counted(count, 'page')} ${verb} made from it; it stays in ${from.name}, where later versions are added.`;
    found.dependents.push({ kind: 'spec', id, title: slug ?? id, what });
    return { id, ...(slug !== undefined && { slug }) };
  });
}

/** The specs of an organization; undefined where they could not be read, which counts as unknown. */
function specsOf(found: Findings, { id, name }: Side): Promise<OpenApiSpec[] | undefined> {
  const own = organization({ ...found.reading, organizationId: id });
  return found.items({ kind: 'openapi-specs', id, title: name }, own.openApiSpecs());
}

/** Something that has a name which others of its kind in the target may have. */
interface Named {
  kind: string;
  id: string;
  title: string;
  called: string;
}

/**
 * What has the same title in the target already. Spaces and collections have no slug, so the platform refuses no
 * transfer for it; but titles become ambiguous, and the sites and specs that have to be set up again there find
 * their name taken.
 */
export async function tellClashes(
  found: Findings,
  { things }: Pick<Moved, 'things'>,
  { sites, specs }: { sites: readonly Site[]; specs: readonly UsedSpec[] },
  { from, to }: Sides,
): Promise<void> {
  const coming: Named[] = [
    ...things.map(({ object, id, title }) => ({ kind: object, id, title, called: title })),
    ...sites.flatMap(({ id, title, basename }) =>
      basename === undefined ? [] : [{ kind: 'site', id, title, called: basename }],
    ),
    ...specs.flatMap(({ id, slug }) =>
      slug === undefined ? [] : [{ kind: 'OpenAPI spec', id, title: slug, called: slug }],
    ),
  ];
  const there = await namesIn(found, to, new Set(coming.map(({ kind }) => kind)));
  for (const { kind, id, title, called } of coming)
    if (there.has(`${kind} ${nameKey(called)}`)) {
      const what = `${to.name} already has a${kind === 'OpenAPI spec' ? 'n' : ''} ${kind} called ${called}.`;
      found.dependents.push({ kind: 'clash', id, title, what });
    }
  // Hostnames and proxies are unique on the whole platform.
  for (const { id, title, hostname, proxy } of sites)
    for (const held of [hostname, proxy?.origin])
      if (held !== undefined) {
        const what = `The site stays in ${from.name} and keeps ${held}, which no site of ${to.name} can have meanwhile.`;
        found.dependents.push({ kind: 'clash', id, title, what });
      }
}

/** Kind and name of what is in an organization, of spaces and collections only those at its top level. */
async function namesIn(found: Findings, side: Side, kinds: ReadonlySet<string>): Promise<Set<string>> {
  const { id, name } = side;
  const reading = { ...found.reading, organizationId: id };
  const whole = organization(reading);
  const collections = await found.items({ kind: 'collections', id, title: name }, whole.collections());
  const names = new Set<string>();
  const add = (kind: string, called = '') => names.add(`${kind} ${nameKey(called)}`);
  if (collections !== undefined) {
    const keep = ({ title, parent }: { title: string; parent?: string | undefined }) => ({ title, parent });
    const { spaces, unread } = await allSpaces(reading, keep, whole);
    found.unknown.push(...unread);
    for (const { title, parent } of spaces) if (parent === undefined) add('space', title);
    for (const { title, parent } of collections) if (parent === undefined) add('collection', title);
  }
  const sites = kinds.has('site') && (await found.items({ kind: 'sites', id, title: name }, whole.sites()));
  const specs = kinds.has('OpenAPI spec') && (await specsOf(found, side));
  for (const { basename } of sites || []) add('site', basename);
  for (const { slug } of specs || []) add('OpenAPI spec', slug);
  return names;
}
