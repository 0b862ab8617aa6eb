import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DocsError, localIoError, usageError } from '../../base/errors.js';
import { makeFolders } from '../../base/own-files.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { folderOf, readOnlyClient, typedFolder } from '../../cli/run/organization-folder.js';
import { originOf } from '../../cli/run/origin.js';
import { noteSaid } from '../../cli/run/output.js';
import { kindOf } from '../../organization/kinds/index.js';
import { type Matched, match, sentencesOf } from '../../organization/match.js';
import {
  type Address,
  type DesiredItem,
  holderOf,
  type KindName,
  type Live,
  type LiveItem,
} from '../../organization/model.js';
import { schemaFiles } from '../../organization/pull/new-files.js';
import { pull } from '../../organization/pull/pull.js';
import type { Pulled } from '../../organization/pull/write-files.js';
import type { View } from '../../output/printer.js';
import { counted } from '../../output/text.js';
import { type Lock, readLock, updateLock } from '../../plans/lock.js';
import { notAllRead } from '../../snapshot/unread.js';
import { beginEarly, dirWords, type PullBegun, readDesired } from '../shared/organization-files.js';
import {
  type Folder,
  itemIn,
  kindsIn,
  openFolder,
  organizationOf,
  reading,
  readNamed,
  wantsOfLists,
} from './compare.js';

/** `docs pull` and `docs plan adopt`: what the platform has, written into the files or their lock. */

/** @throws DocsError local-io; as the reads */
export async function pullFolder(
  session: Session,
  input: ManualInput,
  { path, isNew, take, early }: PullBegun,
  view: View,
): Promise<void> {
  const { io, globals } = session;
  const shown = typedFolder(input);
  const lock = isNew ? undefined : readLock(path);
  const organizationId = early?.organizationId ?? (await organizationOf(session, path, lock));
  const wants = isNew ? () => true : await wantsOfFolder(session, shown, lock, take);
  const read = reading(session, await readOnlyClient(session), organizationId, wants, early);
  schemaFiles();
  const live = await read;
  const options = { onlyDrift: input.options.only === 'drift', take };
  const run = (folder: string) => pull(io, folder, live, lock, options);
  const pulled = globals.dryRun ? await inCopy(path, isNew, run) : await inFolder(path, shown, run);
  if (!globals.dryRun && pulled.lock.length > 0)
    updateLock(path, { org: organizationId, origin: originOf(session) }, pulled.lock);
  await tell(session, input, pulled, live, view);
  if (live.missed.length > 0) throw notAllPulled(session, input, live);
}

/** What was not read stands in no new file, and in the others as it was. */
function notAllPulled(session: Session, input: ManualInput, live: Live): DocsError {
  const { globals, io } = session;
  const message = `${counted(sentencesOf(live).length, 'thing')} could not be read: the files name them, and leave them as they were`;
  const hint = atPlace(`docs pull${dirWords(session, input)}`, globals, io.platform);
  return notAllRead(message, { details: { unread: unreadOf(live) }, hint });
}

function unreadOf({ missed }: Live) {
  return missed.map(({ kind, message }) => ({ kind, message }));
}

/** What the files name, without keeping them: pulling reads them again, and large ones are not to be held twice. */
async function wantsOfFolder(
  session: Session,
  shown: string,
  lock: Lock | undefined,
  take: ReadonlySet<string>,
) {
  const desired = await readDesired(session, shown);
  for (const address of take) if (lock?.items[address] === undefined) itemIn(desired, address);
  const [listed, known] = [wantsOfLists(desired), kindsIn(lock)];
  return (kind: KindName, field?: string) => known.has(kind) || listed(kind, field);
}

async function inFolder<T>(path: string, shown: string, run: (folder: string) => Promise<T>): Promise<T> {
  try {
    makeFolders(path);
  } catch (cause) {
    throw localIoError(cause, `cannot create ${shown}`);
  }
  return run(path);
}

/** `--dry-run`: what would be written is written into a copy, which is removed. */
async function inCopy<T>(path: string, isNew: boolean, run: (folder: string) => Promise<T>): Promise<T> {
  const copy = await mkdtemp(join(tmpdir(), 'docs-pull-'));
  try {
    if (!isNew) await cp(path, copy, { recursive: true });
    return await run(copy);
  } finally {
    await rm(copy, { recursive: true, force: true });
  }
}

async function tell(
  session: Session,
  input: ManualInput,
  pulled: Pulled,
  live: Live,
  view: View,
): Promise<void> {
  const { printer, globals, io } = session;
  const { written, kept, left = [] } = pulled;
  const folder = typedFolder(input);
  const isPartial = live.missed.length > 0;
  const changed = globals.dryRun ? 'planned' : 'pulled';
  const whole = written.length === 0 ? 'unchanged' : changed;
  const status = isPartial && !globals.dryRun ? 'partial' : whole;
  const result = { id: folder, status, written, kept, left, unread: unreadOf(live) };
  const names = written.length <= 8 ? `: ${written.join(', ')}` : '';
  const verb = globals.dryRun ? 'Would write' : '✓ Wrote';
  const sentence =
    written.length === 0
      ? `Nothing to write: ${isPartial ? `the parts that could be read are in ${folder}` : `${folder} is as the platform is`}.`
      : `${verb} ${counted(written.length, 'file')} in ${folder}${names}`;
  await printer.done(result, kept.length > 0 && written.length === 0 ? keptOnly(folder) : sentence, view);
  for (const { item, file, line, why } of kept)
    printer.warn(`Kept ${item} (${folder}/${file}:${line}): ${why}`);
  if (left.length > 0) printer.note(leftText(left));
  const next = (command: string) => atPlace(`${command}${dirWords(session, input)}`, globals, io.platform);
  const [first] = kept;
  if (first !== undefined)
    printer.note(
      `"${next(`docs pull --take live=${first.item}`)}" gives up an edit; "${next('docs plan')}" shows it.`,
    );
  else if (!globals.dryRun && written.length > 0)
    printer.note(
      input.options.only === 'drift'
        ? `Review and commit ${written.length === 1 ? 'the file' : 'the files'}: "${next('docs plan drift')}" no longer finds these changes.`
        : `Edit the files, then "${next('docs plan')}" shows the changes.`,
    );
}

function leftText(left: readonly string[]): string {
  const more = left.length > 3 ? ` and ${left.length - 3} more` : '';
  const are = left.length === 1 ? 'is' : 'are';
  return `${counted(left.length, 'item')} ${are} no longer in the files, and still on the platform: ${left.slice(0, 3).join(', ')}${more}.`;
}

function keptOnly(folder: string): string {
  return `Nothing written in ${folder}: the files that differ were edited there.`;
}

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
