import { listChangeRequests } from '../../api/resources/change-requests.js';
import { listSpaceFields } from '../../api/resources/custom-fields.js';
import { getSpace, type Space } from '../../api/resources/spaces.js';
import { readAll } from '../../jobs/in-order.js';
import { counted } from '../../output/counted.js';
import type { Affected } from './change.js';
import type { Findings } from './findings.js';
import { tellLinks } from './links-to.js';
import { tellLost } from './people.js';
import { type PagesOf, pageReader, publicAddresses } from './published.js';
import { nothingGone, sitesShowing, tellGone } from './site-changes.js';

/**
 * What goes with deleted spaces.
 * @throws DocsError if one of them cannot be read
 */
export async function deleteSpaces(found: Findings, things: readonly Affected[]): Promise<void> {
  const { reading } = found;
  const spaces = await readAll(reading, things, ({ id }) =>
    reading.client.call(getSpace, { path: { spaceId: id } }),
  );
  for (const { id, title } of spaces) found.thing({ object: 'space', id }, title);
  const gone = { ...nothingGone, spaces: new Set(spaces.map(({ id }) => id)) };
  const pagesOf = pageReader(found);
  const all = found.wants('urls', 'links', 'dependents') ? await sitesShowing(found, [...gone.spaces]) : [];
  const own = await readAll(reading, spaces, (space) => publicAddresses(found, space, pagesOf));
  const addresses = await tellGone(found, all, gone, pagesOf, own.flat());
  if (found.wants('dependents')) await tellContents(found, spaces, pagesOf);
  if (found.wants('links')) await tellLinks(found, { spaces: gone.spaces, ...addresses });
  if (found.wants('people')) await tellLost(found, spaces);
  found.irreversible.push(
    'A deleted space can be restored for 7 days; then it is gone for good, with its content, comments and change requests.',
  );
}

async function tellContents(found: Findings, spaces: readonly Space[], pagesOf: PagesOf): Promise<void> {
  await readAll(found.reading, spaces, (space) => tellChangeRequests(found, space));
  await readAll(found.reading, spaces, (space) => tellValues(found, space));
  await tellSpecs(found, spaces, pagesOf);
  for (const { id, title, gitSync } of spaces) {
    if (gitSync === undefined) continue;
    const what = `Its synchronization with ${gitSync.repoName ?? gitSync.url ?? 'a Git repository'} ends.`;
    found.dependents.push({ kind: 'integration', id, title, what });
  }
}

const pending = ['open', 'draft'] as const;

async function tellChangeRequests(found: Findings, space: Space): Promise<void> {
  const counts = { open: space.changeRequestsOpen, draft: space.changeRequestsDraft };
  const { client } = found.reading;
  const path = { spaceId: space.id };
  for (const status of pending) {
    if (counts[status] === 0) continue;
    const what = { kind: `${status}-change-requests`, id: space.id, title: space.title };
    const list = await found.items(what, client.call(listChangeRequests, { path, query: { status } }));
    for (const { id, subject, number, ...request } of list ?? [])
      if (request.status === status)
        found.dependents.push({
          kind: 'change-request',
          id,
          title: subject,
          what: `Change request #${number} of ${space.title} (${status}) goes with the space.`,
        });
  }
}

async function tellValues(found: Findings, { id, title }: Space): Promise<void> {
  const { client } = found.reading;
  const what = { kind: 'custom-fields', id, title };
  const entries = await found.attempt(what, () => client.call(listSpaceFields, { path: { spaceId: id } }));
  for (const { customField, value } of entries ?? [])
    if (value !== undefined)
      found.dependents.push({
        kind: 'field-value',
        id: customField.id,
        title: customField.title ?? customField.name,
        what: `The value of ${title} goes with the space.`,
      });
}

/** The specs that pages of these spaces are made from; the specs stay. */
async function tellSpecs(found: Findings, spaces: readonly Space[], pagesOf: PagesOf): Promise<void> {
  const uses = new Map<string, number>();
  const lists = await readAll(found.reading, spaces, ({ id }) => pagesOf(id));
  for (const page of lists.flatMap((list) => list ?? [])) {
    const spec = page.computed?.dependencies?.spec?.ref.spec;
    if (spec !== undefined) uses.set(spec, (uses.get(spec) ?? 0) + 1);
  }
  if (uses.size === 0) return;
  const what = { kind: 'openapi-specs', id: found.reading.organizationId };
  const specs = await found.items(what, found.organization.openApiSpecs());
  for (const [id, count] of uses) {
    const title = specs?.find((spec) => spec.id === id || spec.slug === id)?.slug ?? id;
    const what = `${counted(count, 'page')} made from it go with the space; the spec stays.`;
    found.dependents.push({
      kind: 'spec',
      id,
      title,
      what: count === 1 ? what.replace(' go ', ' goes ') : what,
    });
  }
}
