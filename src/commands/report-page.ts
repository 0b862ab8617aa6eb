import type { ManualInput } from '../cli/declare/command.js';
import type { Session } from '../cli/declare/session.js';
import type { Report } from '../reports/report.js';

/** `--html` of the commands that have it. Nothing of reports is loaded without the flag. */
export interface ReportPage {
  /** Writes the page, and tells so on standard error. @throws DocsError as `writeReport` */
  write(report: Report): Promise<void>;
}

/**
 * What `--html` asks for; undefined without it. To be called before anything is read.
 * @throws DocsError usage `bad_value`, `file_exists`; local-io
 */
export async function reportPage(
  { io, printer }: Session,
  { options }: ManualInput,
): Promise<ReportPage | undefined> {
  if (typeof options.html !== 'string') return undefined;
  const { reportFile, writeReport } = await import('../reports/write.js');
  const file = await reportFile(options.html, io.cwd);
  return {
    write: async (report) => printer.note(await writeReport(io, file, report)),
  };
}
