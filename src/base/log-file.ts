import fs from 'node:fs';
import { kindOf, refuseLink, unsafeAt, unsafePath } from './own-files.js';

/** Files to which docs adds lines and in which it changes none: journals, the audit chain, ledgers, approvals. */

const { O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = fs.constants;
// Windows lacks these. Opening a pipe would wait for its other end.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = fs.constants;

const creating = { new: O_CREAT | O_EXCL, 'if-missing': O_CREAT, never: 0 } as const;

interface Opening {
  /** Default: `if-missing`. Only its owner may read what is created. */
  create?: keyof typeof creating;
  /** Whether it is read, too. */
  read?: boolean;
}

/**
 * Opens a file to append to it.
 * @throws DocsError configuration `unsafe_path` where it is a link, a pipe or a device; the system's error, such as
 *   EISDIR
 */
export function openLog(path: string, { create = 'if-missing', read = false }: Opening = {}): number {
  if (O_NOFOLLOW === 0) refuseLink(path);
  const flags = (read ? O_RDWR : O_WRONLY) | O_APPEND | creating[create] | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  const log = opened(path, flags);
  const stats = fs.fstatSync(log);
  if (stats.isFile()) return log;
  fs.closeSync(log);
  throw unsafePath(path, kindOf(stats));
}

function opened(path: string, flags: number): number {
  try {
    return fs.openSync(path, flags, 0o600);
  } catch (error) {
    throw unsafeAt(path, error) ?? error;
  }
}

/** Appends a text. What is printed takes `writeSync`, too, so Node compiles no more for this. */
export function writeWhole(log: number, text: string): void {
  const written = fs.writeSync(log, text);
  if (written < Buffer.byteLength(text)) fs.writeFileSync(log, Buffer.from(text).subarray(written));
}

/** Removes what follows the last whole line: a process died at it. */
export function cutTorn(log: number, wholeBytes: number): void {
  if (fs.fstatSync(log).size > wholeBytes) fs.ftruncateSync(log, wholeBytes);
}

/**
 * Waits until what was written is on the disk, on a thread: other requests go on meanwhile.
 * @param isAlone whether there are none: then the process waits itself, and starts no threads for it
 */
export async function datasync(log: number, isAlone = false): Promise<void> {
  if (isAlone) return fs.fdatasyncSync(log);
  return new Promise((resolve, reject) => {
    fs.fdatasync(log, (error) => (error ? reject(error) : resolve()));
  });
}

/** Opens a file, works on it, and syncs it. @throws DocsError as `openLog`; whatever `work` throws */
export async function appendTo(path: string, work: (log: number) => void): Promise<void> {
  const log = openLog(path);
  try {
    work(log);
    await datasync(log);
  } finally {
    fs.closeSync(log);
  }
}
