import type { Command, ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { gatedCommand } from './gated.js';
import { keepsJournal } from './session-job.js';

/**
 * Holds a command against the policies, before anything is read from the platform.
 * @param words those after `docs`
 * @throws DocsError forbidden `policy_denied`; configuration `journal_required`
 */
export async function passGate(
  session: Session,
  words: string,
  command: Command,
  input: ManualInput,
): Promise<void> {
  const gated = gatedCommand(words, command, { ...session, input });
  // What tells why something is denied is never denied itself; its requests are.
  if (command.repairs === true && (gated.effect === 'read' || session.gate?.policies.length === 0)) return;
  await session.gate?.command(gated);
  const sends = gated.effect === 'write' || gated.effect === 'delete';
  if (sends && gated.changes && !gated.carrier) keepsJournal(session);
}
