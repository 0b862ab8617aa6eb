import { counted } from '../../output/text.js';
import { roleChangeOfRow } from '../what-if/row.js';
import { openWhatIf } from '../what-if/what-if.js';
import type { Findings } from './findings.js';

/**
 * What people may lose with deleted teams, as `docs access what-if --delete-team` answers it: none of these losses
 * is certain, since no operation tells to whom a grant was given, but the roles of all members bound them.
 */
export async function tellTeamLosses(found: Findings, teamIds: readonly string[]): Promise<void> {
  const none = { roles: new Map(), levels: new Map(), left: new Map() };
  const asked = await openWhatIf(found.reading, { ...none, deleted: new Set(teamIds) });
  for await (const rows of asked.rows())
    for (const row of rows) {
      const change = roleChangeOfRow(row);
      if (change === undefined) found.unknownRole(personOf(row.person), row.space);
      else found.people.push(change);
    }
  const { unread, failures } = asked.tally;
  found.unknown.push(...unread);
  const more = failures - unread.length;
  if (more === 0) return;
  const what = { kind: 'more-lists', id: found.reading.organizationId };
  found.cannotTell(what, 'not_all_read', `${counted(more, 'more list')} could not be read.`);
}

function personOf({ id, email }: { id: string; email: string | null }): { id: string; email?: string } {
  return { id, ...(email !== null && { email }) };
}
