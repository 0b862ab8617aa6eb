import { listSiteSpaces } from '../../api/resources/site-spaces.js';
import { listSites, type Site } from '../../api/resources/sites.js';
import { readAll } from '../../jobs/in-order.js';
import { type Unread, unreadOf } from '../../reading/reading.js';
import type { GraphState } from './graph-state.js';

/** Reads which spaces the sites of the organization publish, and at which addresses. */
export async function readSites(state: GraphState): Promise<void> {
  const { reading, builder, book } = state;
  const { client, organizationId, signal } = reading;
  const sites: Site[] = [];
  try {
    for await (const site of client.call(listSites, { path: { organizationId } })) sites.push(site);
  } catch (cause) {
    addUnread(state, unreadOf(cause, signal, { kind: 'sites', id: organizationId }));
  }
  for (const { id, title, urls } of sites) {
    builder.site({ id, title, url: urls?.published });
    if (urls?.published !== undefined) book.addPublished(urls.published, { kind: 'site', site: id });
  }
  await readAll(reading, sites, (site) => readSiteSpaces(state, site));
}

async function readSiteSpaces(state: GraphState, { id: siteId, title }: Site): Promise<void> {
  const { reading, builder, book, whole } = state;
  const path = { organizationId: reading.organizationId, siteId };
  try {
    for await (const siteSpace of reading.client.call(listSiteSpaces, { path })) {
      const { id, space, urls } = siteSpace;
      if (space === undefined) {
        // The lists of the whole organization have reported it.
        if (whole) builder.publishesHidden(siteId, siteSpace);
        continue;
      }
      builder.name(space.id, space.title);
      book.addSpace(space.id, space.urls?.app);
      if (urls?.published !== undefined)
        book.addPublished(urls.published, { kind: 'space', space: space.id });
      if (builder.spaceNode(space.id) !== undefined) builder.publishes(siteId, space.id, id);
    }
  } catch (cause) {
    addUnread(state, unreadOf(cause, reading.signal, { kind: 'site', id: siteId, title }));
  }
}

/** The same list may have failed before. */
function addUnread({ unread }: GraphState, one: Unread): void {
  if (!unread.some(({ kind, id }) => kind === one.kind && id === one.id)) unread.push(one);
}
