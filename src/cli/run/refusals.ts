import { DocsError } from '../../base/errors.js';
import { isObject } from '../../base/values.js';
import type { Plan } from '../../plans/plan.js';
import type { Session } from '../declare/session.js';
import { actorIn } from './session-job.js';

/** Codes of refusals that say who tried something, beside those with reasons. */
const recorded: ReadonlySet<string> = new Set(['key_not_named', 'rehearsal_failed', 'guarded']);

/** Runs what applies or approves a plan under a policy; what is refused of it becomes an event of the audit chain. */
export async function recordingRefusals<T>(
  session: Session,
  command: string,
  plan: Pick<Plan, 'id' | 'hash'>,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    const reasons = cause instanceof DocsError ? reasonsOf(cause) : [];
    if (session.gate === undefined || reasons.length === 0) throw cause;
    const { recordRefusal } = await import('../../policy/audit/append.js');
    const { id, hash } = plan;
    await recordRefusal(session.io, { actor: actorIn(session), command, plan: id, hash, reasons });
    throw cause;
  }
}

function reasonsOf({ code, message, failure: { details } }: DocsError): { code: string; message: string }[] {
  const all: unknown = details?.reasons;
  const told = Array.isArray(all) ? all.filter(isObject) : [];
  const reasons = told.map((one) => ({ code: String(one.code), message: String(one.message) }));
  if (reasons.length > 0 && code !== 'guarded') return reasons;
  return recorded.has(code) ? [{ code, message }] : [];
}
