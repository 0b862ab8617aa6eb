import type { Client } from '../api/client.js';
import { listOrgs } from '../api/resources/orgs.js';
import { getSpace, restoreSpace } from '../api/resources/spaces.js';
import { usageError } from '../errors.js';
import { runInOrder } from '../jobs/in-order.js';
import { JobFolder } from '../jobs/job-folder.js';
import { readsOf } from '../jobs/reads.js';
import { restoreWindowMs } from '../jobs/rules/spaces.js';
import { type DeletedSpace, deletedSpaces } from '../jobs/trash.js';
import { nearest } from '../nearest.js';
import type { View } from '../output/printer.js';
import type { Command, Group } from './command.js';
import { command, manual } from './define.js';
import { originOf } from './job-facts.js';
import { runOperation } from './run.js';
import type { Session } from './session.js';
import { spaceColumns } from './spaces-list.js';
import { manyOptions } from './standing-options.js';
import { readIds } from './typed-text.js';

/** `docs trash`: deleted spaces. The platform lists none, so the journals tell, and the platform is asked. */

const hourMs = 3_600_000;

/** A deleted space that can still be restored. */
interface Restorable {
  id: string;
  title: string | null;
  deletedAt: string;
  restorableUntil: string;
  hoursLeft: number;
  job: string;
}

/** The spaces of the journals that are gone on the platform, and can be restored by its clock. */
async function inTrash(session: Session): Promise<Restorable[]> {
  const { io } = session;
  const deleted = deletedSpaces(new JobFolder(io), originOf(session), io.now());
  if (deleted.length === 0) return [];
  const client = await session.client({ timeoutPerRequest: true });
  const found: Restorable[] = [];
  const nowMs = await platformNow(client, io.now());
  const check = (index: number) => isGone(client, deleted[index] as DeletedSpace);
  let at = 0;
  for await (const gone of runInOrder(deleted.length, check, { concurrency: 8 })) {
    const space = deleted[at++] as DeletedSpace;
    const leftMs = space.deletedMs + restoreWindowMs - nowMs;
    if (gone && leftMs > 0) found.push(restorable(space, leftMs));
  }
  return found;
}

/** The platform's clock, which counts the 7 days: told by any answer. */
async function platformNow(client: Client, ownMs: number): Promise<number> {
  for await (const _ of client.call(listOrgs, {}, { most: 1 }).pages()) break;
  return client.platformNowMs ?? ownMs;
}

async function isGone(client: Client, { id }: DeletedSpace): Promise<boolean> {
  return (await readsOf(client).one(getSpace, { path: { spaceId: id } })) === null;
}

function restorable({ id, title, deletedMs, job }: DeletedSpace, leftMs: number): Restorable {
  const deletedAt = new Date(deletedMs).toISOString();
  const restorableUntil = new Date(deletedMs + restoreWindowMs).toISOString();
  // Whole hours that are surely left: both clocks tell seconds.
  const hoursLeft = Math.ceil(leftMs / hourMs) - 1;
  return { id, title, deletedAt, restorableUntil, hoursLeft, job };
}

const fields = ['title', 'deletedAt', 'hoursLeft', 'restorableUntil', 'job', 'id'];
const view: View = {
  columns: ['title', 'deletedAt', 'hoursLeft', 'job', 'id'].map((path) => ({ path })),
  fields,
  empty: 'No deleted spaces that can be restored.',
};

const list = manual({
  name: 'list',
  aliases: ['ls'],
  summary: 'List the deleted spaces that can still be restored',
  why:
    'The platform has no such list: it is made from the journals of this machine, and each space is looked up. ' +
    'What was deleted elsewhere, or with the journal off, is not in it.',
  operations: [listOrgs, getSpace],
  examples: [{ run: 'trash list', does: 'what was deleted within the last 7 days, and how long it stays' }],
  async run(session) {
    await session.printer.check(view);
    const items = await inTrash(session);
    await session.printer.list(items, view);
  },
});

/** The usual command; titles become ids before it is run. */
const restoring: Command = command({
  name: 'restore',
  operation: restoreSpace,
  args: { spaceId: '<space...>' },
  done: 'restored',
  columns: spaceColumns,
  examples: [{ run: 'trash restore s1', does: 'bring a space back' }],
});

const restore = manual({
  name: 'restore',
  summary: 'Restore deleted spaces, by title or id',
  why: 'Finds them by what they were called, which the platform no longer tells.',
  args: { '<space...>': 'Title or id; - or @file reads them, one a line' },
  options: manyOptions(),
  operations: [restoreSpace],
  examples: [
    { run: 'trash restore Handbook', does: 'by its title, where only one deleted space has it' },
    { run: 'trash restore - --yes', does: 'bring back all that docs trash list -o id gives' },
  ],
  danger: 'change',
  async run(session, input) {
    const typed = [input.args.space ?? []].flat();
    const named = await readIds(session.io, typed, 'space');
    const known = await inTrash(session);
    const ids = named.map((name) => idOf(name, known));
    const args = { space: ids };
    await runOperation(session, restoring, { ...input, args, literal: true });
  },
});

/** An id as it is; a title that one deleted space has. What is neither goes to the platform as an id. */
function idOf(name: string, known: readonly Restorable[]): string {
  if (known.some(({ id }) => id === name)) return name;
  const titled = known.filter(({ title }) => title === name);
  const [only] = titled;
  if (titled.length > 1) {
    const ids = titled.map(({ id, deletedAt }) => `${id} (${deletedAt})`).join(', ');
    throw usageError(
      'ambiguous_title',
      `${titled.length} deleted spaces are called ${JSON.stringify(name)}: ${ids}.`,
      { hint: 'docs trash list' },
    );
  }
  if (only !== undefined) return only.id;
  if (/^[\w-]+$/.test(name)) return name;
  const meant = nearest(
    name,
    known.flatMap(({ title }) => title ?? []),
  );
  const near = meant === undefined ? '' : ` Did you mean ${JSON.stringify(meant)}?`;
  throw usageError('unknown_title', `No deleted space is called ${JSON.stringify(name)}.${near}`, {
    hint: 'docs trash list',
  });
}

export const trash: Group = {
  name: 'trash',
  noun: 'space',
  summary: 'Deleted spaces: list and restore',
  why: 'A deleted space can be restored for 7 days.',
  commands: [list, restore],
};
