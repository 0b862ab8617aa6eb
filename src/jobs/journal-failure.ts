import { dirname } from 'node:path';
import { DocsError } from '../errors.js';
import { diskReason } from '../files/local-io-error.js';
import type { Io } from '../io.js';
import { shellWord } from '../settings/shell-word.js';
import { systemCode } from '../system-error.js';

/** A journal that cannot be written: exit 13. Without it nothing is sent, unless it was turned off. */
export function journalFailure(io: Pick<Io, 'platform'>, path: string, cause: unknown): DocsError {
  if (cause instanceof DocsError) return cause;
  const system = systemCode(cause);
  if (system === undefined) throw cause;
  const folder = shellWord(dirname(path), io.platform);
  const full = system === 'ENOSPC' || system === 'EDQUOT';
  const look = io.platform === 'win32' ? `dir ${folder}` : `${full ? 'df -h' : 'ls -la'} ${folder}`;
  const message =
    `The journal ${path} cannot be written: ${diskReason(system)}. Without it nothing is sent; ` +
    'docs config set journal off does without.';
  return new DocsError('local-io', 'journal_unwritable', message, { outcome: 'not-sent', hint: look, cause });
}
