import { resolve } from 'node:path';
import type { Source } from '../../jobs/journal.js';
import { sourceOf } from '../../jobs/look.js';
import { type CsvOptions, parseRows, type Rows } from '../../jobs/rows.js';
import { type Reader, readBytes, textOf } from '../parse/typed-text.js';

/** Rows of a file, and the file they came from; none where they came from standard input. */
export interface RowsFile {
  rows: Rows;
  source?: Source;
}

/** Reads rows from a path, or `-` for stdin. @throws DocsError local-io; usage `bad_rows`, `bad_encoding` */
export async function readRowsFile(
  reader: Reader,
  from: string,
  flag: string,
  options: CsvOptions = {},
): Promise<RowsFile> {
  const bytes = await readBytes(reader, from, flag);
  const rows = await parseRows(textOf(reader, bytes, from), from, options);
  return from === '-' ? { rows } : { rows, source: sourceOf(resolve(reader.io.cwd, from), bytes) };
}
