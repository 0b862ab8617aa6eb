import { resolve } from 'node:path';
import { camel, type ManualInput } from '../cli/declare/command.js';
import type { Session } from '../cli/declare/session.js';
import { usageError } from '../errors.js';
import type { Report } from '../reports/report.js';

/** `--html` of the commands that have it. Nothing of reports is loaded without the flag. */
export interface ReportPage {
  /** Writes the page, and tells so on standard error; a dry run only tells. @throws DocsError as `writeReport` */
  write(report: Report): Promise<void>;
}

/**
 * What `--html` asks for; undefined without it. To be called before anything is read.
 * @param others further flags of the command that write a file, such as `report-file`
 * @throws DocsError usage `bad_value`, `file_exists`, `contradiction`; local-io
 */
export async function reportPage(
  { io, printer, globals }: Pick<Session, 'io' | 'printer' | 'globals'>,
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
    async write(report) {
      if (globals.dryRun === true) printer.note(`Dry run: did not write ${file.name}.`);
      else printer.note(await writeReport(io, file, report));
    },
  };
}
