import type { CallOptions } from '../../api/client.js';
import { type ChangeRequest, getChangeRequest } from '../../api/resources/change-requests.js';
import { type Comment, listChangeRequestComments } from '../../api/resources/comments.js';
import { type Reading, readFailure, type Unread, unreadFacts, unreadOf } from '../../snapshot/unread.js';
import { LinkCheck } from '../link-check/execute.js';
import { pageName } from '../link-check/finding.js';

/** What must hold for a change request to be merged: `docs change-requests merge --if-…`. */

/** The conditions by their flags, in the order in which they are told. */
export const conditions = ['if-links-clean', 'if-not-outdated', 'if-no-open-comments'] as const;
export type ConditionFlag = (typeof conditions)[number];

/** Something that stands against merging, such as a broken link. Texts are the platform's. */
export interface Obstacle {
  page?: { id?: string; title?: string };
  /** Where the broken link leads. */
  link?: string;
  /** The id of an open comment. */
  comment?: string;
  author?: string;
  text?: string;
}

export interface ConditionState {
  condition: ConditionFlag;
  /** `unknown` where something could not be read and nothing that was read stands against it. */
  state: 'holds' | 'fails' | 'unknown';
  /** How many broken links or open comments were found. */
  count: number;
  /** The first few of them. */
  first: Obstacle[];
  unread: Unread[];
}

/** So many obstacles are told one by one. */
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
export async function readConditions(
  reading: Reading,
  path: Path,
  asked: readonly ConditionFlag[],
  about: CallOptions = {},
): Promise<{ request: ChangeRequest; states: ConditionState[] } | undefined> {
  const request = await reading.client.call(getChangeRequest, { path }, about);
  if (request.status === 'merged') return undefined;
  const states: ConditionState[] = [];
  for (const condition of conditions)
    if (asked.includes(condition)) states.push(await read[condition](reading, path, request));
  return { request, states };
}

type Read = (reading: Reading, path: Path, request: ChangeRequest) => Promise<ConditionState>;

const read: Readonly<Record<ConditionFlag, Read>> = {
  'if-links-clean': linksClean,
  'if-not-outdated': async (_, __, { outdated }) => ({
    ...{ condition: 'if-not-outdated', state: outdated ? 'fails' : 'holds' },
    ...{ count: Number(outdated), first: [], unread: [] },
  }),
  'if-no-open-comments': noOpenComments,
};

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
          add(found, { ...(page && { page: { id: page.id, title: pageName({ page }) } }), link });
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
    ...(body.markdown !== undefined && { text: body.markdown }),
    ...(page && { page: { id: page.id, ...(page.title !== undefined && { title: page.title }) } }),
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
export function conditionFacts({ condition, unread, ...state }: ConditionState): Record<string, unknown> {
  return { condition: `--${condition}`, ...state, unread: unread.map(unreadFacts) };
}
