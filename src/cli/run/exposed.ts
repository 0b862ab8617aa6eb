import type { Client } from '../../api/client.js';
import { DocsError } from '../../base/errors.js';
import type { Change } from '../../jobs/change.js';
import { exposuresOf } from '../../jobs/exposure.js';
import { readsOf } from '../../jobs/reads.js';
import type { State } from '../../jobs/state.js';
import { ruleOf } from '../../jobs/undo-rules.js';
import { counted, safeLine } from '../../output/text.js';
import type { Session } from '../declare/session.js';
import { warnReader } from './output.js';

/** What changes widen: told in dry runs, asked about on a terminal, and warned of elsewhere. */

/** Beyond this number, changes are not read first, and sentences are counted instead of shown. */
const most = 20;

/**
 * What changes expose, as sentences. Where somebody reads them before anything is sent, a field that is as wide
 * already exposes nothing.
 */
export async function exposedBy(
  session: Session,
  client: () => Promise<Client>,
  calls: readonly Change[],
): Promise<string[]> {
  const exposing = calls.filter((call) => exposuresOf({ ...call, name: call.id }).length > 0);
  const { globals, interactive } = session;
  const isRead = globals.dryRun === true || (interactive && globals.yes !== true);
  const reads = isRead && exposing.length <= most;
  const states = reads ? await Promise.all(exposing.map((call) => stateOf(client, call))) : [];
  const all = exposing.flatMap((call, at) =>
    exposuresOf({ ...call, name: call.id, before: states[at] ?? undefined }).map(safeLine),
  );
  const left = all.length - most;
  return left <= 0 ? all : [...all.slice(0, most), `${counted(left, 'further change')} of this kind.`];
}

/** undefined where it cannot be read: the change itself will tell. */
async function stateOf(client: () => Promise<Client>, { op, input }: Change): Promise<State | undefined> {
  try {
    return await ruleOf(op).read?.(readsOf(await client()), input);
  } catch (cause) {
    const ends = !(cause instanceof DocsError) || ['interrupted', 'terminated'].includes(cause.kind);
    if (ends) throw cause;
    return undefined;
  }
}

/** Tells it before a question, and where a person reads what is sent without one. */
export function tellExposed(session: Session, exposed: readonly string[]): void {
  const { interactive, globals, printer } = session;
  if (!interactive || globals.yes) warnReader(session, exposed);
  else if (exposed.length > 0) printer.warn(exposed.join('\n'));
}
