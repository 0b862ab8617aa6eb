import { constants, type FileHandle, open } from 'node:fs/promises';
import { kindOf, refuseLink, unsafeAt, unsafePath } from './own-files.js';

/** Files to which docs adds lines and in which it changes none: journals, the audit chain, ledgers, approvals. */

const { O_RDWR, O_WRONLY, O_APPEND, O_CREAT, O_EXCL } = constants;
// Windows lacks these. Opening a pipe would wait for its other end.
const { O_NOFOLLOW = 0, O_NONBLOCK = 0, O_NOCTTY = 0 } = constants;

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
export async function openLog(
  path: string,
  { create = 'if-missing', read = false }: Opening = {},
): Promise<FileHandle> {
  if (O_NOFOLLOW === 0) refuseLink(path);
  const flags = (read ? O_RDWR : O_WRONLY) | O_APPEND | creating[create] | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;
  const log = await open(path, flags, 0o600).catch((error: unknown) => {
    throw unsafeAt(path, error) ?? error;
  });
  const stats = await log.stat();
  if (stats.isFile()) return log;
  await log.close();
  throw unsafePath(path, kindOf(stats));
}

/** Removes what follows the last whole line: a process died at it. */
export async function cutTorn(log: FileHandle, wholeBytes: number): Promise<void> {
  const { size } = await log.stat();
  if (size > wholeBytes) await log.truncate(wholeBytes);
}

/** Opens a file, works on it, and syncs it. @throws DocsError as `openLog`; whatever `work` throws */
export async function appendTo(path: string, work: (log: FileHandle) => Promise<void>): Promise<void> {
  const log = await openLog(path);
  try {
    await work(log);
    await log.sync();
  } finally {
    await log.close();
  }
}
