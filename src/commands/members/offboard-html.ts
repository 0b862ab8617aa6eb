import { basename } from 'node:path';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import type { Evidence } from '../../workflows/offboard/evidence.js';
import { rehearsalWords } from '../page-facts.js';
import { reportPage } from '../report-page.js';

/** `--html` of an offboarding. */
export interface OffboardingPage {
  /** @param evidence what it shows; files only where evidence is written @throws DocsError as `ReportPage.write` */
  write(evidence: Pick<Evidence, 'report'> & Partial<Evidence>, options?: { quiet?: boolean }): Promise<void>;
}

/** @returns undefined without `--html` @throws DocsError as `reportPage` */
export async function offboardingPage(
  session: Session,
  input: ManualInput,
): Promise<OffboardingPage | undefined> {
  const page = await reportPage(session, input);
  if (page === undefined) return undefined;
  const { offboardingReport } = await import('./offboard-page.js');
  // That of a rehearsal is gone with it.
  const isKept = session.settings.rehearsal === undefined;
  return {
    async write({ report, files }, options) {
      const evidence = isKept && files !== undefined ? { evidence: basename(files.json) } : {};
      await page.write(offboardingReport(report, { about: rehearsalWords(session), ...evidence }), options);
    },
  };
}
