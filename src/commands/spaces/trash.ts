import type { Static } from '@sinclair/typebox';
import type { Client } from '../../api/client.js';
import { listOrgs } from '../../api/resources/orgs.js';
import { getSpace, restoreSpace, Space } from '../../api/resources/spaces.js';
import { timestamp } from '../../api/shapes.js';
import { Type } from '../../api/type.js';
import { usageError } from '../../base/errors.js';
import { sameName } from '../../base/name.js';
import { didYouMean, nearest } from '../../base/nearest.js';
import type { Command, Group } from '../../cli/declare/command.js';
import { command, manual } from '../../cli/declare/define.js';
import { manyOptions } from '../../cli/declare/flags.js';
import type { Session } from '../../cli/declare/session.js';
import type { Offers } from '../../cli/declare/takers.js';
import { readIds } from '../../cli/parse/typed-text.js';
import { originOf } from '../../cli/run/origin.js';
import { runOperation } from '../../cli/run/whole-run.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { readsOf } from '../../jobs/reads.js';
import { restoreWindowMs } from '../../jobs/rules/plain.js';
import { runInOrder } from '../../jobs/sequence.js';
import { type DeletedSpace, deletedSpaces } from '../../jobs/trash.js';
import { closed, ItemResult, orNull, text } from '../../output/printed-shapes.js';
import { counted } from '../../output/text.js';
import { spaceColumns } from '../shared/declarations.js';

/** Deleted spaces: the journals know them, and the platform is asked whether they are still gone. */

const hourMs = 3_600_000;

/** A deleted space that can still be restored. */
const Restorable = closed({
  id: text,
  title: orNull(text),
  deletedAt: timestamp,
  restorableUntil: timestamp,
  hoursLeft: Type.Integer(),
  job: text,
});
type Restorable = Static<typeof Restorable>;

/** The deleted spaces that are gone on the platform, and can be restored by its clock. */
async function restorableSpaces(
  client: Client,
  deleted: readonly DeletedSpace[],
  ownMs: number,
): Promise<Restorable[]> {
  const found: Restorable[] = [];
  const nowMs = await platformNow(client, ownMs);
  const check = (index: number) => isGone(client, deleted[index] as DeletedSpace);
  let at = 0;
  for await (const gone of runInOrder(deleted.length, check, { concurrency: 8 })) {
    const space = deleted[at++] as DeletedSpace;
    const leftMs = space.deletedMs + restoreWindowMs - nowMs;
    if (gone && leftMs > 0) found.push(restorable(space, leftMs));
  }
  return found;
}

/** The platform's clock, which counts the 7 days: any answer has it. */
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
  // Rounded down: both clocks count whole seconds.
  const hoursLeft = Math.ceil(leftMs / hourMs) - 1;
  return { id, title, deletedAt, restorableUntil, hoursLeft, job };
}

/**
 * The id of a deleted space that is named by its id or title. An unknown id is left to the platform.
 * @throws DocsError usage `ambiguous_title`, `unknown_title`
 */
export function deletedSpaceNamed(name: string, known: readonly Restorable[]): string {
  if (known.some(({ id }) => id === name)) return name;
  const exact = known.filter(({ title }) => title === name);
  const titled =
    exact.length > 0 ? exact : known.filter(({ title }) => title !== null && sameName(title, name));
  const [only] = titled;
  if (titled.length > 1) {
    const ids = titled.map(({ id, deletedAt }) => `${id} (${deletedAt})`).join(', ');
    const message = `${titled.length} deleted spaces are called ${JSON.stringify(name)}: ${ids}`;
    throw usageError('ambiguous_title', message, { hint: 'docs spaces trash list' });
  }
  if (only !== undefined) return only.id;
  if (/^[\w-]+$/.test(name)) return name;
  const meant = nearest(
    name,
    known.flatMap(({ title }) => title ?? []),
  );
  const near = didYouMean(meant && JSON.stringify(meant));
  throw usageError('unknown_title', `deleted space ${JSON.stringify(name)} not found${near}`, {
    hint: 'docs spaces trash list',
  });
}

async function inTrash(session: Session): Promise<Restorable[]> {
  const { io } = session;
  const deleted = deletedSpaces(new JobFolder(io), originOf(session), io.now());
  if (deleted.length === 0) return [];
  return restorableSpaces(await session.client({ timeoutPerRequest: true }), deleted, io.now());
}

/** What can be restored, for questions. */
export const deletedSpaceOffers: Offers = {
  none: 'This machine knows of no deleted space that can be restored.',
  async list(session) {
    const found = await inTrash(session);
    return found.map(({ id, title, deletedAt, hoursLeft }) => ({
      value: id,
      ...(title === null ? { name: id } : { name: title, id }),
      description: `Deleted ${deletedAt.slice(0, 16).replace('T', ' ')} UTC; it can be restored for ${counted(hoursLeft, 'more hour')}.`,
    }));
  },
};

const list = manual({
  name: 'list',
  summary: 'List the deleted spaces that can still be restored',
  why:
    'Built from the journals of this machine, since the API has no such list; each space is looked up. ' +
    'Spaces deleted elsewhere or with the journal off are missing.',
  operations: [listOrgs, getSpace],
  returns: Type.Array(Restorable),
  columns: ['title', 'deletedAt', 'hoursLeft', 'job', 'id'],
  empty: 'No deleted spaces to restore.',
  examples: { 'spaces trash list': 'list spaces deleted in the last 7 days, with the time left' },
  async run(session, _, { view }) {
    await session.printer.check(view);
    const items = await inTrash(session);
    await session.printer.list(items, view);
  },
});

/** The usual command; titles become ids before it is run. */
const restoring: Command = command({
  name: 'restore',
  operation: restoreSpace,
  listedBy: 'docs spaces trash list',
  args: { spaceId: '<space...>' },
  flags: { spaceId: { asTyped: true } },
  done: 'restored',
  columns: spaceColumns,
  examples: { 'spaces trash restore s1': 'bring a space back' },
});

const restore = manual({
  name: 'restore',
  summary: 'Restore deleted spaces, by title or id',
  why: 'Finds deleted spaces by their former titles, using the journals of this machine.',
  args: {
    '<space...>': {
      description: 'Title or id; - or @file reads them, one per line',
      kind: 'space',
      asTyped: true,
      reads: 'at',
      offers: async () => deletedSpaceOffers,
    },
  },
  options: manyOptions(),
  operations: [restoreSpace, getSpace, listOrgs],
  returns: Type.Union([Space, Type.Array(ItemResult)]),
  exits: ['partial'],
  examples: {
    'spaces trash restore s1': 'restore a deleted space, by id or title',
    'spaces trash restore - --yes': 'restore all spaces listed by docs spaces trash list -o id',
  },
  danger: 'change',
  async run(session, input) {
    const typed = [input.args.space ?? []].flat();
    const named = await readIds(session, typed, 'space');
    const known = await inTrash(session);
    const ids = named.map((name) => deletedSpaceNamed(name, known));
    const args = { space: ids };
    await runOperation(session, restoring, { ...input, args, literal: true });
  },
});

export const trash: Group = {
  name: 'trash',
  noun: 'space',
  summary: 'List and restore deleted spaces',
  guide: 'bulk trash',
  why: 'A deleted space can be restored for 7 days.',
  commands: [list, restore],
};
