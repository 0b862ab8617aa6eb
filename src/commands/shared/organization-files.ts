import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { AnyOperation } from '../../api/operation.js';
import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { ManualInput, Option } from '../../cli/declare/command.js';
import { contextOption } from '../../cli/declare/flags.js';
import { option } from '../../cli/declare/option.js';
import type { Session } from '../../cli/declare/session.js';
import type { Check } from '../../cli/declare/takers.js';
import { defaultFolder, folderOf, readOnlyClient, typedFolder } from '../../cli/run/organization-folder.js';
import { originOf } from '../../cli/run/origin.js';
import { contentsOf } from '../../jobs/folder-names.js';
import { organizationFile } from '../../organization/files/layout.js';
import { kinds } from '../../organization/kinds/index.js';
import type { Early } from '../../organization/live/early.js';
import type { Desired, KindName } from '../../organization/model.js';
import type { View } from '../../output/printer.js';
import { nextPiece } from '../../snapshot/gate.js';

/** What the commands of the organization as code send, from the declarations of the kinds. */

/** The operations that read what files can name. */
export const reads: readonly AnyOperation[] = unique(kinds.flatMap((kind) => kind.reads));

/** The operations that make the platform what files say. */
export const changes: readonly AnyOperation[] = unique(
  kinds.flatMap(({ create, update, remove, order, fields }) => [
    create?.op,
    update,
    remove,
    order?.op,
    order?.enter?.op,
    order?.leave?.op,
    ...fields.map(({ setBy }) => setBy?.op),
  ]),
);

function unique(operations: readonly (AnyOperation | undefined)[]): AnyOperation[] {
  return [...new Set(operations)].filter((op) => op !== undefined);
}

/** Flags that several commands of the organization as code take. */

export const pruneOption = option(
  '--prune',
  'Delete items that lists with "manage: exact" no longer name; otherwise withheld',
);
export const takeOption = option(
  '--take <side=key>...',
  'Settle a conflict: file=teams/writers or live=teams/writers',
);

/** What `--fail-on` can name of a plan. */
export const planAspects = ['change', 'drift', 'conflict', 'finding'] as const;

/** A positional that is the file of a plan. */
export function planFile<const U extends 'reads' | 'writes'>(use: U) {
  return {
    description: 'Plan file from --save-plan',
    path: { use },
    check: async (): Promise<Check> => {
      const { loadPlan } = await import('../../plans/file.js');
      return (typed, { io }) => loadPlan(io, typed);
    },
  } as const;
}

/**
 * The flags of commands that compare a folder with the platform.
 * @param more.use `writes` where files of the folder are written; the lock alone is `later`
 */
export const folderOptions = (more: Partial<NonNullable<Option['path']>> = {}): Option[] => [
  option('--dir <folder>', 'Folder with org.yaml', {
    default: defaultFolder,
    path: { use: 'reads', usual: defaultFolder, ...more },
  }),
  contextOption('organizationId'),
];

/** `--dir`, where it is not the usual one. */
export function dirWords({ io }: Pick<Session, 'io'>, { options }: Pick<ManualInput, 'options'>): string {
  return typeof options.dir === 'string' && options.dir !== 'org'
    ? ` --dir ${shellWord(options.dir, io.platform)}`
    : '';
}

type Side = 'file' | 'live';

/**
 * `--take`: which side of a conflict holds, by the address of the item.
 * @param sides those that the command knows
 * @throws DocsError usage `bad_take`
 */
export function takesOf(
  { options }: ManualInput,
  sides: readonly Side[] = ['file', 'live'],
): Map<string, Side> {
  const takes = new Map<string, Side>();
  for (const typed of [options.take ?? []].flat().map(String)) {
    const [word, ...rest] = typed.split('=');
    const [side, key] = [sides.find((known) => known === word), rest.join('=')];
    const forms = sides.map((known) => `${known}=<kind>/<key>`).join(' or ');
    if (side === undefined || !/^[^/]+\/./.test(key))
      throw usageError('bad_take', `--take must be ${forms}, not ${JSON.stringify(typed)}`);
    const other = takes.get(key);
    if (other !== undefined && other !== side)
      throw usageError('contradiction', `--take file=${key} and --take live=${key} contradict each other`);
    takes.set(key, side);
  }
  return takes;
}

/** What the files of a folder say. Their reader is loaded while the platform answers. @throws DocsError as `readFolder` */
export async function readDesired(session: Session, shown: string): Promise<Desired> {
  const { readFolder } = await import('../../organization/files/read.js');
  return readFolder(session.io, shown);
}

/** Begins to read the platform for a folder, before its files are parsed; undefined where that cannot be. */
export async function beginEarly(session: Session, path: string): Promise<Early | undefined> {
  if (session.signedOut !== undefined) return undefined;
  const { readEarly } = await import('../../organization/live/early.js');
  const { org } = session.settings;
  const connect = () => readOnlyClient(session);
  return readEarly(path, { org: org?.value, origin: () => originOf(session), connect });
}

/** What is known of a pull before what writes files is loaded. */
export interface PullBegun {
  /** The folder, absolute. */
  path: string;
  /** Whether it is yet to be filled. */
  isNew: boolean;
  /** Addresses of items whose edits in the files are given up. */
  take: ReadonlySet<string>;
  /** Reads that have already begun: a folder that is yet to be filled gets all there is. */
  early: Early | undefined;
}

/** @throws DocsError usage `bad_take`, `folder_not_empty`; local-io */
export async function beginPull(session: Session, input: ManualInput, view: View): Promise<PullBegun> {
  await session.printer.check(view);
  const take = new Set(takesOf(input, ['live']).keys());
  const path = folderOf(session.io, input);
  const isNew = await isNewFolder(path, typedFolder(input));
  const early = isNew ? await beginAll(session) : undefined;
  await nextPiece();
  return { path, isNew, take, early };
}

async function beginAll(session: Session): Promise<Early | undefined> {
  if (session.signedOut !== undefined) return undefined;
  const { readAllEarly } = await import('../../organization/live/early.js');
  return readAllEarly({ org: session.settings.org?.value, connect: () => readOnlyClient(session) });
}

/**
 * Whether a folder is yet to be filled, which takes one that is new or empty.
 * @throws DocsError usage `folder_not_empty`; as `contentsOf`
 */
async function isNewFolder(path: string, shown: string): Promise<boolean> {
  if (isThere(join(path, organizationFile))) return false;
  const names = (await contentsOf(path, '; nothing was written')) ?? [];
  if (names.length === 0) return true;
  const message = `${shown} is not empty and has no ${organizationFile}; nothing was written`;
  throw usageError('folder_not_empty', message, { hint: 'docs pull --dir <folder>' });
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false; // Reading the folder reports the error.
  }
}

/**
 * After an apply: reads what it made, as far as the lock does not tell of it, and writes that down for `docs plan drift`.
 * A failure is a warning: drift then says what it could not compare.
 * @param shown the folder as it was typed
 */
export async function completeLock(session: Session, path: string, shown: string): Promise<void> {
  const { io, printer } = session;
  if (io.signal.aborted) return;
  const { readLock, updateLock } = await import('../../plans/lock.js');
  try {
    const lock = readLock(path);
    if (lock === undefined) return;
    const [{ openKinds, withNamed, baselineEntries }, { readLive }] = await Promise.all([
      import('../../organization/planner/baseline.js'),
      import('../../organization/live/read.js'),
    ]);
    const desired = await readDesired(session, shown);
    const open = openKinds(desired, lock);
    if (open.size === 0) return;
    const all = withNamed(open);
    const wants = (kind: KindName, field?: string) => (field === undefined ? all : open).has(kind);
    const live = await readLive(await readOnlyClient(session), lock.org, wants, () => {});
    const changes = baselineEntries(desired, live, lock, io.env);
    if (changes.length > 0) updateLock(path, lock, changes);
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    printer.warn(`docs.lock.json does not have all details of new items yet: ${cause.message}`);
  }
}
