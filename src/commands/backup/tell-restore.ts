import type { Session } from '../../cli/declare/session.js';
import { printUnsent } from '../../cli/run/job-results.js';
import { leftError } from '../../cli/run/left-over.js';
import { counted } from '../../output/counted.js';
import type { Plan, PlanNote } from '../../plans/plan.js';
import type { Restore } from '../../restore/plan-restore.js';

/** A restore that has nothing to send: what differs all the same, and what it never brings back. */
export async function nothingToSend(session: Session, plan: Plan, found: Restore): Promise<void> {
  const { printer } = session;
  const isSame = found.differing.length === 0;
  await printUnsent(session, plan, isSame ? 'Nothing to restore.' : 'Nothing more can be restored.');
  for (const { code, item, message, hint = '' } of plan.notes ?? [])
    if (code !== 'not-restored') printer.note(`${item}: ${message} ${hint}`.trimEnd());
  noteDifferences(session, found);
  const differing = new Set(found.differing.map(({ item }) => item));
  const lacks = (plan.notes ?? []).filter(
    ({ code, item }) => code === 'not-restored' && !differing.has(item),
  );
  if (lacks.length > 0) printer.note(`Not restored: ${lacks.map(nameOf).join(', ')}. --dry-run says why.`);
  const left = leftError(session, plan, 0);
  if (left !== undefined) throw left;
}

/** What differs from the backup and no restore changes, access above all. */
export function noteDifferences({ printer }: Session, { differing, access }: Restore): void {
  if (differing.length > 0) printer.note('Still different from the backup:');
  for (const note of differing) printer.note(`  ${nameOf(note)}: ${note.message}`);
  if (access?.state === 'unknown') printer.note(`Access was not compared: ${access.why}.`);
  if (access?.state !== 'compared' || access.changes > 0) return;
  const compared = `${counted(access.members, 'member')} in ${counted(access.spaces, 'space')}`;
  const unread = access.unread === 0 ? '' : `; that of ${counted(access.unread, 'member')} could not be read`;
  printer.note(`Access is as in the backup: ${compared}${unread}.`);
}

function nameOf({ item, count }: Pick<PlanNote, 'item' | 'count'>): string {
  return count === undefined ? item : `${item} (${count})`;
}
