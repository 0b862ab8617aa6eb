import type { AnyOperation } from '../../api/operation.js';
import { deleteCollection, listCollectionSpaces, listCollections } from '../../api/resources/collections.js';
import { deleteSite, listSites } from '../../api/resources/sites.js';
import { shellWord } from '../../base/shell-word.js';
import type { Consequence } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import { itemsOf } from '../../cli/resolve/find-by-title.js';
import { restoreWindowMs } from '../../jobs/rules/plain.js';
import { resources } from '../../model/resources.js';
import { counted, safeLine, untilText } from '../../output/text.js';

/** What goes with a deleted space, site or collection, a sentence each; at most two lists are read for one. */

function undoLimitOf(deletion: AnyOperation): Consequence {
  const look = async () => (await import('../../access/impact/findings.js')).undoLimit(deletion);
  return { tells: 'irreversible', look };
}

export const ofSpace: readonly Consequence[] = [
  {
    reads: 'pages',
    async look({ client, id }) {
      const pages = await countOf(itemsOf(client, resources.page, { spaceId: id }));
      return `It has ${counted(pages, 'page')}.`;
    },
  },
  {
    tells: 'site-space',
    reads: 'sites',
    async look({ client, id, resource }) {
      const path = { organizationId: String(resource.organization) };
      const titles: string[] = [];
      for await (const site of client.call(listSites, { path, query: { space: id } }))
        titles.push(site.title);
      if (titles.length === 0) return 'No site publishes it.';
      return `${counted(titles.length, 'site publishes', 'sites publish')} it: ${listed(titles)}.`;
    },
  },
  {
    tells: 'change-request',
    async look({ resource }) {
      const open = Number(resource.changeRequestsOpen ?? 0);
      return open === 0 ? undefined : `${counted(open, 'change request is', 'change requests are')} open.`;
    },
  },
  {
    tells: 'irreversible',
    async look({ session: { io, globals }, client, id }) {
      const until = untilText(restoreWindowMs, { platformMs: client.platformNowMs, ownMs: io.now() });
      const command = atPlace(`docs spaces restore ${shellWord(id, io.platform)}`, globals, io.platform);
      return `It can be restored until ${until}:\n    ${command}`;
    },
  },
];

export const ofSite: readonly Consequence[] = [
  {
    async look({ resource: { published, urls } }) {
      if (published !== true) return undefined;
      const address = (urls as { published?: unknown } | undefined)?.published;
      return `It is published${typeof address === 'string' ? ` at ${safeLine(address)}` : ''}.`;
    },
  },
  {
    tells: 'site-space',
    async look({ resource }) {
      const spaces = Number(resource.siteSpaces ?? 0);
      return spaces === 0
        ? 'It has no spaces.'
        : `Its ${counted(spaces, 'space stays, but is', 'spaces stay, but are')} no longer on it.`;
    },
  },
  undoLimitOf(deleteSite),
];

export const ofCollection: readonly Consequence[] = [
  {
    tells: 'moved',
    reads: 'spaces',
    async look({ client, id, resource }) {
      const path = { organizationId: String(resource.organization) };
      const spaces = await countOf(client.call(listCollectionSpaces, { path: { collectionId: id } }));
      let collections = 0;
      let parent = 'the top level';
      for await (const item of client.call(listCollections, { path, query: { nested: true } })) {
        if (item.parent === id) collections += 1;
        if (item.id === resource.parent) parent = safeLine(item.title);
      }
      if (spaces + collections === 0) return 'It is empty.';
      return `${counted(spaces, 'space')} and ${counted(collections, 'collection')} in it move to ${parent}.`;
    },
  },
  undoLimitOf(deleteCollection),
];

async function countOf(items: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _ of items) count += 1;
  return count;
}

const mostListed = 5;

function listed(titles: readonly string[]): string {
  const shown = titles.slice(0, mostListed).map(safeLine);
  const more = titles.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
