import { listOrgs } from '../api/resources/orgs.js';
import { getSpace, restoreSpace, Space } from '../api/resources/spaces.js';
import { Type } from '../api/type.js';
import type { Command, Group } from '../cli/declare/command.js';
import { command, manual } from '../cli/declare/define.js';
import { manyOptions } from '../cli/declare/flags.js';
import type { Session } from '../cli/declare/session.js';
import type { Offers } from '../cli/declare/takers.js';
import { readIds } from '../cli/parse/typed-text.js';
import { runOperation } from '../cli/run/pipeline.js';
import { originOf } from '../cli/run/session-job.js';
import { JobFolder } from '../jobs/job-folder.js';
import { deletedSpaces } from '../jobs/trash.js';
import { counted } from '../output/counted.js';
import { ItemResult } from '../output/printed-shapes.js';
import { deletedSpaceNamed, Restorable, restorableSpaces } from '../workflows/trash.js';
import { spaceColumns } from './spaces/list.js';

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
    'Built from the journals of this machine, since the platform has no such list; each space is looked ' +
    'up. Spaces deleted elsewhere or with the journal off are missing.',
  operations: [listOrgs, getSpace],
  returns: Type.Array(Restorable),
  columns: ['title', 'deletedAt', 'hoursLeft', 'job', 'id'],
  empty: 'No deleted spaces to restore.',
  examples: { 'trash list': 'list spaces deleted in the last 7 days, with the time left' },
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
  listedBy: 'docs trash list',
  args: { spaceId: '<space...>' },
  flags: { spaceId: { asTyped: true } },
  done: 'restored',
  columns: spaceColumns,
  examples: { 'trash restore s1': 'bring a space back' },
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
  operations: [restoreSpace],
  returns: Type.Union([Space, Type.Array(ItemResult)]),
  exits: ['partial'],
  examples: {
    'trash restore s1': 'restore a deleted space, by id or title',
    'trash restore - --yes': 'restore all spaces listed by docs trash list -o id',
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
