import type { ManualInput } from '../cli/declare/command.js';
import type { Session } from '../cli/declare/session.js';
import { originOf } from '../cli/run/session-job.js';
import type { Report } from '../reports/report.js';
import type { ReportFile } from '../reports/write.js';

/** `--html <file>`: what a command shows, also as a report. */

/**
 * To be called before anything is read or changed.
 * @returns undefined where no report was asked for
 * @throws DocsError as `reportFile`
 */
export async function htmlFile({ io }: Session, { options }: ManualInput): Promise<ReportFile | undefined> {
  if (typeof options.html !== 'string') return undefined;
  const { reportFile } = await import('../reports/write.js');
  return reportFile(options.html, io.cwd);
}

/** Writes a report, and tells on standard error where it is. @throws DocsError as `writeReport` */
export async function writeHtmlReport(session: Session, file: ReportFile, report: Report): Promise<void> {
  const { io, printer, globals } = session;
  if (globals.dryRun) return printer.note(`Dry run: did not write ${file.name}.`);
  const { writeReport } = await import('../reports/write.js');
  printer.note(await writeReport(io, file, report));
}

/** The platform as a report names it: its address, or `sandbox` for one in a file of this machine. */
export function platformName(session: Session): string {
  const origin = originOf(session);
  return origin.startsWith('sandbox:') ? 'sandbox' : origin;
}
