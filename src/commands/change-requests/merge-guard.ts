import { pageName } from '../../access/links/finding.js';
import { LinkCheck } from '../../access/links/link-check.js';
import type { CallOptions } from '../../api/client.js';
import {
  type ChangeRequest,
  getChangeRequest,
  mergeChangeRequest,
} from '../../api/resources/change-requests.js';
import { type Comment, listChangeRequestComments } from '../../api/resources/comments.js';
import { DocsError, type NextCommand } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { aboutRequest } from '../../change-requests/read-changes.js';
import type { Changes, Guard } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { showProgress } from '../../output/progress.js';
import { counted } from '../../output/text.js';
import { cut } from '../../output/text-width.js';
import { checkedClient } from '../../snapshot/checked-client.js';
import {
  notReadLines,
  type Reading,
  readFailure,
  type Unread,
  unreadFacts,
  unreadOf,
} from '../../snapshot/unread.js';

/** `docs change-requests merge --if-…`: what must hold, read right before the merge is sent. */

type ConditionFlag = 'if-links-clean' | 'if-not-outdated' | 'if-no-open-comments';

/** Something that stands against merging, such as a broken link. Texts are the platform's. */
interface Obstacle {
  page?: { id?: string; title?: string };
  /** Where the broken link leads. */
  link?: string;
  /** The id of an open comment. */
  comment?: string;
  author?: string;
  text?: string;
}

interface ConditionState {
  condition: ConditionFlag;
  /** `unknown` where something could not be read and nothing that was read stands against it. */
  state: 'holds' | 'fails' | 'unknown';
  /** How many broken links or open comments were found. */
  count: number;
  /** The first few of them. */
  first: Obstacle[];
  unread: Unread[];
}

/** More obstacles are counted instead of shown. */
const mostTold = 5;

interface Path {
  spaceId: string;
  changeRequestId: string;
}

/**
 * Reads whether the conditions hold now.
 * @param reading of which the organization is not used
 * @param about what the change request is in errors
 * @returns undefined for a change request that is merged already: nothing is left to decide
 * @throws DocsError where the change request cannot be read
 */
async function readConditions(
  reading: Reading,
  path: Path,
  asked: readonly ConditionFlag[],
  about: CallOptions = {},
): Promise<{ request: ChangeRequest; states: ConditionState[] } | undefined> {
  const request = await reading.client.call(getChangeRequest, { path }, about);
  if (request.status === 'merged') return undefined;
  const states: ConditionState[] = [];
  for (const condition of asked) states.push(await conditions[condition].read(reading, path, request));
  return { request, states };
}

type Read = (reading: Reading, path: Path, request: ChangeRequest) => Promise<ConditionState>;

interface Condition {
  read: Read;
  fails(count: number): string;
  unknown: string;
  /** Shows what stands against the merge; of content that is behind, what changes it. */
  command(id: string, space: string): string;
  /** When that command is run. */
  when: string;
}

/** The conditions by their flags, in the order in which they are listed. */
const conditions: Readonly<Record<ConditionFlag, Condition>> = {
  'if-links-clean': {
    read: linksClean,
    fails: (count) => counted(count, 'broken link'),
    unknown: 'not all links could be read',
    command: (id, space) => `docs links check --space ${space} --change-request ${id}`,
    when: 'to list the broken links of the change request',
  },
  'if-not-outdated': {
    read: async (_, __, { outdated }) => ({
      ...{ condition: 'if-not-outdated', state: outdated ? 'fails' : 'holds' },
      ...{ count: Number(outdated), first: [], unread: [] },
    }),
    fails: () => 'it lacks the latest content of the space',
    unknown: 'its state could not be read',
    command: (id, space) => `docs change-requests pull ${id} --space ${space}`,
    when: 'to pull the latest content of the space',
  },
  'if-no-open-comments': {
    read: noOpenComments,
    fails: (count) => counted(count, 'open comment'),
    unknown: 'its comments could not be read',
    command: (id, space) => `docs comments list --space ${space} --change-request ${id} --status open`,
    when: 'to list its open comments',
  },
};
const flags = Object.keys(conditions) as ConditionFlag[];

async function linksClean(
  reading: Reading,
  { spaceId, changeRequestId }: Path,
  { id }: ChangeRequest,
): Promise<ConditionState> {
  const found = begun('if-links-clean');
  const scope = { spaces: [spaceId], collections: [], sites: [] };
  const plan = { scope, changeRequest: changeRequestId, statuses: ['broken'] as const };
  const check = new LinkCheck({ ...plan, baseline: new Map(), updateBaseline: false });
  try {
    for await (const event of check.run(reading))
      if (event.kind === 'looked')
        for (const { page, link } of event.looked.findings)
          add(found, { page: page && { id: page.id, title: pageName({ page }) }, link });
  } catch (cause) {
    found.unread.push(unreadOf(cause, reading.signal, { kind: 'change-request', id, space: spaceId }));
  }
  found.unread.push(...check.tally.unread);
  return ended(found);
}

async function noOpenComments(reading: Reading, path: Path, { id }: ChangeRequest): Promise<ConditionState> {
  const found = begun('if-no-open-comments');
  try {
    const query = { status: 'open', format: 'markdown' } as const;
    for await (const comment of reading.client.call(listChangeRequestComments, { path, query }))
      if (comment.status !== 'resolved') add(found, obstacleOf(comment));
  } catch (cause) {
    const error = readFailure(cause, reading.signal);
    found.unread.push({ kind: 'comments', id, space: path.spaceId, error });
  }
  return ended(found);
}

function obstacleOf({ id, postedBy, body, target }: Comment): Obstacle {
  const { page } = target;
  return {
    comment: id,
    author: postedBy.displayName,
    text: body.markdown,
    page: page && { id: page.id, title: page.title },
  };
}

function begun(condition: ConditionFlag): ConditionState {
  return { condition, state: 'unknown', count: 0, first: [], unread: [] };
}

function add(found: ConditionState, obstacle: Obstacle): void {
  found.count += 1;
  if (found.first.length < mostTold) found.first.push(obstacle);
}

function ended(found: ConditionState): ConditionState {
  const isRead = found.unread.length === 0;
  return { ...found, state: found.count > 0 ? 'fails' : isRead ? 'holds' : 'unknown' };
}

/** For programs. */
function conditionFacts({ condition, unread, ...state }: ConditionState): Record<string, unknown> {
  return { condition: `--${condition}`, ...state, unread: unread.map(unreadFacts) };
}

type Call = Changes['calls'][number];

/** Pages whose links are read at once. */
const pagesAtOnce = 8;

/** Longer comments are cut. */
const textColumns = 60;

/**
 * Refuses merges whose conditions do not hold.
 * @throws DocsError findings `conditions_not_met` (exit 17); partial `conditions_unread` (exit 3) where one could not
 *   be read and none is known to fail; as the read of the change request
 */
export const guardMerge: Guard = async ({ session, calls }) => {
  for (const call of calls) {
    const asked = flags.filter((flag) => call.flags?.includes(flag));
    if (call.op === mergeChangeRequest && asked.length > 0) await hold(session, call, asked);
  }
  return { risks: [], needsYes: false };
};

async function hold(session: Session, { input }: Call, asked: readonly ConditionFlag[]): Promise<void> {
  const { io, globals } = session;
  const { spaceId = '', changeRequestId = '' } = input.path ?? {};
  const path = { spaceId, changeRequestId };
  // Of its own: a change request may have hundreds of pages, and a single change one deadline for all it does.
  const use = { connections: pagesAtOnce, timeoutPerRequest: true, readOnly: true } as const;
  const client = checkedClient(await session.client(use));
  const reading = { client, organizationId: '', concurrency: pagesAtOnce, signal: io.signal };
  const about = aboutRequest(path, io.platform);
  const found = await showProgress(session, 'Checking the conditions', () =>
    readConditions(reading, path, asked, about),
  );
  const open = found?.states.filter(({ state }) => state !== 'holds') ?? [];
  if (found === undefined || open.length === 0) return;
  const id = shellWord(changeRequestId, io.platform);
  const space = shellWord(spaceId, io.platform);
  const commands = open.map((state) => ({
    command: atPlace(conditions[state.condition].command(id, space), globals, io.platform),
    when: conditions[state.condition].when,
  }));
  throw refusal(changeRequestId, open, commands);
}

function refusal(id: string, open: readonly ConditionState[], next: readonly NextCommand[]): DocsError {
  const failing = open.filter(({ state }) => state === 'fails');
  const [words, unknown] = [failing, open.filter(({ state }) => state === 'unknown')].map((some) =>
    some.map(wordsOf).join('; '),
  );
  const message = `change request ${id} was not merged: ${[words, unknown].filter(Boolean).join('; ')}. Nothing was sent.`;
  const [first] = next;
  const facts = {
    outcome: 'not-sent' as const,
    lines: open.flatMap(linesOf),
    details: { conditions: open.map(conditionFacts) },
    retryable: open.some(({ unread }) => unread.some(({ error }) => error.failure.retryable === true)),
    next,
    hint: first?.command,
  };
  if (failing.length > 0) return new DocsError('findings', 'conditions_not_met', message, facts);
  return new DocsError('partial', 'conditions_unread', message, facts);
}

/** `3 broken links (--if-links-clean)`. */
function wordsOf({ condition, state, count, unread }: ConditionState): string {
  const what = state === 'unknown' ? conditions[condition].unknown : conditions[condition].fails(count);
  const more = state === 'fails' && unread.length > 0 ? ', and not everything could be read' : '';
  return `${what}${more} (--${condition})`;
}

function linesOf({ first, count, unread }: ConditionState): string[] {
  const rest = count - first.length;
  return [
    ...first.map(lineOf),
    ...(first.length > 0 && rest > 0 ? [`and ${rest} more`] : []),
    ...notReadLines(unread),
  ];
}

/** `Broken link on Setup: ../gone.md`, `Open comment by Ada on Setup: Is this still true?`. */
function lineOf({ page, link, author, text }: Obstacle): string {
  const on = page === undefined ? '' : ` on ${page.title ?? page.id}`;
  if (link !== undefined) return `Broken link${on}: ${link}`;
  const [line = ''] = (text ?? '').split('\n');
  return `Open comment by ${author ?? 'an unknown author'}${on}${line === '' ? '' : `: ${cut(line, textColumns)}`}`;
}
