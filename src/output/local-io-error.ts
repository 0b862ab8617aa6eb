import { DocsError } from '../errors.js';

const reasons: Readonly<Record<string, readonly [code: string, reason: string]>> = {
  ENOSPC: ['disk_full', 'the disk is full'],
  EDQUOT: ['disk_full', 'the disk quota is used up'],
  EFBIG: ['disk_full', 'the file is too large'],
  EACCES: ['permission_denied', 'permission denied'],
  EPERM: ['permission_denied', 'the operation is not permitted'],
  EROFS: ['permission_denied', 'the file system is read-only'],
  ENOENT: ['no_such_file', 'no such file or directory'],
  ENOTDIR: ['no_such_file', 'a part of the path is not a directory'],
  EISDIR: ['is_a_folder', 'it is a directory'],
  EEXIST: ['file_exists', 'it already exists'],
  ELOOP: ['unsafe_link', 'it is a symbolic link'],
  ENAMETOOLONG: ['bad_file_name', 'the name is too long'],
  EIO: ['io_error', 'an input/output error'],
};

/** The `code` of an error of the system, such as `ENOSPC`; undefined for any other value. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/**
 * A failure of the local machine as the one error type (exit 13).
 * @param doing what failed, as the beginning of a sentence: `Cannot write settings.json`
 * @returns an error with a stable code: `disk_full`, `permission_denied`, `io_error`, …
 */
export function localIoError(error: unknown, doing: string): DocsError {
  const system = systemCode(error);
  const [code, reason] = reasons[system ?? ''] ?? ['io_error', system ?? 'an unknown error'];
  return new DocsError('local-io', code, `${doing}: ${reason}.`, { cause: error });
}
