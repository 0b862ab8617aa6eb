import { resolve } from 'node:path';
import { inject } from 'vitest';

/**
 * How tests start docs, decided here alone: the program built for this run, by Node; or with `DOCS_BIN=<path>` any
 * other, such as the one without Node. What may differ then is in `exceptions.ts`.
 */

/** Undefined where the built program is tested. */
const other = process.env.DOCS_BIN ? resolve(process.env.DOCS_BIN) : undefined;

/** The file to start, and the words before those of docs. */
export const docsFile: string = other ?? process.execPath;
export const docsFirst: readonly string[] = other === undefined ? [inject('program')] : [];

/** Both, for what starts docs in turn. */
export const docsWords: readonly string[] = [docsFile, ...docsFirst];

/** The same as a line of a shell. */
export const docsLine: string = docsWords.map((word) => `'${word}'`).join(' ');
