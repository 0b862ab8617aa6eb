import type { Client } from '../../api/client.js';
import { deleteCollection, listCollectionSpaces, listCollections } from '../../api/resources/collections.js';
import { deleteSite, listSites } from '../../api/resources/sites.js';
import { deleteSpace } from '../../api/resources/spaces.js';
import { DocsError } from '../../errors.js';
import { restoreWindowMs } from '../../jobs/rules/spaces.js';
import { counted } from '../../output/counted.js';
import { safeLine } from '../../output/safe-text.js';
import { shellWord } from '../../settings/shell-word.js';
import type { Session } from '../declare/session.js';
import { catalogue } from '../resolve/catalogue.js';
import { itemsOf } from '../resolve/list-resources.js';
import type { PlannedCall } from './assemble.js';
import { moment } from './restore-hint.js';

/** What goes with a resource that is to be deleted: said before its title is typed. */

type Resource = Readonly<Record<string, unknown>>;

interface Case {
  session: Session;
  client: Client;
  call: PlannedCall;
  /** The resource as it is now. */
  resource: Resource;
}

/** Lines of a deletion; each is looked up by itself, and says so where it could not be. */
const linesOf: Readonly<Record<string, readonly ((of: Case) => Promise<string | undefined>)[]>> = {
  [deleteSpace.id]: [pagesOfSpace, sitesOfSpace, openChangeRequests, wayBackOfSpace],
  [deleteSite.id]: [publishing, spacesOfSite, forGood],
  [deleteCollection.id]: [movedContent, forGood],
};

/**
 * What goes with the deletion of a resource, a line each: pages, sites, change requests, and whether it
 * can be brought back. Reads at most two lists; a read that fails is told, not thrown.
 */
export async function consequencesOf(of: Case): Promise<string[]> {
  const lines = linesOf[of.call.op.id] ?? [];
  const texts = await Promise.all(lines.map((line) => told(line, of)));
  return texts.filter((text) => text !== undefined);
}

async function told(line: (of: Case) => Promise<string | undefined>, of: Case): Promise<string | undefined> {
  try {
    return await line(of);
  } catch (cause) {
    if (!(cause instanceof DocsError) || cause.kind === 'interrupted') throw cause;
    return `Could not look: ${cause.message}`;
  }
}

async function pagesOfSpace({ client, call }: Case): Promise<string> {
  let pages = 0;
  for await (const _ of itemsOf(client, catalogue.page, call.input.path ?? {})) pages += 1;
  return `It has ${counted(pages, 'page')}.`;
}

async function sitesOfSpace({ client, call, resource }: Case): Promise<string> {
  const path = { organizationId: String(resource.organization) };
  const titles: string[] = [];
  for await (const site of client.call(listSites, { path, query: { space: call.id } }))
    titles.push(site.title);
  if (titles.length === 0) return 'No site publishes it.';
  return `${counted(titles.length, 'site publishes', 'sites publish')} it: ${listed(titles)}.`;
}

async function openChangeRequests({ resource }: Case): Promise<string | undefined> {
  const open = Number(resource.changeRequestsOpen ?? 0);
  return open === 0 ? undefined : `${counted(open, 'change request is', 'change requests are')} open.`;
}

async function wayBackOfSpace({ session, client, call }: Case): Promise<string> {
  const until = moment((client.platformNowMs ?? session.io.now()) + restoreWindowMs);
  return `It can be restored until ${until}:\n    docs spaces restore ${shellWord(call.id, session.io.platform)}`;
}

async function publishing({ resource }: Case): Promise<string | undefined> {
  if (resource.published !== true) return undefined;
  const { published } = (resource.urls ?? {}) as { published?: unknown };
  return `It is published${typeof published === 'string' ? ` at ${safeLine(published)}` : ''}.`;
}

async function spacesOfSite({ resource }: Case): Promise<string> {
  const spaces = Number(resource.siteSpaces ?? 0);
  return spaces === 0
    ? 'It has no spaces.'
    : `Its ${counted(spaces, 'space stays, but is', 'spaces stay, but are')} no longer on it.`;
}

async function movedContent({ client, call, resource }: Case): Promise<string> {
  const path = { organizationId: String(resource.organization) };
  let spaces = 0;
  for await (const _ of client.call(listCollectionSpaces, { path: { collectionId: call.id } })) spaces += 1;
  let collections = 0;
  let parent = 'the top level';
  for await (const item of client.call(listCollections, { path, query: { nested: true } })) {
    if (item.parent === call.id) collections += 1;
    if (item.id === resource.parent) parent = safeLine(item.title);
  }
  if (spaces + collections === 0) return 'It is empty.';
  return `${counted(spaces, 'space')} and ${counted(collections, 'collection')} in it move to ${parent}.`;
}

async function forGood(): Promise<string> {
  return 'It cannot be restored.';
}

const mostListed = 5;

function listed(titles: readonly string[]): string {
  const shown = titles.slice(0, mostListed).map(safeLine);
  const more = titles.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(', ');
}
