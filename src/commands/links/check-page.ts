import type { DrawnBeside } from '../../access/links/drawn-beside.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import type { Document } from '../../document/document.js';
import type { Finding } from '../../workflows/link-check/finding.js';
import type { Tally } from '../../workflows/link-check/report.js';
import { placeFacts } from '../page-facts.js';
import { type ReportPage, reportPage } from '../report-page.js';
import type { CheckRequest } from './request.js';

/** `--html` of a check: what it gathers while the check runs. */
export interface CheckPage extends Pick<ReportPage, 'left'> {
  drawing: DrawnBeside;
  findings: Finding[];
  /** @throws DocsError as `writeReport` */
  write(tally: Tally, request: CheckRequest): Promise<void>;
}

/** @returns undefined without the flag @throws DocsError as `reportPage` */
export async function checkPage(session: Session, input: ManualInput): Promise<CheckPage | undefined> {
  const page = await reportPage(session, input, ['report-file', 'baseline']);
  if (page === undefined) return undefined;
  const [{ DrawnBeside }, { checkReport }] = await Promise.all([
    import('../../access/links/drawn-beside.js'),
    import('./page.js'),
  ]);
  const drawing = new DrawnBeside();
  const findings: Finding[] = [];
  return {
    drawing,
    findings,
    left: (cause) => page.left(cause),
    async write(tally, request) {
      const graph = await drawing.finish(tally.unread);
      const { statuses } = request;
      const facts = [...placeFacts(session, request.organization), scopeFact(request)];
      await page.write(checkReport({ findings, tally, statuses, graph }, facts));
    },
  };
}

/** `Checked: space s1, site w1`. */
function scopeFact({
  scope: { spaces, collections, sites },
  changeRequest,
}: CheckRequest): Document['facts'][number] {
  const words = [
    ...spaces.map((id) => `space ${id}`),
    ...collections.map((id) => `collection ${id}`),
    ...sites.map((id) => `site ${id}`),
    ...(changeRequest === undefined ? [] : [`change request ${changeRequest}`]),
  ];
  return ['Checked', words.length === 0 ? 'all spaces that can be found' : words.join(', ')];
}
