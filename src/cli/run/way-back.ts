import type { Client } from '../../api/client.js';
import { ruleOf } from '../../jobs/undo-rules.js';
import { shellWord } from '../../settings/shell-word.js';
import type { Session } from '../declare/session.js';
import type { PlannedCall } from './assemble.js';

/** What was deleted and can be restored for a while: the command that does it, and until when. */

/**
 * Says on stderr how to bring back what was deleted.
 * @param job its job, where it was one of many
 */
export function noteWayBack(
  { io, printer }: Session,
  client: Client,
  calls: readonly PlannedCall[],
  job: string | undefined,
): void {
  const [first] = calls;
  const withinMs = first && ruleOf(first.op).withinMs;
  if (first === undefined || withinMs === undefined) return;
  const until = moment((client.platformNowMs ?? io.now()) + withinMs);
  const one = `docs spaces restore ${shellWord(first.id, io.platform)}`;
  const command = calls.length === 1 || job === undefined ? one : `docs undo ${job}`;
  const it = calls.length === 1 ? 'it' : 'them';
  if (calls.length === 1 || job !== undefined) printer.note(`${command} brings ${it} back until ${until}.`);
}

/** A moment to the minute: `2025-06-22 12:00 UTC`. */
export function moment(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
