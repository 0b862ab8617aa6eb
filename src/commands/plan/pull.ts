import { cp, mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/place-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { originOf } from '../../cli/run/session-job.js';
import { usageError } from '../../errors.js';
import { localIoError } from '../../files/local-io-error.js';
import type { KindName } from '../../organization/model.js';
import type { Pulled } from '../../organization/pull.js';
import { counted } from '../../output/counted.js';
import type { View } from '../../output/printer.js';
import { type Lock, readLock, updateLock } from '../../plans/lock.js';
import { systemCode } from '../../system-error.js';
import {
  itemIn,
  kindsIn,
  organizationOf,
  readDesired,
  reading,
  readOnlyClient,
  wantsOfLists,
} from './compare.js';
import { dirWords } from './make.js';
import { folderOf, takesOf, typedFolder } from './options.js';

/** `docs pull`: what the platform shows becomes files. */

/** @throws DocsError usage `folder_not_empty`; local-io; as the reads */
export async function pullFolder(session: Session, input: ManualInput, view: View): Promise<void> {
  const { io, globals, printer } = session;
  await printer.check(view);
  const take = new Set(takesOf(input, ['live']).keys());
  const [path, shown] = [folderOf(io, input), typedFolder(input)];
  const isNew = await isNewFolder(path, shown);
  const lock = isNew ? undefined : readLock(path);
  const organizationId = await organizationOf(session, path, lock);
  const wants = isNew ? () => true : await wantsOfFolder(session, shown, lock, take);
  const read = reading(session, await readOnlyClient(session), organizationId, wants);
  // Loaded while the platform answers.
  const [live, { pull }] = await Promise.all([read, import('../../organization/pull.js')]);
  const options = { onlyDrift: input.options.only === 'drift', take };
  const run = (folder: string) => pull(io, folder, live, lock, options);
  const pulled = globals.dryRun ? await inCopy(path, isNew, run) : await inFolder(path, shown, run);
  if (!globals.dryRun && pulled.lock.length > 0)
    updateLock(path, { org: organizationId, origin: originOf(session) }, pulled.lock);
  await tell(session, input, pulled, view);
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

/** Whether a folder is yet to be filled. @throws DocsError usage `folder_not_empty`; local-io */
async function isNewFolder(path: string, shown: string): Promise<boolean> {
  let names: string[];
  try {
    names = await readdir(path);
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return true;
    throw localIoError(cause, `Cannot read ${shown}`);
  }
  if (names.includes('org.yaml')) return false;
  const other = names.find((name) => /\.(?:ya?ml|csv)$/.test(name));
  if (other === undefined) return true;
  const message = `${shown} has no org.yaml, but other files such as ${other}; nothing was written.`;
  throw usageError('folder_not_empty', message, { hint: 'docs pull --dir <folder>' });
}

async function inFolder<T>(path: string, shown: string, run: (folder: string) => Promise<T>): Promise<T> {
  try {
    await mkdir(path, { recursive: true });
  } catch (cause) {
    throw localIoError(cause, `Cannot create ${shown}`);
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

async function tell(session: Session, input: ManualInput, pulled: Pulled, view: View): Promise<void> {
  const { printer, globals, io } = session;
  const { written, kept, left = [] } = pulled;
  const folder = typedFolder(input);
  const changed = globals.dryRun ? 'planned' : 'pulled';
  const status = written.length === 0 ? 'unchanged' : changed;
  const result = { id: folder, status, written, kept, left };
  const names = written.length <= 8 ? `: ${written.join(', ')}` : '';
  const verb = globals.dryRun ? 'Would write' : '✓ Wrote';
  const sentence =
    written.length === 0
      ? `Nothing to write: ${folder} is as the platform is.`
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
        ? `Review and commit ${written.length === 1 ? 'the file' : 'the files'}: "${next('docs drift')}" no longer finds these changes.`
        : `Edit the files, then "${next('docs plan')}" shows what would change.`,
    );
}

function leftText(left: readonly string[]): string {
  const more = left.length > 3 ? ` and ${left.length - 3} more` : '';
  const are = left.length === 1 ? 'is' : 'are';
  return `${counted(left.length, 'item')} ${are} no longer in the files, and still on the platform: ${left.slice(0, 3).join(', ')}${more}.`;
}

function keptOnly(folder: string): string {
  return `Nothing written in ${folder}: what differs was edited there.`;
}
