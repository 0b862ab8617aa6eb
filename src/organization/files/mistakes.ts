import { type DocsError, usageError } from '../../base/errors.js';
import { type Mistake, mistakeLine } from '../../files/yaml/mistake.js';

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

/** The name of the schema of a file: `site` for those of `sites/`. */
export function schemaOf(file: string): string {
  if (file.includes('/')) return file.slice(0, file.indexOf('/')).replace(/s$/, '');
  return file.replace(/\.[^.]*$/, '');
}
