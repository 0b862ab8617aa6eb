import { DocsError } from '../../../base/errors.js';
import { shellWord } from '../../../base/shell-word.js';
import type { ManualInput } from '../../../cli/declare/command.js';
import type { Session } from '../../../cli/declare/session.js';
import { contextId } from '../../../cli/resolve/resolve-ids.js';
import { concurrencyOf } from '../../../cli/run/gather.js';
import { counted } from '../../../output/counted.js';
import { startProgress } from '../../../output/progress.js';
import { checkedClient } from '../../../snapshot/checked-client.js';
import { notAllRead } from '../../../snapshot/unread.js';
import type { Difference } from '../../../workflows/change-diff/compare-content.js';
import {
  type ChangeReading,
  changedMeanwhile,
  type Opened,
  openChanges,
} from '../../../workflows/change-diff/read-changes.js';
import { type Tally, tallyWords } from '../../../workflows/change-diff/tally.js';
import { aboutRequest } from '../about-request.js';

/** A change request whose lists of pages are read and compared. */
export interface OpenDiff {
  session: Session;
  reading: ChangeReading;
  opened: Opened;
  /** Those that were asked for. */
  differences: Difference[];
  /** Whether all were. */
  isWhole: boolean;
  /** What to know about the comparison as a whole. */
  warnings: string[];
  /** The words that name the change request on a command line: `5 --space s1`. */
  named: string;
}

/** @throws DocsError usage, not-found where a page is on neither side, and what the reads throw */
export async function openDiff(session: Session, input: ManualInput): Promise<OpenDiff> {
  const { io, globals } = session;
  const changeRequestId = String(input.args['change-request']);
  const concurrency = concurrencyOf(input);
  const at = { changeRequestId, spaceId: await contextId(session, 'space') };
  const progress = startProgress(io, { text: 'Reading lists of pages', quiet: globals.quiet ?? false });
  try {
    const client = checkedClient(await session.client({ connections: concurrency, timeoutPerRequest: true }));
    const reading = { client, concurrency, signal: io.signal };
    const opened = await openChanges(reading, at, aboutRequest(at, io.platform));
    const named = nameOf(session, input, changeRequestId);
    const differences = asked(opened, input, named);
    const isWhole = differences === opened.differences;
    return { session, reading, opened, differences, isWhole, named, warnings: warningsOf(opened, named) };
  } finally {
    progress.stop();
  }
}

function nameOf({ io: { platform } }: Session, { options }: ManualInput, id: string): string {
  const space = typeof options.space === 'string' ? ` --space ${shellWord(options.space, platform)}` : '';
  return `${shellWord(id, platform)}${space}`;
}

function asked({ differences, pages }: Opened, { options }: ManualInput, named: string): Difference[] {
  const ids = options.pageId as string[] | undefined;
  if (ids === undefined || ids.length === 0) return differences;
  const unknown = ids.find((id) => !pages.has(id));
  if (unknown !== undefined) {
    const message = `Page ${unknown} is neither in the change request nor in its space.`;
    throw new DocsError('not-found', 'unknown_page', message, {
      hint: `docs change-requests diff ${named} --stat`,
    });
  }
  return differences.filter(({ change }) => change.kind === 'page' && ids.includes(change.id));
}

function warningsOf({ request }: Opened, named: string): string[] {
  const { status, outdated, number } = request;
  const name = `Change request ${number}`;
  if (status === 'merged')
    return [`${name} is merged; it is compared with what the space has now, later changes included.`];
  const warnings: string[] = [];
  if (status === 'archived')
    warnings.push(`${name} is archived; it is compared with what the space has now.`);
  if (outdated) {
    const pull = status === 'archived' ? '' : ` To pull them, run docs change-requests pull ${named}.`;
    warnings.push(`${name} is behind its space: later changes of the space show up reversed.${pull}`);
  }
  return warnings;
}

/**
 * Says how much changed, or why not all of it is known.
 * @throws DocsError partial (exit 3) where pages were not read, or content changed meanwhile
 */
export async function conclude(open: OpenDiff, tally: Tally, isJson: boolean): Promise<void> {
  const { session, reading, opened, named, warnings } = open;
  const { printer } = session;
  const words = tallyWords(tally);
  const details = { warnings, unread: tally.unread };
  const hint = `docs change-requests diff ${named}`;
  if (tally.unread.length > 0) {
    if (!isJson)
      for (const { kind, title, id, error } of tally.unread)
        printer.warn(`Not read: ${kind} ${title} (${id}): ${error?.message ?? ''}`);
    const retryable = tally.unread.some(({ error }) => error?.retryable === true);
    throw notAllRead(words, { details, retryable, hint });
  }
  if (await changedMeanwhile(reading, opened)) {
    const message = `${words} The change request or its space changed while it was read; pages may be of both states.`;
    throw new DocsError('partial', 'changed_meanwhile', message, { details, retryable: true, hint });
  }
  if (isJson) for (const warning of warnings) printer.warn(warning);
  const large =
    tally.large === 0 ? '' : ` Too large to compare word by word: ${counted(tally.large, 'page')}.`;
  printer.note(`${words}${large}${filesNote(open)}`);
}

/** Where the platform gives no hash of a file, other bytes of the same name and size go unseen. */
function filesNote({ opened: { bySize }, isWhole }: OpenDiff): string {
  return isWhole && bySize > 0 ? ` Compared by name and size only: ${counted(bySize, 'file')}.` : '';
}
