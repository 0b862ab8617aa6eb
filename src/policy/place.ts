import fs, { type Stats } from 'node:fs';
import { dirname, parse, posix, win32 } from 'node:path';
import { DocsError, diskReason, type Failure, notSent, systemCode } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { type UnderLock, withLock, withSharedLock } from '../base/lock.js';
import { datasync, openLog } from '../base/log-file.js';
import { checkOwnFolder, kindOf, makeFolders, readOwnFile, unsafePath } from '../base/own-files.js';
import { shellWord } from '../base/shell-word.js';
import { stateFolder } from '../settings/paths.js';
import type { Policy } from './policy.js';

/**
 * Where the audit chain, the ledger of budgets and the claims of approvals lie: in the folder that a policy names, which
 * no variable of the caller moves (docs/decisions/020-policy.md), otherwise in the state folder of the user. Files there
 * are only appended to, so that an administrator can allow no more than that (`chattr +a`).
 */

/** Where the state of a machine's policy lies unless the policy names a folder. */
export function machineState(policy: string, platform: NodeJS.Platform): string {
  if (policy === '/etc/docs/policy.yaml') return '/var/lib/docs';
  const { dirname: parent, join } = platform === 'win32' ? win32 : posix;
  return join(parent(policy), 'state');
}

/** The state folder of the user, for policies without a folder of their own. */
export function userPlace(io: Io): string {
  return stateFolder(io);
}

/** Where what one policy counts on lies. */
export function placeOf(io: Io, { state }: Pick<Policy, 'state'>): string {
  return state ?? userPlace(io);
}

/** Where the audit chains of a session lie: those of the policies in force, otherwise that of the user. */
export function chainPlaces(io: Io): readonly string[] {
  const named = io.guardPlaces?.() ?? [];
  return named.length > 0 ? named : [userPlace(io)];
}

/** Where what is on record may lie: the places in force, then that of the user, as before a policy named one. */
export function recordPlaces(io: Io): readonly string[] {
  return [...new Set([...(io.guardPlaces?.() ?? []), userPlace(io)])];
}

/** The folders that policies name, each once and sorted: locks are taken in this order. */
export function namedPlaces(policies: readonly Pick<Policy, 'state'>[]): string[] {
  return [...new Set(policies.flatMap(({ state }) => state ?? []))].sort();
}

export function isUserPlace(io: Io, folder: string): boolean {
  return folder === userPlace(io);
}

/**
 * Makes a place ready to be written to. The state folder of the user belongs to the user alone; one that a policy names
 * may be shared, if nobody can remove the files of others in it.
 * @throws DocsError configuration `unsafe_path`; the system's error
 */
export function makePlace(io: Io, folder: string): void {
  if (isUserPlace(io, folder)) {
    if (!checkOwnFolder(folder)) makeFolders(folder, 0o700);
    return;
  }
  const found = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined) make(folder);
  else if (!found.isDirectory()) throw unsafePath(folder, kindOf(found), 'directory');
  else if (isExposed(found)) {
    const message = `other users can remove files from ${folder}; it was not used`;
    throw notSent('configuration', 'unsafe_path', message, {
      hint: `chmod +t ${shellWord(folder, io.platform)}`,
    });
  }
}

/**
 * Whether a place can be written to, or made; changes nothing.
 * @throws DocsError local-io `audit_unwritable`; configuration `unsafe_path`
 */
export function checkPlace(io: Io, folder: string): void {
  const found = fs.lstatSync(folder, { throwIfNoEntry: false });
  if (found === undefined && isUserPlace(io, folder)) return;
  try {
    if (found !== undefined) makePlace(io, folder);
    fs.accessSync(found === undefined ? dirname(folder) : folder, fs.constants.W_OK);
  } catch (cause) {
    const system = systemCode(cause);
    if (system === undefined) throw cause;
    const { why, hint } = placeFailure(io, folder, system);
    const message = `cannot write to ${folder}: ${why}; under the policy nothing can be changed`;
    throw notSent('local-io', 'audit_unwritable', message, { hint, cause });
  }
}

/** An administrator who makes it shares it with all users. */
function make(folder: string): void {
  const isShared = process.getuid?.() === 0;
  fs.mkdirSync(folder, 0o700);
  if (isShared) fs.chmodSync(folder, 0o1777);
}

function isExposed({ mode }: Stats): boolean {
  return process.getuid !== undefined && (mode & 0o022) !== 0 && (mode & 0o1000) === 0;
}

/**
 * Opens a file of a place to read it and to append to it.
 * @throws DocsError configuration `unsafe_path`; the system's error
 */
export function openPlaceLog(io: Io, path: string): number {
  const folder = dirname(path);
  if (isUserPlace(io, folder)) return openLog(path, { read: true });
  // In a sticky folder Linux opens no file of another user that may be created.
  const known = unless('ENOENT', () => openLog(path, { create: 'never', read: true }));
  if (known !== undefined) return known;
  const made = unless('EEXIST', () => openLog(path, { create: 'new', read: true }));
  if (made === undefined) return openLog(path, { create: 'never', read: true });
  // Whoever may add a file to the folder may append to this one.
  const { mode } = fs.statSync(folder);
  const open = (mode & 0o002) !== 0 ? 0o666 : (mode & 0o020) !== 0 ? 0o660 : 0o600;
  if (open !== 0o600) fs.chmodSync(path, open);
  return made;
}

/**
 * Runs work under the lock of a file of a place.
 * @param failed what is thrown where the lock cannot be made
 * @throws DocsError local-io `settings_locked`; configuration `unsafe_path`; whatever `work` throws
 */
export function lockPlace<T>(
  io: Io,
  path: string,
  work: UnderLock<T>,
  failed: (cause: unknown) => Error,
): Promise<T> {
  const folder = dirname(path);
  if (isUserPlace(io, folder)) return withLock(io, `${path}.lock`, work, failed);
  return withSharedLock(io, folder, parse(path).name, work, failed);
}

/** What some work gives; undefined where the system refuses it for one reason. */
function unless<T>(code: string, work: () => T): T | undefined {
  try {
    return work();
  } catch (cause) {
    if (systemCode(cause) !== code) throw cause;
    return undefined;
  }
}

/** Why a place cannot be written to, and the command by which an administrator makes it. */
export function placeFailure(io: Io, folder: string, system: string): { why: string; hint: string } {
  const word = shellWord(folder, io.platform);
  const isFull = system === 'ENOSPC' || system === 'EDQUOT';
  const missing = `the directory that the policy names for its state does not exist`;
  const why = system === 'ENOENT' ? missing : diskReason(system);
  if (io.platform === 'win32') return { why, hint: isFull ? `dir ${word}` : `mkdir ${word}` };
  if (isFull) return { why, hint: `df -h ${word}` };
  const isThere = fs.statSync(folder, { throwIfNoEntry: false }) !== undefined;
  return { why, hint: isThere ? `ls -ld ${word}` : `sudo install -d -m 1777 ${word}` };
}

/** A ledger in a place: its bytes are read whole, and lines are only added. Every failure of the disk is one error. */
export class LedgerFile {
  readonly #io: Io;
  readonly #path: string;
  readonly #of: { name: string; code: string };

  /** @param of what it counts, and the code of its errors */
  constructor(io: Io, path: string, of: { name: string; code: string }) {
    this.#io = io;
    this.#path = path;
    this.#of = of;
  }

  /** Makes the place. @throws DocsError configuration `unsafe_path`; local-io, with the code of the ledger */
  makePlace(): void {
    this.#onDisk(() => makePlace(this.#io, dirname(this.#path)));
  }

  /** Its bytes; none where there is no file. Errors as `makePlace`. */
  read(): Buffer {
    return this.#onDisk(() => readOwnFile(this.#path)) ?? Buffer.alloc(0);
  }

  /** Adds text, which is on the disk when this resolves. Errors as `makePlace`. */
  async append(text: string): Promise<void> {
    try {
      const log = openPlaceLog(this.#io, this.#path);
      try {
        fs.writeFileSync(log, text);
        await datasync(log);
      } finally {
        fs.closeSync(log);
      }
    } catch (cause) {
      throw this.failure(cause);
    }
  }

  failure(cause: unknown): DocsError {
    if (cause instanceof DocsError) return cause;
    const system = systemCode(cause);
    const folder = dirname(this.#path);
    if (system === undefined || isUserPlace(this.#io, folder))
      return this.unusable(system ?? String(cause), { cause });
    const { why, hint } = placeFailure(this.#io, folder, system);
    return this.unusable(why, { cause, hint });
  }

  unusable(why: string, more: Pick<Failure, 'hint' | 'cause'> = {}): DocsError {
    const { name, code } = this.#of;
    const message = `cannot use the ledger of ${name} ${this.#path}: ${why}; nothing was sent`;
    return notSent('local-io', code, message, { hint: 'docs doctor', ...more });
  }

  #onDisk<T>(work: () => T): T {
    try {
      return work();
    } catch (cause) {
      throw this.failure(cause);
    }
  }
}
