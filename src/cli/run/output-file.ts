import { extname, resolve } from 'node:path';
import { Writable } from 'node:stream';
import { DocsError, usageError } from '../../base/errors.js';
import type { ExitName } from '../../base/exit-codes.js';
import { derivedIo, type Io } from '../../base/io.js';
import { writeAskedFile } from '../../files/asked-file.js';
import { byteSize } from '../../output/text.js';
import { outputFormats } from '../../settings/keys.js';
import type { Globals, Session } from '../declare/session.js';
import { checkNewFile } from './written-files.js';

/** `--out` of a report: what it prints goes into a file, all of it or nothing. */
export interface OutputFile {
  /** With a standard output that keeps what is written. */
  io: Io;
  /** With the format that the extension chooses, where none was asked for. */
  globals: Globals;
  /** The value of `--html`, which writes the page itself. */
  html?: string;
  /** Asks before a file that is there is overwritten. @throws DocsError as `checkNewFile` */
  check(session: Session): Promise<void>;
  /**
   * Writes what was printed, and says so on standard error.
   * @param cause why the command failed, if it did; of a failure that comes before all was printed, nothing is written
   * @throws DocsError as `writeAskedFile`
   */
  write(session: Session, cause?: unknown): Promise<void>;
}

/** Formats by extension; any other gets what a pipe gets. */
const formatOf: Readonly<Record<string, string>> = {
  ...{ '.html': 'html', '.htm': 'html', '.md': 'markdown', '.markdown': 'markdown' },
  ...{ '.json': 'json', '.ndjson': 'ndjson', '.yaml': 'yaml', '.yml': 'yaml', '.csv': 'csv', '.tsv': 'tsv' },
  ...{ '.mmd': 'mermaid', '.dot': 'dot' },
};

/** Of the formats that few reports have: elsewhere the extension says nothing. */
const formatOfFew: Readonly<Record<string, string>> = { '.sarif': 'sarif', '.xml': 'junit' };

/** Failures that come once everything is printed: what was found, and what could not be read. */
const afterPrinting: readonly ExitName[] = ['findings', 'partial'];

/**
 * Where `--out` leads. A file that is there is replaced only if somebody says so; a page replaces an earlier page, too.
 * @param about.formats values of `-o` that the command has beside the usual ones
 * @param about.hasPage whether `--html <file>` writes its page
 * @throws DocsError usage `unknown_format`, `missing_flag`
 */
export function outputFile(
  { io, globals }: { io: Io; globals: Globals },
  typed: string | undefined,
  { formats, hasPage }: { formats: readonly string[]; hasPage: boolean },
): OutputFile {
  if (typed === undefined)
    throw usageError('missing_flag', 'a page needs a file; add --out page.html. Nothing was read.');
  const format = globals.output ?? chosenFormat(typed, globals, formats);
  const chunks: Buffer[] = [];
  const kept = derivedIo(io, { stdout: collecting(chunks) });
  if (format === 'html' && hasPage)
    return {
      io: kept,
      globals: { ...globals, output: undefined },
      html: typed,
      check: async () => {},
      write: async () => {},
    };
  const path = resolve(io.cwd, typed);
  return {
    io: kept,
    check: (session) => checkNewFile(session, typed, '--out'),
    globals: { ...globals, output: format },
    async write({ io: own, printer }, cause) {
      const content = Buffer.concat(chunks);
      if (cause !== undefined && (!isAfterPrinting(cause) || content.length === 0)) return;
      if (globals.dryRun === true) return printer.note(`Dry run: did not write ${typed}.`);
      await writeAskedFile(own, path, content);
      printer.note(`Wrote ${typed} (${byteSize(content.length)}).`);
    },
  };
}

function collecting(chunks: Buffer[]): Writable {
  return new Writable({
    write(chunk: Buffer, _, done) {
      chunks.push(chunk);
      done();
    },
  });
}

function isAfterPrinting(cause: unknown): boolean {
  return cause instanceof DocsError && afterPrinting.includes(cause.kind);
}

function chosenFormat(typed: string, { json, jq }: Globals, formats: readonly string[]): string | undefined {
  const extension = extname(typed).toLowerCase();
  const few = formatOfFew[extension] ?? '';
  const named = formats.includes(few) ? few : formatOf[extension];
  if (named === undefined || json === true || jq !== undefined) return undefined;
  if (formats.includes(named) || (outputFormats as readonly string[]).includes(named)) return named;
  throw usageError(
    'unknown_format',
    `${typed}: this report has no ${named} form; it has ${formats.join(', ')}`,
  );
}
