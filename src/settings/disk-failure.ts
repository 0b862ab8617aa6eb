import { dirname } from 'node:path';
import { DocsError } from '../errors.js';
import { diskReason } from '../files/local-io-error.js';
import type { Io } from '../io.js';
import { systemCode } from '../system-error.js';
import { shellWord } from './shell-word.js';

/** The settings or credentials file cannot be read: exit 13, with its path and the reason. */
export function cannotRead(io: Pick<Io, 'platform'>, path: string, error: unknown): DocsError {
  return failure(io, `cannot_read_${nameOf(path)}`, `Cannot read ${path}`, path, error);
}

/** The settings or credentials file cannot be written: exit 13. The old one, if any, is unchanged. */
export function cannotWrite(io: Pick<Io, 'platform'>, path: string, error: unknown): DocsError {
  return failure(
    io,
    `cannot_write_${nameOf(path)}`,
    `Cannot write ${path}; nothing was changed`,
    path,
    error,
  );
}

function nameOf(path: string): string {
  return path.includes('credentials') ? 'credentials' : 'settings';
}

function failure(
  io: Pick<Io, 'platform'>,
  code: string,
  what: string,
  path: string,
  error: unknown,
): DocsError {
  const system = systemCode(error);
  if (system === undefined) throw error;
  const folder = shellWord(dirname(path), io.platform);
  const look = io.platform === 'win32' ? `dir ${folder}` : `ls -la ${folder}`;
  const full = system === 'ENOSPC' || system === 'EDQUOT';
  return new DocsError('local-io', code, `${what}: ${diskReason(system)}.`, {
    outcome: 'not-sent',
    hint: full && io.platform !== 'win32' ? `df -h ${folder}` : look,
    cause: error,
  });
}
