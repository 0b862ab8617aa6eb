import { DocsError } from './errors.js';

const reasons: Readonly<Record<string, readonly [code: string, reason: string]>> = {
  ENOSPC: ['disk_full', 'the disk is full'],
  EDQUOT: ['disk_full', 'the disk quota is exceeded'],
  EFBIG: ['disk_full', 'the file would be larger than allowed'],
  EACCES: ['permission_denied', 'permission denied'],
  EPERM: ['permission_denied', 'operation not permitted'],
  EROFS: ['permission_denied', 'the file system is read-only'],
  ENOENT: ['no_such_file', 'no such file or directory'],
  ENOTDIR: ['no_such_file', 'part of the path is not a directory'],
  EISDIR: ['is_a_folder', 'it is a directory'],
  EEXIST: ['file_exists', 'it already exists'],
  ELOOP: ['unsafe_link', 'it is a symbolic link, or its links form a loop'],
  ENAMETOOLONG: ['bad_file_name', 'the name is too long'],
  EMFILE: ['io_error', 'too many open files'],
  ENFILE: ['io_error', 'too many open files'],
  EIO: ['io_error', 'an input/output error'],
};

/**
 * Runs a step on the disk.
 * @throws DocsError its own, else that of `localIoError`
 */
export async function onDisk<T>(doing: string, step: () => Promise<T>): Promise<T> {
  try {
    return await step();
  } catch (error) {
    throw error instanceof DocsError ? error : localIoError(error, doing);
  }
}

/** What a system error such as `ENOSPC` means, as the end of a sentence; the code itself if unknown. */
export function diskReason(system: string): string {
  return reasons[system]?.[1] ?? system;
}

/**
 * A failure of the local machine (exit 13): `disk_full`, `permission_denied`, `io_error`, …
 * @param doing what failed, as the beginning of a sentence: `Cannot write settings.json`
 */
export function localIoError(error: unknown, doing: string): DocsError {
  const system = systemCode(error);
  const code = reasons[system ?? '']?.[0] ?? 'io_error';
  const reason = system === undefined ? 'unknown error' : diskReason(system);
  return new DocsError('local-io', code, `${doing}: ${reason}.`, { cause: error });
}

/** The system's code of a failed call (`ENOENT`, …); undefined for every other failure. */
export function systemCode(cause: unknown): string | undefined {
  if (!(cause instanceof Error) || cause instanceof DocsError || !('code' in cause)) return undefined;
  return typeof cause.code === 'string' ? cause.code : undefined;
}
