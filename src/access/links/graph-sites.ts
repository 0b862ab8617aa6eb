import type { Site } from '../../api/resources/sites.js';
import { readAll } from '../../jobs/in-order.js';
import { organization } from '../../snapshot/organization.js';
import { readPartly, type Unread } from '../../snapshot/unread.js';
import type { GraphState } from './graph-state.js';

/** Reads which spaces the sites of the organization publish, and at which addresses. */
export async function readSites(state: GraphState): Promise<void> {
  const { reading, builder, book } = state;
  const what = { kind: 'sites', id: reading.organizationId };
  const { items: sites, unread } = await readPartly(organization(reading).sites(), reading, what);
  addUnread(state, unread);
  for (const { id, title, urls } of sites) {
    builder.site({ id, title, url: urls?.published });
    if (urls?.published !== undefined) book.addPublished(urls.published, { kind: 'site', site: id });
  }
  await readAll(reading, sites, (site) => readSiteSpaces(state, site));
}

async function readSiteSpaces(state: GraphState, { id: siteId, title }: Site): Promise<void> {
  const { reading, builder, book, whole } = state;
  const what = { kind: 'site', id: siteId, title };
  const list = organization(reading).site(siteId).siteSpaces();
  const { items, unread } = await readPartly(list, reading, what);
  for (const siteSpace of items) {
    const { id, space, urls } = siteSpace;
    if (space === undefined) {
      // The lists of the whole organization have reported it.
      if (whole) builder.publishesHidden(siteId, siteSpace);
      continue;
    }
    builder.name(space.id, space.title);
    book.addSpace(space.id, space.urls?.app);
    if (urls?.published !== undefined) book.addPublished(urls.published, { kind: 'space', space: space.id });
    if (builder.spaceNode(space.id) !== undefined) builder.publishes(siteId, space.id, id);
  }
  addUnread(state, unread);
}

/** The same list may have failed before. */
function addUnread({ unread }: GraphState, more: readonly Unread[]): void {
  for (const one of more)
    if (!unread.some(({ kind, id }) => kind === one.kind && id === one.id)) unread.push(one);
}
