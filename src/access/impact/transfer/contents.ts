import { listChangeRequests } from '../../../api/resources/change-requests.js';
import type { OpenApiSpec } from '../../../api/resources/openapi.js';
import { readAll } from '../../../jobs/in-order.js';
import { counted } from '../../../output/counted.js';
import { allItems } from '../../../snapshot/lists.js';
import { organization } from '../../../snapshot/organization.js';
import type { Findings } from '../findings.js';
import type { PagesOf } from '../published.js';
import type { MovedSpace } from './moved.js';
import type { Side, Sides } from './organizations.js';

/** What goes along with the content of spaces, and what the content is made from and leaves behind. */

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
export function specsOf(found: Findings, { id, name }: Side): Promise<OpenApiSpec[] | undefined> {
  const own = organization({ ...found.reading, organizationId: id });
  return found.items({ kind: 'openapi-specs', id, title: name }, own.openApiSpecs());
}
