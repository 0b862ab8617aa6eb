import type { Client } from '../../api/client.js';
import { ruleOf } from '../../jobs/undo-rules.js';
import { shellWord } from '../../settings/shell-word.js';
import type { Session } from '../declare/session.js';
import type { PlannedCall } from './assemble.js';

/**
 * Notes the command that restores what was deleted, and until when it can.
 * @param job the job of many deletions
 */
export function noteRestore(
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
  if (calls.length === 1) printer.note(`${one} brings it back until ${until}.`);
  else if (job !== undefined) printer.note(`docs undo ${job} brings them back until ${until}.`);
}

/** To the minute: `2025-06-22 12:00 UTC`. */
export function moment(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
