import type { Client } from '../../../api/client.js';
import { listCollections } from '../../../api/resources/collections.js';
import { listCustomFields } from '../../../api/resources/custom-fields.js';
import { listMembers } from '../../../api/resources/members.js';
import { listOpenApiSpecs } from '../../../api/resources/openapi.js';
import { listSites } from '../../../api/resources/sites.js';
import { listTeams } from '../../../api/resources/teams.js';
import { type Reading, type Unread, unreadOf } from '../../reading/reading.js';
import type { Manifest } from '../folder/manifest.js';
import { findSpaces } from '../read/find-spaces.js';
import type { VerifyFinding } from '../report.js';

type Path = { organizationId: string };
type Pages = AsyncIterable<{ count?: number }>;

/** Lists by the name of their count. One item of each is asked for; the answer has the count. */
const countedLists: Readonly<Record<string, (client: Client, path: Path) => Pages>> = {
  members: (client, path) => client.call(listMembers, { path }, one).pages(),
  teams: (client, path) => client.call(listTeams, { path }, one).pages(),
  collections: (client, path) => client.call(listCollections, { path, query: { nested: true } }, one).pages(),
  customFields: (client, path) => client.call(listCustomFields, { path }, one).pages(),
  openapi: (client, path) => client.call(listOpenApiSpecs, { path }, one).pages(),
  sites: (client, path) => client.call(listSites, { path }, one).pages(),
};
const one = { most: 1 };

/**
 * What changed on the platform since a backup, by revisions and counts; no content is read.
 * @param unread takes what could not be read, and was not compared
 * @throws what no other read can survive (`unreadOf`)
 */
export async function* verifyPlatform(
  reading: Reading,
  { spaces, counts }: Manifest,
  unread: Unread[],
): AsyncGenerator<VerifyFinding> {
  const { organizationId, signal } = reading;
  for (const [name, list] of Object.entries(countedLists)) {
    const kept = counts[name];
    if (kept === undefined) continue;
    const pages = list(reading.client, { organizationId });
    const count = await countOf(pages).catch((cause: unknown) => {
      unread.push(unreadOf(cause, signal, { kind: name, id: organizationId }));
      return undefined;
    });
    if (count === undefined || count === kept) continue;
    yield { state: 'outdated', kind: name, detail: `${kept} in the backup, ${count} on the platform` };
  }
  const found = await findSpaces(reading, spaces);
  const told = ({ kind, id }: Unread) => unread.some((one) => one.kind === kind && one.id === id);
  unread.push(...found.unread.filter((one) => !told(one)));
  const left = new Map(spaces.map((space) => [space.id, space]));
  for (const { id, title, revision } of found.spaces) {
    const own = left.get(id);
    left.delete(id);
    if (own?.revision === undefined) yield { state: 'not-backed-up', kind: 'space', id, title };
    else if (own.revision !== revision)
      yield { state: 'outdated', kind: 'space', id, title, detail: `revision ${revision} on the platform` };
  }
  if (found.unread.length > 0) return;
  for (const { id, title } of left.values()) yield { state: 'gone', kind: 'space', id, title };
}

/** How many items a list has; undefined if the platform does not tell. */
async function countOf(pages: Pages): Promise<number | undefined> {
  for await (const { count } of pages) return count;
  return undefined;
}
