import { tokenOwnerId } from '../../access/guards.js';
import { DocsError, usageError } from '../../base/errors.js';
import { isObject } from '../../base/values.js';
import { type Inbox, type Reason, readInbox, type Waiting } from '../../change-requests/inbox.js';
import {
  type Reading,
  type Report,
  type ReportRequest,
  type Session,
  unreadEnding,
} from '../../cli/run/run-report.js';
import { inboxReasons } from '../../output/printed-shapes.js';
import { counted } from '../../output/text.js';
import { limitOf } from './list.js';

/** `docs change-requests inbox`: what waits for a member, over all spaces that they can access. */

/** `docs change-requests inbox`. Partial `not_all_read` (exit 3); usage. */
export const inboxReport: Report<Inbox> = {
  one: 'change request',
  read: readAsked,
  rows: ({ waiting }, { input }) => ({ items: waiting.map(rowOf), limit: limitOf(input) }),
  end({ waiting, spaces, unread }, { input: { options } }) {
    const sum = `found ${counted(waiting.length, 'change request')} in ${counted(spaces, 'space')}`;
    const ending = unreadEnding(unread, sum, 'docs change-requests inbox');
    if (ending !== undefined || waiting.length > 0) return ending;
    const asked = reasonsOf(options.reason);
    const who = options.as === undefined ? 'you' : 'them';
    const which = asked.length === 1 ? 'this reason' : 'these reasons';
    const why = asked.length === inboxReasons.length ? '' : ` for ${which}`;
    return { note: `All done: nothing waits for ${who}${why} in ${counted(spaces, 'space')}.` };
  },
};

function reasonsOf(typed: unknown): readonly Reason[] {
  const some = [typed].flat();
  return typed === undefined ? inboxReasons : inboxReasons.filter((reason) => some.includes(reason));
}

async function readAsked({ session, input, rawReading, progress }: ReportRequest): Promise<Inbox> {
  const { as, reason } = input.options;
  return progress('Reading change requests', async (shown) => {
    const reading = await rawReading();
    const isOwner = typeof as !== 'string';
    const me = isOwner ? await whoAmI(session, reading) : as;
    return readInbox(reading, {
      ...{ me, isOwner, reasons: reasonsOf(reason) },
      onRead: (lists) => shown.count(lists),
    });
  });
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
    author: authorRow(request.createdBy),
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

function authorRow(user: unknown): Record<string, string> | null {
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
async function whoAmI(session: Session, reading: Reading): Promise<string> {
  const owner = await tokenOwnerId(session, reading).catch((cause: unknown) => {
    const refused = ['forbidden', 'not-found', 'bad-response'];
    const isRefused = cause instanceof DocsError && refused.includes(cause.kind);
    if (reading.signal.aborted || !isRefused) throw cause;
    return { id: undefined, why: cause.message.replace(/\.$/, '') };
  });
  if (owner.id !== undefined) return owner.id;
  throw unknown(owner.why ?? 'a dry run sends no ping, which would show it');
}

function unknown(why: string): DocsError {
  const message = `cannot tell which member this token belongs to: ${why}. Name the member with --as.`;
  return usageError('unknown_member', message, { hint: 'docs members list' });
}
