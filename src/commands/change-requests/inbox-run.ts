import { findTokenOwner } from '../../access/guards.js';
import { DocsError, usageError } from '../../base/errors.js';
import { defined, isObject } from '../../base/values.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { wholeNumber } from '../../cli/parse/values.js';
import { readingOf } from '../../cli/run/reading-of.js';
import { counted } from '../../output/counted.js';
import type { View } from '../../output/printer.js';
import { startProgress } from '../../output/progress.js';
import { findCredential } from '../../settings/credentials.js';
import type { Reading } from '../../snapshot/unread.js';
import { type Inbox, readInbox, type Waiting } from '../../workflows/inbox/read.js';
import { type Reason, reasons } from '../../workflows/inbox/reasons.js';
import { refuseUnread } from './not-read.js';

/** `docs change-requests inbox`. @throws DocsError usage; partial `not_all_read` (exit 3); as `readInbox` */
export async function printInbox(
  session: Session,
  { options, ...input }: ManualInput,
  view: View,
): Promise<void> {
  const { printer } = session;
  const limit = options.limit === undefined ? undefined : wholeNumber('--limit', options.limit);
  const asked = reasonsOf(options.reason);
  await printer.check(view);
  const found = await read(session, { ...input, options }, asked);
  const { waiting, spaces, unread } = found;
  await printer.list(waiting.map(rowOf), view, defined({ limit }));
  const sum = `Found ${counted(waiting.length, 'change request')} in ${counted(spaces, 'space')}.`;
  refuseUnread(session, unread, sum, 'docs change-requests inbox');
  if (waiting.length > 0) return;
  const who = options.as === undefined ? 'you' : 'them';
  const why =
    asked.length === reasons.length ? '' : ` for ${asked.length === 1 ? 'this reason' : 'these reasons'}`;
  printer.note(`All done: nothing waits for ${who}${why} in ${counted(spaces, 'space')}.`);
}

function reasonsOf(typed: unknown): readonly Reason[] {
  const some = [typed].flat();
  return typed === undefined ? reasons : reasons.filter((reason) => some.includes(reason));
}

async function read(session: Session, input: ManualInput, asked: readonly Reason[]): Promise<Inbox> {
  const { io, globals } = session;
  const progress = startProgress(io, { text: 'Reading change requests', quiet: globals.quiet ?? false });
  try {
    const reading = await readingOf(session, input);
    const as = input.options.as;
    const isNamed = typeof as === 'string';
    const me = isNamed ? as : await whoAmI(session, reading);
    return await readInbox(reading, {
      ...{ me, isOwner: !isNamed, reasons: asked },
      onRead: (lists) => progress.count(lists),
    });
  } finally {
    progress.stop();
  }
}

/** What the platform left out is null, and what it gave in another type as well. */
function rowOf({ request, reasons: why, unanswered }: Waiting): Record<string, unknown> {
  const { id, number, subject, status, space, comments, outdated, updatedAt, urls } = request;
  return {
    id,
    number: numberOf(number),
    subject: typeof subject === 'string' ? subject : '',
    status,
    space,
    author: authorOf(request.createdBy),
    reasons: why,
    unanswered,
    comments: numberOf(comments),
    outdated: typeof outdated === 'boolean' ? outdated : null,
    updatedAt: typeof updatedAt === 'string' ? updatedAt : null,
    urls: typeof urls?.app === 'string' ? { app: urls.app } : {},
  };
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function authorOf(user: unknown): Record<string, string> | null {
  if (!isObject(user) || typeof user.id !== 'string') return null;
  const { displayName, email } = user;
  return {
    id: user.id,
    ...(typeof displayName === 'string' && { displayName }),
    ...(typeof email === 'string' && { email }),
  };
}

/**
 * The id of the member whose token it is: as sign-in found it, else as a ping shows it, which a dry run does not send.
 * @throws DocsError usage `unknown_member`
 */
async function whoAmI({ io, settings, globals }: Session, reading: Reading): Promise<string> {
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
