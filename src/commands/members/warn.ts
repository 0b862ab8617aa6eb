import type { Session } from '../../cli/declare/session.js';
import { warnReader } from '../../cli/run/output-flags.js';
import type { Refusal } from '../../workflows/offboard/refusals.js';

/** @throws the error of a refusal, after its reasons where there are several */
export function refuse(session: Session, refusal: Refusal | undefined): void {
  if (refusal === undefined) return;
  if (refusal.reasons.length > 1) warnReader(session, refusal.reasons);
  throw refusal.error;
}
