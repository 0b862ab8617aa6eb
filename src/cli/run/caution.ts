import type { Client } from '../../api/client.js';
import type { SentRequest } from '../../api/resources/index.js';
import { DocsError } from '../../base/errors.js';
import { isRefusal } from '../../jobs/request.js';
import { rememberingClient } from '../../snapshot/organization.js';
import type { Command } from '../declare/command.js';
import type { Caution, Changes, Guard } from '../declare/guard.js';
import type { Session } from '../declare/session.js';
import type { PlannedCall } from './assemble.js';
import { exposedBy } from './exposed.js';
import { warnOfImpact } from './foretell.js';
import { preview } from './preview.js';

/**
 * Asks the guard of a command about the changes to come, in a run and in a dry run. Changes of members have one guard,
 * whatever sends them: a command, rows, a plan, an undo, `docs api`.
 */

const nothing: Caution = { risks: [], needsYes: false };

/** By id: to load their declarations here would slow down other changes. */
const memberChanges: readonly string[] = ['members.update', 'members.delete'];

/** The guard of a command, else that of the operations that are called. */
async function guardOf(command: Command | undefined, calls: Changes['calls']): Promise<Guard | undefined> {
  const own = await command?.spec?.guard?.();
  if (own !== undefined || !calls.some(({ op }) => memberChanges.includes(op.id))) return own;
  return (await import('./member-guard.js')).guardMembers;
}

/**
 * What the guard of a command sees; undefined: no command made these changes. Where the platform refuses what it reads, nothing: the change is sent, and
 * its own answer decides, unless a flag asks for what could not be read.
 * @throws DocsError why the changes are refused; as `Client.call`: nothing was sent
 */
export async function cautionOf(
  session: Session,
  client: () => Promise<Client>,
  command: Command | undefined,
  calls: Changes['calls'],
): Promise<Caution> {
  const guard = await guardOf(command, calls);
  if (guard === undefined || calls.length === 0) return nothing;
  try {
    return await guard({ session, client: await client(), calls });
  } catch (cause) {
    if (!(cause instanceof DocsError)) throw cause;
    const { kind, code, message, failure } = cause;
    if ((isRefusal(cause) || kind === 'not-found') && !hasFlags(calls)) return nothing;
    throw new DocsError(kind, code, message, { ...failure, outcome: 'not-sent' });
  }
}

/** The same for a request as it goes out: of `docs api`. */
export async function cautionOfRequest(session: Session, request: SentRequest): Promise<Caution> {
  const { operationAt } = await import('../../api/resources/index.js');
  const known = operationAt(request);
  const client = () => session.client({ timeoutPerRequest: true });
  return known === undefined ? nothing : cautionOf(session, client, undefined, [known]);
}

function hasFlags(calls: Changes['calls']): boolean {
  return calls.some(({ flags }) => flags !== undefined);
}

/** Whether the guard of a command is asked again, right before its changes are sent. */
export function looksAgain({ spec }: Command): boolean {
  return spec?.guard !== undefined && spec.guardFlags !== undefined;
}

/** `--dry-run`: prints the requests; then what the guard sees, and what they would break elsewhere. @throws DocsError why they are refused */
export async function previewGuarded(
  session: Session,
  client: () => Promise<Client>,
  command: Command,
  calls: readonly PlannedCall[],
  many: boolean,
): Promise<void> {
  // What undo can do and what the guard sees may rest on the same list. A real run reads it anew: the guard
  // finds the owner of the token by how the list differs before and after a ping.
  let reading: Promise<Client> | undefined;
  const remembering = (): Promise<Client> => {
    reading ??= client().then(rememberingClient);
    return reading;
  };
  await preview({ ...session, client: remembering }, calls, many);
  try {
    const { risks, exposes } = await cautionOf(session, remembering, command, calls);
    const exposed = exposes ? [] : await exposedBy(session, remembering, calls);
    if (risks.length + exposed.length > 0) session.printer.warn([...risks, ...exposed].join('\n'));
  } catch (cause) {
    const decided =
      !(cause instanceof DocsError) ||
      ['usage', 'interrupted', 'terminated'].includes(cause.kind) ||
      hasFlags(calls);
    if (decided) throw cause;
    session.printer.warn(`Could not check whether this would be refused: ${cause.message}`);
  }
  await warnOfImpact(session, remembering, calls);
}
