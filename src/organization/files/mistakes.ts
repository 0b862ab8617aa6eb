import { type DocsError, usageError } from '../../errors.js';
import { nearest } from '../../nearest.js';
import type { FilePlace } from '../model.js';

/** One mistake of a file. Values are never quoted: one of them may be a secret in the wrong place. */
export interface Mistake extends FilePlace {
  /** The rest of a sentence about the path: `is not known; did you mean "role"?`. */
  message: string;
  /** The known key or value that was most likely meant. */
  nearest?: string;
}

/** Enough to mend a file by; more would only scroll. */
const most = 200;

/** All mistakes of all files in one error, in the order of files and lines. */
export function badFiles(mistakes: readonly Mistake[]): DocsError {
  const sorted = [...mistakes].sort(
    (a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : 0) || a.line - b.line || a.column - b.column,
  );
  const files = new Set(sorted.map(({ file }) => file)).size;
  const count = sorted.length === 1 ? '1 mistake' : `${sorted.length} mistakes`;
  const shown = sorted.slice(0, most);
  const rest = sorted.length > most ? [`and ${sorted.length - most} more`] : [];
  const lines = [...shown.map(mistakeLine), ...rest];
  return usageError(
    'bad_files',
    `${count} in ${files === 1 ? '1 file' : `${files} files`}; nothing was changed`,
    {
      lines,
      hint: `docs schema file:${schemaOf(sorted[0]?.file ?? 'org.yaml')}`,
      details: { mistakes: shown },
    },
  );
}

/** `teams.yaml:3:5 teams[1].titel is not known; did you mean "title"?` */
export function mistakeLine({ file, line, column, path, message }: Mistake): string {
  return `${file}:${line}:${column} ${path === '' ? 'the file' : path} ${message}`;
}

/** ` did you mean "title"?`, where something is near. */
export function withNearest(
  message: string,
  word: string,
  known: Iterable<string>,
): Pick<Mistake, 'message' | 'nearest'> {
  const meant = nearest(word, known);
  return meant === undefined
    ? { message }
    : { message: `${message}; did you mean "${meant}"?`, nearest: meant };
}

/** The name of the schema of a file: `site` for those of `sites/`. */
export function schemaOf(file: string): string {
  if (file.includes('/')) return file.slice(0, file.indexOf('/')).replace(/s$/, '');
  return file.replace(/\.[^.]*$/, '');
}
