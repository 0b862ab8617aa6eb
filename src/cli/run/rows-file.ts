import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { Io } from '../../io.js';
import type { Source } from '../../jobs/journal.js';
import { sourceOf } from '../../jobs/resume.js';
import { parseRows, type Rows } from '../../jobs/rows.js';
import { readSource } from '../parse/typed-text.js';

/** Rows of a file, and the file they came from; none where they came from standard input. */
export interface RowsFile {
  rows: Rows;
  source?: Source;
}

/** Reads rows from a path, or `-` for stdin. @throws DocsError local-io; usage `bad_rows` */
export async function readRowsFile(io: Io, from: string, flag: string): Promise<RowsFile> {
  const rows = await parseRows(await readSource(io, from, flag), from);
  if (from === '-') return { rows };
  const path = resolve(io.cwd, from);
  return { rows, source: sourceOf(path, await readFile(path)) };
}
