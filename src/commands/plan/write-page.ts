import type { Plan } from '../../plans/plan.js';
import type { ReportPage } from '../report-page.js';
import type { PlanAround } from './page.js';

/**
 * Writes the page of a plan; nothing without `--html`. Also to be called where the reader of the output has left, since
 * the plan is whole by then.
 * @throws DocsError as `writeReport`
 */
export async function writePage(page: ReportPage | undefined, plan: Plan, around: PlanAround): Promise<void> {
  if (page === undefined) return;
  const { planReport } = await import('./page.js');
  await page.write(planReport(plan, around));
}
