import type { Refusal } from '../../access/guards.js';
import type { Session } from '../declare/session.js';
import { warnReader } from './output-flags.js';

/** @throws DocsError that of a refusal, after its reasons where there are several */
export function refuse(session: Session, refusal: Refusal | undefined): void {
  if (refusal === undefined) return;
  if (refusal.reasons.length > 1) warnReader(session, refusal.reasons);
  throw refusal.error;
}
