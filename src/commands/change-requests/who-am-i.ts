import { findTokenOwner } from '../../access/read/token-owner.js';
import { DocsError, usageError } from '../../base/errors.js';
import type { Session } from '../../cli/declare/session.js';
import type { Reading } from '../../reading/reading.js';
import { findCredential } from '../../settings/credentials.js';

/**
 * The id of the member whose token it is: as sign-in found it, else as a ping shows it, which a dry run does not send.
 * @throws DocsError usage `unknown_member`
 */
export async function whoAmI({ io, settings, globals }: Session, reading: Reading): Promise<string> {
  const stored = (await findCredential(io, settings))?.member;
  if (stored !== undefined) return stored.id;
  if (globals.dryRun === true) throw unknown('a dry run sends no ping, which would show it');
  const owner = await pinged(reading);
  if (typeof owner === 'string') throw unknown(owner);
  return owner.id;
}

/** @returns why it cannot be told, where that is so */
async function pinged({ client, organizationId, signal }: Reading): Promise<{ id: string } | string> {
  try {
    const owner = await findTokenOwner(client, organizationId);
    return owner.is === 'known' ? owner.member : owner.why;
  } catch (cause) {
    const refused = ['forbidden', 'not-found', 'bad-response'];
    if (signal.aborted || !(cause instanceof DocsError) || !refused.includes(cause.kind)) throw cause;
    return cause.message.replace(/\.$/, '');
  }
}

function unknown(why: string): DocsError {
  const message = `Cannot tell which member this token belongs to: ${why}. Name the member with --as.`;
  return usageError('unknown_member', message, { hint: 'docs members list' });
}
