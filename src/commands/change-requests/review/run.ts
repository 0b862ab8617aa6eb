import type { ManualInput } from '../../../cli/declare/command.js';
import type { RunLine } from '../../../cli/declare/run-line.js';
import type { Session } from '../../../cli/declare/session.js';
import { isStructured, wantsRows } from '../../../cli/run/output-form.js';
import { loadChalk } from '../../../output/colors.js';
import type { Page, View } from '../../../output/printer.js';
import { colorLevel } from '../../../output/terminal.js';
import type { ContentChange } from '../../../workflows/change-diff/change.js';
import {
  type Reviewed,
  readComments,
  readReview,
  reviewItems,
} from '../../../workflows/change-diff/review.js';
import { count, newTally, type Tally } from '../../../workflows/change-diff/tally.js';
import { conclude, type OpenDiff, openDiff } from '../diff/open.js';
import { printPieces } from '../diff/print.js';
import { decide } from './decide.js';
import { type ReviewText, reviewText } from './text.js';

/** `docs change-requests review`: the diff with its comments; then, on a terminal, what to do about it. */

/** @throws DocsError partial (exit 3) where not all was read; as the reads, and as the command that was chosen */
export async function reviewRequest(
  session: Session,
  input: ManualInput,
  view: View,
  runLine: RunLine,
): Promise<void> {
  const { io, globals, printer } = session;
  await printer.check(view);
  const open = await openDiff(session, input);
  const { reading, opened, differences } = open;
  const { comments, error } = await readComments(reading, opened.at);
  const items = reviewItems(opened, differences, comments);
  const tally = newTally();
  if (error !== undefined)
    tally.unread.push({
      kind: 'comments',
      id: opened.at.changeRequestId,
      title: 'of the change request',
      error,
    });
  const reviewed = tallied(readReview(reading, opened, items), tally);
  if (isStructured(session) || wantsRows(session)) {
    await printer.list(pagesOf(reviewed), view);
    return conclude(open, tally, true);
  }
  for (const warning of open.warnings) printer.warn(warning);
  const chalk = await loadChalk(colorLevel(io, globals, 'stdout'));
  const nowMs = reading.client.platformNowMs ?? io.now();
  const pieces = piecesOf(reviewText(chalk, nowMs), open, reviewed);
  const { left } = await printPieces(session, pieces, { paged: true, total: items.length });
  if (!left) await conclude(open, tally, false);
  if (session.interactive) return decide(open, runLine);
  const { named } = open;
  printer.note(
    `To comment: docs comments create --change-request ${named} --body <text>\n` +
      `To merge: docs change-requests merge ${named}`,
  );
}

async function* tallied(all: AsyncIterable<Reviewed>, tally: Tally): AsyncGenerator<Reviewed> {
  for await (const one of all) {
    const { comments, ...change } = one;
    if (change.kind !== 'change-request') count(tally, change as ContentChange);
    for (const { id, author, error } of comments)
      if (error !== undefined) tally.unread.push({ kind: 'replies', id, title: `to ${author}`, error });
    yield one;
  }
}

/** A page for each item, so that it is printed at once. */
async function* pagesOf(items: AsyncIterable<unknown>): AsyncGenerator<Page> {
  for await (const item of items) yield { items: [item], next: 'more' };
}

async function* piecesOf(
  text: ReviewText,
  { opened }: OpenDiff,
  reviewed: AsyncIterable<Reviewed>,
): AsyncGenerator<string> {
  yield text.begin(opened);
  for await (const one of reviewed) yield text.item(one);
}
