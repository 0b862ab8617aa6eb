import type { View } from '../../output/printer.js';
import type { Session } from '../session.js';
import type { Offboarding } from './report.js';
import { reportView, rowsOf, rowView } from './rows.js';

/** An offboarding on standard output: one value for programs, a row a fact for people and pipes. */

const idView: View = { columns: [{ path: 'id' }], fields: ['id'] };

/** Fields are those of the one value, whatever the format. */
function isReportWanted({ settings, globals }: Session): boolean {
  const asked = globals.jq !== undefined || settings.fields !== undefined;
  return asked || ['json', 'ndjson', 'yaml'].includes(settings.output?.value ?? '');
}

function isIdsWanted({ settings }: Session): boolean {
  return settings.output?.value === 'id';
}

/** Checks what was asked for; to be called before anything is sent. @throws DocsError usage */
export function checkPrinting(session: Session): Promise<void> {
  if (isIdsWanted(session)) return session.printer.check(idView);
  return session.printer.check(isReportWanted(session) ? reportView : rowView);
}

export async function printOffboarding(session: Session, report: Offboarding): Promise<void> {
  const { printer } = session;
  const people = report.people.map(({ user }) => user);
  if (isIdsWanted(session)) await printer.list(people, idView);
  else if (isReportWanted(session)) await printer.one(report, reportView);
  else await printer.list(rowsOf(report), rowView);
}
