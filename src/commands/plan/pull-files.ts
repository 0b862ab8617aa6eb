import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type DocsError, localIoError } from '../../base/errors.js';
import { makeFolders } from '../../base/own-files.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { originOf } from '../../cli/run/session-job.js';
import type { Early } from '../../organization/live/early.js';
import { sentencesOf } from '../../organization/match.js';
import type { KindName, Live } from '../../organization/model.js';
import { schemaFiles } from '../../organization/pull/new-files.js';
import { type Pulled, pull } from '../../organization/pull/pull.js';
import type { View } from '../../output/printer.js';
import { counted } from '../../output/text.js';
import { type Lock, readLock, updateLock } from '../../plans/lock.js';
import { notAllRead } from '../../snapshot/unread.js';
import { dirWords, readDesired, readOnlyClient, typedFolder } from '../shared/organization-files.js';
import { itemIn, kindsIn, organizationOf, reading, wantsOfLists } from './compare.js';

/** What `docs pull` does with the answers of the platform. */

export interface PullTarget {
  /** The folder, absolute. */
  path: string;
  /** Whether it is yet to be filled. */
  isNew: boolean;
  /** Addresses of items whose edits in the files are given up. */
  take: ReadonlySet<string>;
  /** Reads that have already begun. */
  early: Early | undefined;
}

/** @throws DocsError local-io; as the reads */
export async function writePulled(
  session: Session,
  input: ManualInput,
  { path, isNew, take, early }: PullTarget,
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
