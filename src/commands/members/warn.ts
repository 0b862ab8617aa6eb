import type { Session } from '../../cli/declare/session.js';
import type { Refusal } from '../../workflows/offboard/refusals.js';

/** Warns, one line each; programs find the same in the details of the error. */
export function warnEach({ printer, settings }: Session, lines: readonly string[]): void {
  if (['json', 'ndjson'].includes(settings.output?.value ?? '')) return;
  for (const line of lines) printer.warn(line);
}

/** @throws the error of a refusal, after its reasons where there are several */
export function refuse(session: Session, refusal: Refusal | undefined): void {
  if (refusal === undefined) return;
  if (refusal.reasons.length > 1) warnEach(session, refusal.reasons);
  throw refusal.error;
}
