import { mergeChangeRequest } from '../../api/resources/change-requests.js';
import { DocsError, type NextCommand } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { Changes, Guard } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { counted } from '../../output/counted.js';
import { startProgress } from '../../output/progress.js';
import { cut } from '../../output/text-width.js';
import { checkedClient } from '../../snapshot/checked-client.js';
import { notReadLines } from '../../snapshot/unread.js';
import {
  type ConditionFlag,
  type ConditionState,
  conditionFacts,
  conditions,
  type Obstacle,
  readConditions,
} from '../../workflows/merge-conditions/conditions.js';
import { aboutRequest } from './about-request.js';

/** `--if-…` of `docs change-requests merge`: read right before the merge is sent. */

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
    const asked = conditions.filter((flag) => call.flags?.includes(flag));
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
  const progress = startProgress(io, { text: 'Checking the conditions', quiet: globals.quiet ?? false });
  const found = await readConditions(reading, path, asked, about).finally(progress.stop);
  const open = found?.states.filter(({ state }) => state !== 'holds') ?? [];
  if (found === undefined || open.length === 0) return;
  const id = shellWord(changeRequestId, io.platform);
  const space = shellWord(spaceId, io.platform);
  const commands = open.map((state) => ({
    command: atPlace(commandFor[state.condition](id, space), globals, io.platform),
    when: whenFor[state.condition],
  }));
  throw refusal(changeRequestId, open, commands);
}

function refusal(id: string, open: readonly ConditionState[], next: readonly NextCommand[]): DocsError {
  const failing = open.filter(({ state }) => state === 'fails');
  const [words, unknown] = [failing, open.filter(({ state }) => state === 'unknown')].map((some) =>
    some.map(wordsOf).join('; '),
  );
  const message = `Change request ${id} was not merged: ${[words, unknown].filter(Boolean).join('; ')}. Nothing was sent.`;
  const [first] = next;
  const facts = {
    outcome: 'not-sent' as const,
    lines: open.flatMap(linesOf),
    details: { conditions: open.map(conditionFacts) },
    retryable: open.some(({ unread }) => unread.some(({ error }) => error.failure.retryable === true)),
    next,
    ...(first && { hint: first.command }),
  };
  if (failing.length > 0) return new DocsError('findings', 'conditions_not_met', message, facts);
  return new DocsError('partial', 'conditions_unread', message, facts);
}

/** `3 broken links (--if-links-clean)`. */
function wordsOf({ condition, state, count, unread }: ConditionState): string {
  const what = state === 'unknown' ? unknownWords[condition] : failWords[condition](count);
  const more = state === 'fails' && unread.length > 0 ? ', and not everything could be read' : '';
  return `${what}${more} (--${condition})`;
}

const failWords: Readonly<Record<ConditionFlag, (count: number) => string>> = {
  'if-links-clean': (count) => counted(count, 'broken link'),
  'if-not-outdated': () => 'it lacks the latest content of the space',
  'if-no-open-comments': (count) => counted(count, 'open comment'),
};

const unknownWords: Readonly<Record<ConditionFlag, string>> = {
  'if-links-clean': 'not all links could be read',
  'if-not-outdated': 'its state could not be read',
  'if-no-open-comments': 'its comments could not be read',
};

/** Shows what stands against the merge; of content that is behind, what changes it. */
const commandFor: Readonly<Record<ConditionFlag, (id: string, space: string) => string>> = {
  'if-links-clean': (id, space) => `docs links check --space ${space} --change-request ${id}`,
  'if-not-outdated': (id, space) => `docs change-requests pull ${id} --space ${space}`,
  'if-no-open-comments': (id, space) =>
    `docs comments list --space ${space} --change-request ${id} --status open`,
};

const whenFor: Readonly<Record<ConditionFlag, string>> = {
  'if-links-clean': 'to list the broken links of the change request',
  'if-not-outdated': 'to pull the latest content of the space',
  'if-no-open-comments': 'to list its open comments',
};

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
