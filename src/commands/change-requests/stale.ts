import { findTokenOwner } from '../../access/guards.js';
import { lookUp, wrongNames } from '../../access/names.js';
import type { Client } from '../../api/client.js';
import { updateChangeRequest } from '../../api/resources/change-requests.js';
import {
  type Comment,
  createChangeRequestComment,
  listChangeRequestComments,
} from '../../api/resources/comments.js';
import { DocsError, usageError } from '../../base/errors.js';
import { takeWork } from '../../base/lock.js';
import { defined } from '../../base/values.js';
import {
  type Entry,
  Exempt,
  entriesIn,
  findStale,
  type Stale,
  type StaleRequest,
  type StaleSearch,
} from '../../change-requests/find-stale.js';
import {
  checkMessage,
  markedState,
  markerOf,
  namedRevision,
  type StaleAction,
  type StaleRow,
  usualSpans,
  warningText,
} from '../../change-requests/stale.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import { readLongText } from '../../cli/parse/typed-text.js';
import { beginChange } from '../../cli/run/carry-out.js';
import { noteSaid, refuse } from '../../cli/run/output.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import { type Report, type ReportRequest, runReport, type Session } from '../../cli/run/run-report.js';
import { type Own, plainOwn } from '../../cli/run/shards.js';
import { type Change, requestFor } from '../../jobs/change.js';
import { JobFolder } from '../../jobs/job-folder.js';
import { basisOfRequest, discussionQuery } from '../../jobs/rules/discussions.js';
import { readAll } from '../../jobs/sequence.js';
import { showProgress } from '../../output/progress.js';
import { counted } from '../../output/text.js';
import type { Draft, PlanNote } from '../../plans/plan.js';
import { findCredential } from '../../settings/credentials.js';
import { parseSpan } from '../../settings/duration.js';
import { parseShard, partName, type Shard, shardWords } from '../../shards/shard.js';
import {
  notAllRead,
  notReadLines,
  type Reading,
  type Unread,
  unreadFacts,
  unreadOf,
  unreadWords,
} from '../../snapshot/unread.js';
import { propose } from '../shared/propose.js';

/** `docs change-requests stale`: warnings and archivings as one job, or a list of them. */

const command = 'change-requests stale';

/**
 * @throws DocsError usage `bad_span`, `bad_exempt`, `bad_message`, `owner_unknown`; partial `unread` (exit 3) where
 *   something could not be read; as `inTurn`, `readBack`, `propose`
 */
export async function staleRequests(session: Session, input: ManualInput, around: Around): Promise<void> {
  const { options } = input;
  if (options.list === true) return listStale(session, input, around);
  if (options.sortBy !== undefined)
    throw usageError('contradiction', '--sort-by is for --list; without it nothing is listed.');
  await beginChange(session, { results: { plan: true } });
  const flag = ['merge', 'parts'].find((name) => options[name] !== undefined);
  if (flag !== undefined)
    throw usageError('contradiction', `--${flag} requires --list: what a part changes is a job of its own.`);
  const shard = parseShard(options.shard);
  if (shard !== undefined) session.printer.note(`This is ${shardWords(shard)} of the spaces.`);
  const message = await messageOf(session, options.message);
  const exempt = await entriesOf(session, textsOf(options.exempt));
  const asked = await askedOf({ ...plainOwn(session, input), shard }, exempt);
  await inTurn(session, { organization: asked.reading.organizationId, shard }, async () => {
    const found = await search(session, asked);
    tellUnread(session, found);
    await proposeFor(session, { input, groups: around.groups }, { found, message, reading: asked.reading });
    refuseUnread(session, found);
  });
}

type Around = Pick<ReportRequest, 'groups' | 'view' | 'runLine'>;

/** `--list`: of all, of one part, or of the parts of others. */
async function listStale(session: Session, input: ManualInput, around: Around): Promise<void> {
  if (session.savePlan !== undefined)
    throw usageError('contradiction', '--list and --save-plan contradict each other: a list plans nothing.');
  // The list of those left alone may be in a file of another machine.
  const entries = await entriesOf(session, textsOf(input.options.exempt));
  const exempt = entries.length === 0 ? undefined : entries;
  await runReport(staleList, {
    session,
    input: { ...input, options: { ...input.options, exempt } },
    ...around,
  });
}

const staleList: Report<StaleSearch> = {
  split({ options: { olderThan, warn, archive, drafts, space, exempt, exemptAuthor, as } }) {
    return { command, flags: { olderThan, warn, archive, drafts, space, exempt, exemptAuthor, as } };
  },
  async read(own) {
    const kept = (own.input.options.exempt as Entry[] | undefined) ?? [];
    const found = await search(own.session, await askedOf(own, kept));
    tellUnread(own.session, found);
    return found;
  },
  rows: ({ stale, nowMs }) => stale.map((one) => rowOf(one, nowMs)),
  end({ stale, unmatched, read, ...found }, { session }) {
    for (const { text, place = '--exempt' } of unmatched)
      session.printer.warn(`${text} matches none of the change requests that were read (${place}).`);
    const are = stale.length === 1 ? 'is' : 'are';
    session.printer.note(
      `${counted(stale.length, 'change request')} of ${read} read ${are} stale or warned.`,
    );
    refuseUnread(session, found);
    return undefined;
  },
};

async function proposeFor(
  session: Session,
  { input, groups }: { input: ManualInput; groups: readonly GroupEntry[] },
  { found, message, reading }: { found: StaleSearch; message: string | undefined; reading: Reading },
): Promise<void> {
  const drafts = draftsFor(found, message);
  const { organizationId: organization } = reading;
  const proposal = { command, drafts, organization, notes: notesOf(found), nothing: nothingWords(found) };
  try {
    if (!(await propose(session, input, groups, proposal))) return;
  } catch (cause) {
    // All that could be sent was sent; what is left is a finding.
    const applied =
      cause instanceof DocsError && cause.code === 'left_over' && cause.failure.details?.applied;
    if (applied) await readBack(session, reading, found);
    throw cause;
  }
  await readBack(session, reading, found);
}

function search(session: Session, asked: StaleRequest): Promise<StaleSearch> {
  return showProgress(session, 'Reading change requests', () => findStale(asked));
}

/** What was typed, checked before anything is read. */
async function askedOf(own: Own, entries: readonly Entry[]): Promise<StaleRequest> {
  const { session, input, shard } = own;
  const { options } = input;
  const olderThanMs = spanOf('--older-than', options.olderThan ?? usualSpans.olderThan);
  const warnMs = spanOf('--warn', options.warn ?? usualSpans.warn);
  const exempt = new Exempt(entries, textsOf(options.exemptAuthor));
  const reading = await checkedReadingOf(session, input);
  const warner = await namedWarner(session, reading, options.as);
  return {
    ...{ reading, exempt, olderThanMs, warnMs, shard },
    spaces: textsOf(options.space),
    statuses: options.drafts === true ? ['open', 'draft'] : ['open'],
    archive: options.archive === true,
    warner: async (authors) => warner ?? (await ownerIn(own, reading.organizationId, authors)),
    nowMs: session.io.now,
  };
}

function textsOf(value: unknown): string[] {
  return [value ?? []].flat().map(String);
}

/** @throws DocsError usage `bad_span` */
function spanOf(flag: string, typed: unknown): number {
  const ms = parseSpan(String(typed));
  if (ms !== undefined && ms > 0) return ms;
  const message = `invalid ${flag} ${JSON.stringify(typed)}; expected a span such as 60d, 2w or 36h`;
  throw usageError('bad_span', message, { hint: `docs ${command} --help` });
}

/** @throws DocsError as `readLongText`, `checkMessage` */
async function messageOf(session: Session, typed: unknown): Promise<string | undefined> {
  if (typeof typed !== 'string') return undefined;
  const text = await readLongText(session, typed, '--message');
  checkMessage(text);
  return text;
}

async function entriesOf(session: Session, typed: readonly string[]): Promise<Entry[]> {
  const lists = typed.map(async (word): Promise<Entry[]> => {
    if (word !== '-' && !word.startsWith('@')) return [{ text: word.trim() }];
    const name = word === '-' ? 'standard input' : word.slice(1);
    return entriesIn(await readLongText(session, word, '--exempt'), name);
  });
  return (await Promise.all(lists)).flat();
}

/** The member of `--as`. @throws DocsError usage, not-found, as `refuse` */
async function namedWarner(session: Session, reading: Reading, typed: unknown): Promise<string | undefined> {
  if (typeof typed !== 'string') return undefined;
  const looked = await lookUp(reading, [{ text: typed }]);
  refuse(session, wrongNames(looked));
  return looked[0]?.member?.id;
}

/** The owner of the token; at a merge, of the tokens that read the parts. @throws DocsError as `ownerOf`; usage `other_parts` */
async function ownerIn(own: Own, organizationId: string, authors: readonly string[]): Promise<string> {
  const [known, ...others] = own.facts('owner');
  if (others.length > 0) {
    const message =
      'the parts were read with the tokens of several members, so nothing shows whose warnings count';
    throw usageError('other_parts', message, { hint: `docs ${command} --as <user>` });
  }
  const owner = known ?? (await ownerOf(own.session, await own.direct(), organizationId, authors));
  own.note('owner', owner);
  return owner;
}

/**
 * Whose warnings count: only those of the member whom the token belongs to, so that nobody else can write one.
 * @param authors of what looks like a warning
 * @throws DocsError usage `owner_unknown`
 */
async function ownerOf(
  session: Session,
  client: Client,
  organizationId: string,
  authors: readonly string[],
): Promise<string> {
  const credential = await findCredential(session.io, session.settings);
  if (credential?.member !== undefined) return credential.member.id;
  // A ping changes when the member was last seen, so dry runs and saved plans send none.
  const pings = !session.globals.dryRun && session.savePlan === undefined;
  const owner = pings ? await findTokenOwner(client, organizationId) : undefined;
  if (owner?.is === 'known') return owner.member.id;
  const why = owner?.why ?? 'a ping would tell, and a dry run or a saved plan sends none';
  const message = `The owner of the token is unknown, so nothing shows whose warnings count: ${why}. Nothing was changed.`;
  const hint = atPlace(`docs ${command} --as <user>`, session.globals, session.io.platform);
  throw usageError('owner_unknown', message, { hint, details: { authors } });
}

function nothingWords({ stale, read, unread }: StaleSearch): string {
  const rest = unread.length > 0 ? ' among those that could be read' : '';
  if (stale.length === 0) return `No stale change requests${rest}; ${counted(read, 'change request')} read.`;
  return `Nothing to warn about and nothing to archive${rest}.`;
}

function tellUnread({ printer }: Session, { unread }: Pick<StaleSearch, 'unread'>): void {
  for (const line of notReadLines(unread)) printer.warn(line);
}

/** @throws DocsError partial `unread` */
function refuseUnread(session: Session, { unread }: Pick<StaleSearch, 'unread'>): void {
  if (unread.length === 0) return;
  const what = counted(unread.length, 'space or discussion', 'spaces or discussions');
  const message = `${what} could not be read, so stale change requests may be missing.`;
  const hint = atPlace(`docs ${command} --list`, session.globals, session.io.platform);
  const details = { unread: unread.map(unreadFacts) };
  throw notAllRead(message, { code: 'unread', retryable: true, details, hint });
}

/**
 * Runs work while no other process of this machine does the same in the organization: two that read at the same time
 * would both find no comment, and each would post one.
 * @param shard its part of the spaces, which no other part touches
 * @throws DocsError local-io `stale_running`, `journal_unwritable`; whatever `work` throws
 */
async function inTurn<T>(
  { io, globals, savePlan }: Session,
  { organization, shard }: { organization: string; shard: Shard | undefined },
  work: () => Promise<T>,
): Promise<T> {
  if (globals.dryRun === true || savePlan !== undefined) return work();
  const folder = new JobFolder(io);
  folder.make();
  const part = shard === undefined ? '' : `-${partName(shard)}`;
  const turn = takeWork(folder.path, `stale-${organization.replace(/[^\w-]/g, '_')}${part}`, (other) => ({
    code: 'stale_running',
    message: `Another docs change-requests stale is running (${other}); nothing was sent.`,
    hint: 'docs jobs list',
  }));
  return work().finally(() => turn.release());
}

/** Named in a sentence; `--json` has all. */
const mostNamed = 5;

/** @throws DocsError partial `marker_lost`, `not_the_warner`, `not_read_back` (exit 3) */
async function readBack(session: Session, reading: Reading, { stale, warner }: StaleSearch): Promise<void> {
  const warned = stale.filter(({ action }) => action === 'warn');
  if (warned.length === 0) return;
  const found = await showProgress(session, 'Reading the comments again', () =>
    readWarnings(reading, warned, warner),
  );
  tellUnread(session, found);
  const failure = failureOf(session, found, warned.length);
  if (failure !== undefined) throw failure;
  const [what, keeps] =
    warned.length === 1 ? ['the comment', 'carries'] : [`all ${warned.length} comments`, 'carry'];
  await noteSaid(session, `Read again: ${what} ${keeps} the marker.`);
}

function failureOf(
  session: Session,
  { lost, foreign, unread }: ReadBack,
  total: number,
): DocsError | undefined {
  const place = (command: string) => atPlace(command, session.globals, session.io.platform);
  const of = counted(total, 'comment');
  const details = { lost: lost.map(idOf), foreign: foreign.map(idOf), unread: unread.map(unreadFacts) };
  const partial = (code: string, message: string, hint: string) =>
    new DocsError('partial', code, message, { hint: place(hint), retryable: false, details });
  if (lost.length > 0) {
    const message = `${lost.length} of ${of} posted lost the marker by which later runs recognize a warning: ${names(lost)}. Nothing will be archived there; undo deletes the comments.`;
    return partial('marker_lost', message, 'docs undo last');
  }
  if (foreign.length > 0) {
    const message = `${foreign.length} of ${of} posted will not count as warnings, because --as names another member than the owner of the token: ${names(foreign)}. Undo deletes the comments.`;
    return partial('not_the_warner', message, 'docs undo last');
  }
  if (unread.length === 0) return undefined;
  const message = `${unread.length} of ${of} posted could not be read again, so it is unknown whether later runs recognize them.`;
  return partial('not_read_back', message, 'docs change-requests stale --list');
}

function names(some: readonly Stale[]): string {
  const more = some.length > mostNamed ? [`${some.length - mostNamed} more`] : [];
  return [...some.slice(0, mostNamed).map(nameOf), ...more].join(', ');
}

function idOf({ request }: Stale): string {
  return request.id;
}

/** Warnings first, then what is archived. Each rests on nothing having happened since it was read. */
function draftsFor({ stale, nowMs }: StaleSearch, message: string | undefined): Draft[] {
  const of = (action: Stale['action']) => stale.filter((one) => one.action === action);
  return [
    ...of('warn').map((one) => warning(one, nowMs, message)),
    ...of('archive').map((one) => archiving(one)),
    ...of('damaged').map((one) => damaged(one)),
  ];
}

/** What a person must settle: a second comment would be damaged, too. */
function damaged(one: Stale): Draft {
  const { request, why, comment = '' } = one;
  const { id, space } = request;
  return {
    kind: 'change-requests',
    key: nameOf(one),
    action: 'finding',
    finding: {
      code: 'marker_damaged',
      message: `${sentenceOf(why)} No second comment is posted while that one is there and unresolved.`,
      hint: `docs comments delete ${comment} --space ${space.id} --change-request ${id}`,
    },
  };
}

function sentenceOf(why: string): string {
  return `${why.charAt(0).toUpperCase()}${why.slice(1)}.`;
}

function warning(one: Stale, nowMs: number, message: string | undefined): Draft {
  const { request, lastMs, archiveAfter = '' } = one;
  const markdown = warningText({ request, nowMs, lastMs, archiveAfter }, message);
  const planned = requestFor(createChangeRequestComment, pathOf(one), { body: { markdown } });
  const warned = { ...planned, id: request.id };
  return { ...resting(one, warned), action: 'create', fields: { warning: { after: markdown } } };
}

function archiving(one: Stale): Draft {
  return resting(one, requestFor(updateChangeRequest, pathOf(one), { status: 'archived' }));
}

function resting(one: Stale, request: Change): Draft {
  const expect = basisOfRequest(one.request, one.discussion);
  return { key: nameOf(one), change: { ...request, expect } };
}

function pathOf({ request: { id, space } }: Stale): Record<string, string> {
  return { spaceId: space.id, changeRequestId: id };
}

/** `Handbook/12`, as `--exempt` takes it. */
function nameOf({ request: { space, number } }: Pick<Stale, 'request'>): string {
  return `${space.title}/${number}`;
}

/** Of these there are drafts. */
const planned: readonly StaleAction[] = ['warn', 'archive', 'damaged'];

/** What nothing is sent for. */
function notesOf({ stale, unread, unmatched }: StaleSearch): PlanNote[] {
  const about = ({ archiveAfter, ...one }: Stale): PlanNote => {
    const { action, why } = one;
    const tail = action === 'warned' && archiveAfter ? `; it can be archived after ${archiveAfter}` : '';
    const hint = action === 'due' ? 'To archive it, add --archive.' : undefined;
    const message = sentenceOf(`${why}${tail}`);
    return { code: action, item: nameOf(one), message, ...defined({ hint }) };
  };
  return [
    ...stale.filter(({ action }) => !planned.includes(action)).map(about),
    ...unmatched.map(({ text, place = '--exempt' }) => ({
      code: 'unmatched',
      item: text,
      message: `Matches none of the change requests that were read (${place}).`,
    })),
    ...unread.map((one) => ({ code: 'unread', item: one.title ?? one.id, message: unreadWords(one) })),
  ];
}

function rowOf(one: Stale, nowMs: number): StaleRow {
  const { request, action, why, lastMs, archiveAfter } = one;
  const { id, number, subject, createdBy, updatedAt, space, urls } = request;
  const author = createdBy && {
    id: createdBy.id,
    displayName: createdBy.displayName,
    ...defined({ email: createdBy.email }),
  };
  const age = Math.max(0, Math.floor((nowMs - lastMs) / 86_400_000));
  return {
    ...{ space, number, id, subject },
    ...defined({ author }),
    ...{ updatedAt, lastActivityAt: new Date(lastMs).toISOString(), age, action, why },
    ...defined({ archiveAfter, url: urls?.app }),
  };
}

/** Whether later runs will know the warnings again that were posted. An answer of the platform alone proves nothing. */

interface ReadBack {
  /** Whose comment does not show its marker. */
  lost: Stale[];
  /** Whose comment is by somebody else than the member whose comments count. */
  foreign: Stale[];
  unread: Unread[];
}

/** @param warner whose comments count, where that was asked */
async function readWarnings(
  reading: Reading,
  warned: readonly Stale[],
  warner: string | undefined,
): Promise<ReadBack> {
  const found: ReadBack = { lost: [], foreign: [], unread: [] };
  await readAll(reading, warned, async (one) => {
    const { id, subject: title, space } = one.request;
    try {
      const comment = await warningOn(reading, one);
      if (comment === undefined) found.lost.push(one);
      else if (warner !== undefined && comment.postedBy.id !== warner) found.foreign.push(one);
    } catch (cause) {
      const about = { kind: 'change-request', id, title, space: space.id };
      found.unread.push(unreadOf(cause, reading.signal, about));
    }
  });
  return found;
}

/** The warning that this run posted, as a later run would know it. */
async function warningOn(
  { client }: Reading,
  { request, discussion, archiveAfter }: Stale,
): Promise<Comment | undefined> {
  const before = new Set(discussion.comments.map(({ id }) => id));
  const path = { spaceId: request.space.id, changeRequestId: request.id };
  for await (const one of client.call(listChangeRequestComments, { path, query: discussionQuery })) {
    const marker = before.has(one.id) ? undefined : markerOf(one);
    const isOwn = marker?.archiveAfter === archiveAfter && marker?.revision === namedRevision(request);
    if (isOwn && marker?.state === markedState(request)) return one;
  }
  return undefined;
}
