import { DocsError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { schemaVersion } from './schema-version.js';

/** Why a database cannot be opened. */

export function openingError(file: string, error: unknown): unknown {
  if (error instanceof DocsError) return error;
  const { code, message } = error as { code?: string; message: string };
  if (code === 'SQLITE_CORRUPT') return damaged(file, error);
  if (code === 'SQLITE_NOTADB') {
    return new DocsError('configuration', 'bad_database', `${file} is not a sandbox database`, {
      cause: error,
    });
  }
  return new DocsError('local-io', 'cannot_open', `cannot open ${file}: ${message}`, { cause: error });
}

export function damaged(file: string, cause?: unknown): DocsError {
  const message = `the sandbox database ${file} is damaged: pages are missing or unreadable; it was not changed. Remove it to start with a new one.`;
  return new DocsError('configuration', 'damaged_database', message, { cause, hint: removing(file) });
}

function removing(file: string): string {
  const files = [file, `${file}-wal`, `${file}-shm`].map((each) => shellWord(each, process.platform));
  const remove = process.platform === 'win32' ? 'del' : 'rm -f';
  return `${remove} ${files.join(' ')}`;
}

export function newer(version: number): DocsError {
  const message = `a newer version of docs created the sandbox's database (schema ${version}; this one reads ${schemaVersion})`;
  return new DocsError('configuration', 'newer_database', message, { hint: 'docs --version' });
}

export function older(file: string): DocsError {
  const message = `an earlier version of docs, or another program, created the sandbox database ${file}; it was not changed. Remove it to start with a new one.`;
  return new DocsError('configuration', 'older_database', message, { hint: removing(file) });
}
