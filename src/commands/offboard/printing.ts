import type { Session } from '../session.js';
import type { Offboarding } from './report.js';
import { reportView, rowsOf, rowView } from './rows.js';

/** An offboarding on standard output: one value for programs, a row a fact for people and pipes. */

function isReportWanted({ settings, globals }: Session): boolean {
  return ['json', 'ndjson', 'yaml'].includes(settings.output?.value ?? '') || globals.jq !== undefined;
}

/** Checks what was asked for; to be called before anything is sent. @throws DocsError usage */
export function checkPrinting(session: Session): Promise<void> {
  return session.printer.check(isReportWanted(session) ? reportView : rowView);
}

export async function printOffboarding(session: Session, report: Offboarding): Promise<void> {
  if (isReportWanted(session)) return session.printer.one(report, reportView);
  await session.printer.list(onePage(rowsOf(report)), rowView);
}

async function* onePage(items: readonly unknown[]) {
  yield { items, count: items.length };
}
