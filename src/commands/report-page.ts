import { resolve } from 'node:path';
import { usageError } from '../base/errors.js';
import { defined } from '../base/values.js';
import { camel, type ManualInput } from '../cli/declare/command.js';
import type { Session } from '../cli/declare/session.js';
import type { Document } from '../document/document.js';
import { ReaderGone } from '../output/sink.js';

/** `--html` of the commands that have it. Nothing of reports is loaded without the flag. */
export interface ReportPage {
  /**
   * Writes the page, and tells so on standard error; with `--dry-run` it only tells that it did not.
   * @param options.quiet whether it tells nothing, as the page is written again later
   * @throws DocsError as `writeReport`
   */
  write(report: Document, options?: { quiet?: boolean }): Promise<void>;
  /** Tells that there is no page, where the reader of the output left before all was read; else it tells nothing. */
  left(cause: unknown): void;
}

/**
 * What `--html` asks for; undefined without it. To be called before anything is read.
 * @param others further flags of the command that write a file, such as `report-file`
 * @throws DocsError usage `bad_value`, `file_exists`, `contradiction`; local-io
 */
export async function reportPage(
  { io, printer, globals, nowMs }: Pick<Session, 'io' | 'printer' | 'globals' | 'nowMs'>,
  { options }: Pick<ManualInput, 'options'>,
  others: readonly string[] = [],
): Promise<ReportPage | undefined> {
  if (typeof options.html !== 'string') return undefined;
  const { reportFile, writeReport } = await import('../reports/write.js');
  const file = await reportFile(options.html, io.cwd);
  for (const flag of ['save-plan', ...others]) {
    const other = options[camel(flag)];
    if (typeof other === 'string' && resolve(io.cwd, other) === file.path)
      throw usageError('contradiction', `--html and --${flag} name the same file.`);
  }
  return {
    async write(report, { quiet = false } = {}) {
      const said = globals.dryRun
        ? `Dry run: did not write ${file.name}.`
        : await writeReport({ now: nowMs, ...defined({ own: io.own }) }, file, report);
      if (!quiet) printer.note(said);
    },
    left(cause) {
      const gone = cause instanceof ReaderGone || io.signal.aborted;
      if (gone) printer.note(`Did not write ${file.name}: not all of it was read.`);
    },
  };
}
