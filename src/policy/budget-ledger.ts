import { join } from 'node:path';
import { appendTo, cutTorn } from '../base/append-log.js';
import { DocsError, notSent } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { withLock } from '../base/lock.js';
import { checkOwnFolder, makeFolders, readOwnFile } from '../base/own-files.js';
import { shellWord } from '../base/shell-word.js';
import { systemCode } from '../base/system-errors.js';
import { isObject } from '../base/values.js';
import { writeFileAtomically } from '../base/write-file.js';
import { cannotWrite } from '../settings/json-file.js';
import { settingsPaths } from '../settings/paths.js';

/** The file in which budgets are counted: one line a reservation, written before its requests are sent. */

export interface Counts {
  /** All changes, deletions among them. */
  writes: number;
  deletes: number;
}

/** What was reserved; kept to give back what is not sent. */
export interface Reservation extends Counts {
  id: string;
  /** Milliseconds since the epoch. */
  at: number;
  /** The files of the policies whose budget it counts against. */
  policies: readonly string[];
}

/** A ledger of more lines is written anew without those that count no more. */
const mostLines = 2000;
/** No budget is for longer. */
const keptMs = 86_400_000;

export function ledgerPath(io: Io): string {
  return join(settingsPaths(io).stateDir, 'budget.jsonl');
}

interface Ledger {
  entries: readonly Reservation[];
  append(entry: Reservation): void;
}

/** Works on the ledger under its lock; what is appended is on the disk before this resolves. */
export async function inLedger<T>(io: Io, work: (ledger: Ledger) => T): Promise<T> {
  const path = ledgerPath(io);
  const { stateDir } = settingsPaths(io);
  checkOwnFolder(stateDir);
  onDisk(path, () => makeFolders(stateDir, 0o700));
  const lock = `${path}.lock`;
  const write = async (held: () => boolean): Promise<T> => {
    const { entries, wholeBytes } = readLedger(path);
    const added: Reservation[] = [];
    const result = work({ entries, append: (entry) => added.push(entry) });
    if (added.length === 0) return result;
    if (!held()) throw unusable(path, 'another process took its lock');
    if (entries.length <= mostLines) await appendLines(path, added, wholeBytes);
    else {
      const counting = entries.filter(({ at }) => at > io.now() - keptMs);
      await writeFileAtomically(path, [...counting, ...added].map(lineOf).join(''));
    }
    return result;
  };
  return withLock(io, lock, write, (cause) => cannotWrite(io, lock, cause));
}

/** Behind the last whole line: what follows it is of a process that died before anything was sent. */
async function appendLines(path: string, added: readonly Reservation[], wholeBytes: number): Promise<void> {
  try {
    await appendTo(path, async (log) => {
      await cutTorn(log, wholeBytes);
      await log.appendFile(added.map(lineOf).join(''));
    });
  } catch (cause) {
    throw failure(path, cause);
  }
}

function lineOf(entry: Reservation): string {
  return `${JSON.stringify(entry)}\n`;
}

/**
 * What was reserved; a torn last line is left out.
 * @throws DocsError configuration `corrupt_budget`, `unsafe_path`; local-io `budget_unusable`
 */
export function readLedger(path: string): { entries: Reservation[]; wholeBytes: number } {
  const bytes = onDisk(path, () => readOwnFile(path)) ?? Buffer.alloc(0);
  const wholeBytes = bytes.lastIndexOf(0x0a) + 1;
  const lines = bytes.toString('utf8', 0, wholeBytes).split('\n').slice(0, -1);
  const entries = lines.map((line, at) => entryOf(line) ?? at + 1);
  const bad = entries.find((entry) => typeof entry === 'number');
  if (bad !== undefined) throw corrupt(path, bad);
  return { entries: entries.filter((entry) => typeof entry !== 'number'), wholeBytes };
}

function entryOf(line: string): Reservation | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isObject(value)) return undefined;
  const { id, at, writes, deletes, policies } = value;
  const isWhole = [at, writes, deletes].every((one) => Number.isSafeInteger(one));
  if (!isWhole || typeof id !== 'string' || !Array.isArray(policies)) return undefined;
  return {
    id,
    at: Number(at),
    writes: Number(writes),
    deletes: Number(deletes),
    policies: policies.map(String),
  };
}

function corrupt(path: string, line: number): DocsError {
  const { platform } = process;
  const move = platform === 'win32' ? 'move' : 'mv';
  const hint = `${move} ${shellWord(path, platform)} ${shellWord(`${path}.broken`, platform)}`;
  const message = `the ledger of budgets ${path} is corrupt in line ${line}; nothing was sent`;
  return notSent('configuration', 'corrupt_budget', message, { hint, details: { file: path, line } });
}

function onDisk<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw failure(path, cause);
  }
}

function failure(path: string, cause: unknown): DocsError {
  return cause instanceof DocsError ? cause : unusable(path, systemCode(cause) ?? String(cause), cause);
}

function unusable(path: string, why: string, cause?: unknown): DocsError {
  const message = `Cannot use the ledger of budgets ${path}: ${why}; nothing was sent.`;
  return notSent('local-io', 'budget_unusable', message, { hint: 'docs doctor', cause });
}
