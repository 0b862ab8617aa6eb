import type { LinkStatus } from '../finding.js';
import type { Report } from './report.js';

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
