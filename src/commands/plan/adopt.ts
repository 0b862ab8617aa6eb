import { DocsError, usageError } from '../../base/errors.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { noteSaid } from '../../cli/run/output.js';
import { originOf } from '../../cli/run/session-job.js';
import { kindOf } from '../../organization/kinds/index.js';
import { type Matched, match } from '../../organization/match.js';
import {
  type Address,
  type DesiredItem,
  holderOf,
  type Live,
  type LiveItem,
} from '../../organization/model.js';
import type { View } from '../../output/printer.js';
import { counted } from '../../output/text.js';
import { updateLock } from '../../plans/lock.js';
import { beginEarly, dirWords, folderOf, readOnlyClient, typedFolder } from '../shared/organization-files.js';
import { type Folder, itemIn, openFolder, readNamed } from './compare.js';

/** `docs plan adopt`: ties keys of the files to ids of the platform, in the lock. */

interface Adoption {
  item: DesiredItem;
  live: LiveItem;
}

/** @throws DocsError usage `bad_item`, `unknown_item`, `other_kind`, `other_item`, `id_taken`; not-found */
export async function adoptItems(session: Session, input: ManualInput, view: View): Promise<void> {
  const { io, globals, printer } = session;
  await printer.check(view);
  const typed = [input.args.item ?? []].flat().map(pairOf);
  const path = folderOf(io, input);
  const folder = await openFolder(session, path, typedFolder(input), {
    early: await beginEarly(session, path),
  });
  const items = typed.map(({ address, id }) => ({ item: itemIn(folder.desired, address), id }));
  const live = await readNamed(session, await readOnlyClient(session), folder);
  const matched = match(folder.desired, live, folder.lock);
  const adoptions = items.map(({ item, id }) => adoptionOf(item, id, live));
  const isNamed = new Map(adoptions.map((one) => [one.live, one.item.address]));
  for (const adoption of adoptions) refuseTaken(adoption, folder, matched, isNamed);
  if (!globals.dryRun) {
    const changes = adoptions.map(({ item, live: { id } }) => ({
      item: item.address,
      to: { id, applied: {} },
    }));
    updateLock(folder.path, { org: folder.organizationId, origin: originOf(session) }, changes);
    printer.changed();
  }
  const status = globals.dryRun ? 'kept' : 'adopted';
  await printer.list(
    adoptions.map(({ item, live: { id, title } }) => ({ item: item.address, id, title, status })),
    view,
  );
  const count = counted(adoptions.length, 'item');
  const done = `Adopted ${count}; "docs plan${dirWords(session, input)}" compares them now.`;
  if (globals.dryRun) printer.note(`Dry run: ${count} can be adopted; nothing was written.`);
  else await noteSaid(session, done);
}

function pairOf(typed: string): { address: string; id: string } {
  const at = typed.lastIndexOf('=');
  const [address, id] = [typed.slice(0, Math.max(at, 0)), typed.slice(at + 1)];
  if (/^[^/]+\/./.test(address) && id !== '') return { address, id };
  const message = `${JSON.stringify(typed)} is not a key and an id, such as teams/writers=yX3lTn`;
  throw usageError('bad_item', message, { hint: 'docs plan adopt --help' });
}

/** An item and what it is on the platform. @throws DocsError not-found; usage `other_kind`, `other_item` */
function adoptionOf(item: DesiredItem, id: string, live: Live): Adoption {
  const { one, key } = kindOf(item.kind);
  const found = live.items.get(item.kind)?.find((each) => each.id === id);
  if (found === undefined) throw notOfKind(item, id, one, live);
  const isOther = key !== 'own' && found.natural !== undefined && found.natural !== item.key;
  if (isOther)
    throw usageError('other_item', `${id} is ${found.natural}, not ${item.key}; nothing was written`);
  return { item, live: found };
}

function notOfKind({ address }: DesiredItem, id: string, one: string, live: Live): DocsError {
  for (const [name, items] of live.items) {
    if (!items.some((each) => each.id === id)) continue;
    const message = `${address} is a ${one}, but ${id} is a ${kindOf(name).one}; nothing was written`;
    return usageError('other_kind', message);
  }
  return new DocsError('not-found', 'not_found', `${one} ${id} not found; nothing was written`, {
    outcome: 'not-sent',
  });
}

/** @throws DocsError usage `id_taken` where another key has the id; `other_item` in another site or team */
function refuseTaken(
  { item, live }: Adoption,
  { lock }: Folder,
  matched: Matched,
  named: ReadonlyMap<LiveItem, Address>,
): void {
  const ofLock = Object.entries(lock?.items ?? {}).find(
    ([address, { id }]) => id === live.id && address.startsWith(`${item.kind}/`),
  )?.[0];
  const other = [ofLock, named.get(live)].find(
    (address) => address !== undefined && address !== item.address,
  );
  if (other !== undefined)
    throw usageError('id_taken', `${live.id} belongs to ${other} already; nothing was written`);
  const { scope } = kindOf(item.kind);
  const holder = scope === undefined ? undefined : holderOf(live, scope);
  const wanted = scope && matched.live.get(`${scope}/${item.address.split('/')[1]}`);
  if (holder === undefined || wanted === undefined || holder.id === wanted.id) return;
  const message = `${live.id} is in ${scope} ${holder.title} (${holder.id}), not in that of ${item.address}; nothing was written`;
  throw usageError('other_item', message);
}
