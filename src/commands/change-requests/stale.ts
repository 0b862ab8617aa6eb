import { tokenOwnerId } from '../../access/guards.js';
import { lookUp, wrongNames } from '../../access/names.js';
import { DocsError, usageError } from '../../base/errors.js';
import {
  type Entry,
  Exempt,
  entriesIn,
  findStale,
  type Stale,
  type StaleRequest,
  type StaleSearch,
} from '../../change-requests/find-stale.js';
import { checkMessage, spanOf, usualSpans } from '../../change-requests/stale.js';
import {
  draftsFor,
  inTurn,
  nameOf,
  notesOf,
  type ReadBack,
  readWarnings,
  rowOf,
} from '../../change-requests/stale-changes.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import { readLongText } from '../../cli/parse/typed-text.js';
import { beginChange } from '../../cli/run/carry-out.js';
import { noteSaid, refuse } from '../../cli/run/output.js';
import { type Own, plainOwn } from '../../cli/run/own.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import {
  type ManualInput,
  type Reading,
  type Report,
  type ReportRequest,
  runReport,
  type Session,
} from '../../cli/run/run-report.js';
import { showProgress } from '../../output/progress.js';
import { counted } from '../../output/text.js';
import { parseShard, shardWords } from '../../shards/shard.js';
import { notAllRead, notReadLines, unreadFacts } from '../../snapshot/unread.js';
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
    throw usageError('contradiction', '--sort-by is for --list; without it nothing is listed');
  await beginChange(session, { results: { plan: true } });
  const flag = ['merge', 'parts'].find((name) => options[name] !== undefined);
  if (flag !== undefined)
    throw usageError('contradiction', `--${flag} requires --list: what a part changes is a job of its own`);
  const shard = parseShard(options.shard);
  if (shard !== undefined) session.printer.note(`This is ${shardWords(shard)} of the spaces.`);
  const message = await messageOf(session, options.message);
  const exempt = await entriesOf(session, textsOf(options.exempt));
  const asked = await askedOf({ ...plainOwn(session, input), shard }, exempt);
  const work = async () => {
    const found = await search(session, asked);
    tellUnread(session, found);
    await proposeFor(session, { input, groups: around.groups }, { found, message, reading: asked.reading });
    refuseUnread(session, found);
  };
  const isSent = session.globals.dryRun !== true && session.savePlan === undefined;
  if (isSent) await inTurn(session.io, { organization: asked.reading.organizationId, shard }, work);
  else await work();
}

type Around = Pick<ReportRequest, 'groups' | 'view' | 'runLine'>;

/** `--list`: of all, of one part, or of the parts of others. */
async function listStale(session: Session, input: ManualInput, around: Around): Promise<void> {
  if (session.savePlan !== undefined)
    throw usageError('contradiction', '--list and --save-plan contradict each other: a list plans nothing');
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
  { input, groups }: { input: ManualInput; groups: Around['groups'] },
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
  client: Reading['client'],
  organizationId: string,
  authors: readonly string[],
): Promise<string> {
  const owner = await tokenOwnerId(session, { client, organizationId });
  if (owner.id !== undefined) return owner.id;
  const why = owner.why ?? 'only a ping shows it, and a dry run or a saved plan sends none';
  const message = `the owner of the token is unknown, so nothing shows whose warnings count: ${why}. Nothing was changed.`;
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
  const message = `${what} could not be read, so stale change requests may be missing`;
  const hint = atPlace(`docs ${command} --list`, session.globals, session.io.platform);
  const details = { unread: unread.map(unreadFacts) };
  throw notAllRead(message, { code: 'unread', retryable: true, details, hint });
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
  const message = `${unread.length} of ${of} posted could not be read again, so it is unknown whether later runs recognize them`;
  return partial('not_read_back', message, 'docs change-requests stale --list');
}

function names(some: readonly Stale[]): string {
  const more = some.length > mostNamed ? [`${some.length - mostNamed} more`] : [];
  return [...some.slice(0, mostNamed).map(nameOf), ...more].join(', ');
}

function idOf({ request }: Stale): string {
  return request.id;
}
