import type { ManualInput } from '../cli/declare/command.js';
import type { Session } from '../cli/declare/session.js';
import { ReaderGone } from '../output/sink.js';
import type { Report } from '../reports/report.js';

/** `--html` of the commands that have it. Nothing of reports is loaded without the flag. */
export interface ReportPage {
  /**
   * Writes the page, and tells so on standard error; with `--dry-run` it only tells that it did not.
   * @param options.quiet whether it tells nothing, as the page is written again later
   * @throws DocsError as `writeReport`
   */
  write(report: Report, options?: { quiet?: boolean }): Promise<void>;
  /** Tells that there is no page, where the reader of the output left before all was read; else it tells nothing. */
  left(cause: unknown): void;
}

/**
 * What `--html` asks for; undefined without it. To be called before anything is read.
 * @throws DocsError usage `bad_value`, `file_exists`; local-io
 */
export async function reportPage(
  { io, printer, globals }: Session,
  { options }: ManualInput,
): Promise<ReportPage | undefined> {
  if (typeof options.html !== 'string') return undefined;
  const { reportFile, writeReport } = await import('../reports/write.js');
  const file = await reportFile(options.html, io.cwd);
  return {
    async write(report, { quiet = false } = {}) {
      const said = globals.dryRun
        ? `Dry run: did not write ${file.name}.`
        : await writeReport(io, file, report);
      if (!quiet) printer.note(said);
    },
    left(cause) {
      const gone = cause instanceof ReaderGone || io.signal.aborted;
      if (gone) printer.note(`Did not write ${file.name}: not all of it was read.`);
    },
  };
}
