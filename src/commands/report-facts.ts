import type { Session } from '../cli/declare/session.js';
import { originOf } from '../cli/run/session-job.js';
import type { Report } from '../reports/report.js';

/** Where a report was read: the organization, by its id, and the platform. */
export function placeFacts(session: Session, organization: string): Report['facts'] {
  return [
    ...(organization === '' ? [] : [['Organization', organization] as const]),
    ...platformFact(originOf(session)),
  ];
}

/** @param origin of the session or a plan; of the embedded platform it is a path of this machine, which is not shown */
export function platformFact(origin: string): Report['facts'] {
  if (origin === '') return [];
  return [['Platform', origin.startsWith('sandbox:') ? 'sandbox' : origin]];
}
