import type { LinkStatus } from '../finding.js';
import type { Looked } from '../looked.js';
import type { Tally } from '../tally.js';

/** A report, written piece by piece while the check goes on. Every piece ends with a newline or is empty. */
export interface Report {
  begin(): string;
  /** What was found in a space, or on a page of a change request; nothing found is told, too. */
  looked(looked: Looked): string;
  /** The end, with what could not be read. */
  end(tally: Tally): string;
}

export const reportFormats = ['sarif', 'junit', 'markdown'] as const;
export type ReportFormat = (typeof reportFormats)[number];

/** Opens a report of the statuses that are looked for; its format is loaded at first use. */
export async function openReport(format: ReportFormat, statuses: readonly LinkStatus[]): Promise<Report> {
  switch (format) {
    case 'sarif':
      return (await import('./sarif.js')).sarif();
    case 'junit':
      return (await import('./junit.js')).junit(statuses);
    case 'markdown':
      return (await import('./markdown.js')).markdown(statuses);
  }
}
