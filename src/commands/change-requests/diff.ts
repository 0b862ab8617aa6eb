import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChalkInstance } from 'chalk';
import { CommandEnded, DocsError, sentences, usageError } from '../../base/errors.js';
import { commandLine, shellWord, shellWords } from '../../base/shell-word.js';
import {
  type ContentChange,
  countChange,
  diffPart,
  newTally,
  type Reviewed,
  type Tally,
  type Thread,
  tallyWords,
} from '../../change-requests/change.js';
import type { Difference } from '../../change-requests/compare-content.js';
import { htmlPieces, markdownPieces, statPieces, textPieces } from '../../change-requests/diff-forms.js';
import {
  aboutRequest,
  type ChangeReading,
  changedMeanwhile,
  type Opened,
  openChanges,
  readChanges,
  readComments,
  readReview,
  reviewItems,
} from '../../change-requests/read-changes.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import { askFor, askText } from '../../cli/resolve/prompts.js';
import { contextId } from '../../cli/resolve/resolve-ids.js';
import { draftsFolder, editFile, editorOf } from '../../cli/run/editor.js';
import { concurrencyOf } from '../../cli/run/gather.js';
import { isStructured, outputFormat, wantsRows } from '../../cli/run/output.js';
import {
  type ManualInput,
  type Page,
  type Report,
  type ReportEnding,
  type RunLine,
  reportStyle,
  type Session,
} from '../../cli/run/run-report.js';
import { type DiffPart, diffStyles, renderDiff } from '../../document/diff.js';
import { loadChalk, plain } from '../../output/colors.js';
import { showProgress } from '../../output/progress.js';
import { colorLevel, terminalWidth } from '../../output/terminal.js';
import { age, counted, safeLine, safeText } from '../../output/text.js';
import { checkedClient } from '../../snapshot/checked-client.js';
import { notAllRead } from '../../snapshot/unread.js';

/** `docs change-requests review`: the diff with its comments; then, on a terminal, what to do about it. */

interface Review {
  open: OpenDiff;
  tally: Tally;
  reviewed: AsyncIterable<Reviewed>;
  /** How many items are compared or have comments. */
  total: number;
}

export const reviewReport: Report<Review> = {
  formOf: (session) => (wantsData(session) ? 'rows' : 'text'),
  async read({ session, input }) {
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
    return { open, tally, reviewed, total: items.length };
  },
  rows: ({ reviewed }) => ({ items: pagesOf(reviewed) }),
  async text({ open, reviewed, total }, { session: { io, globals, printer } }) {
    for (const warning of open.warnings) printer.warn(warning);
    const chalk = await loadChalk(colorLevel(io, globals, 'stdout'));
    const nowMs = open.reading.client.platformNowMs ?? io.now();
    return { items: reviewPieces(open.opened, reviewed, chalk, nowMs), paged: true, total };
  },
  async end({ open, tally }, { session, form, listed, runLine }) {
    const ending = listed.left === true ? {} : await conclude(open, tally, form === 'rows');
    if (form === 'rows' || ending.failure !== undefined) return ending;
    if (ending.note !== undefined) session.printer.note(ending.note);
    if (session.interactive) {
      await decide(open, runLine);
      return undefined;
    }
    const { named } = open;
    const next = `To comment: docs comments create --change-request ${named} --body <text>\nTo merge: docs change-requests merge ${named}`;
    return { note: next };
  },
};

async function* tallied(all: AsyncIterable<Reviewed>, tally: Tally): AsyncGenerator<Reviewed> {
  for await (const one of all) {
    const { comments, ...change } = one;
    if (change.kind !== 'change-request') countChange(tally, change as ContentChange);
    for (const { id, author, error } of comments)
      if (error !== undefined) tally.unread.push({ kind: 'replies', id, title: `to ${author}`, error });
    yield one;
  }
}

const bar = '  | ';

/**
 * A change request for its reviewer: the changes, and under each page what was said about it.
 * @param chalk undefined for no colour @param nowMs by the platform's clock, for ages
 */
async function* reviewPieces(
  { request: { number, subject, status, createdBy, updatedAt } }: Opened,
  reviewed: AsyncIterable<Reviewed>,
  chalk: ChalkInstance | undefined,
  nowMs: number,
): AsyncGenerator<string> {
  const [strong, quiet, styles] = [chalk?.bold ?? plain, chalk?.dim ?? plain, diffStyles(chalk)];
  const author = createdBy === undefined ? '' : ` by ${safeLine(createdBy.displayName)}`;
  const facts = `${safeLine(status)}${author}, updated ${age(updatedAt, nowMs)}`;
  yield `${strong(`Change request ${number}: ${safeLine(subject)}`)}\n${facts}\n\n`;
  let between = '';
  for await (const { comments, ...change } of reviewed) {
    let piece = `\n${strong('Comments on the change request')}\n`;
    if (change.kind !== 'change-request') {
      piece = between + renderDiff(diffPart(change as ContentChange), styles);
      between = '\n';
    }
    const open = comments.filter((comment) => comment.status !== 'resolved');
    const resolved = comments.length - open.length;
    const threads = open.map((thread) => threadLines(thread, chalk, nowMs));
    if (resolved > 0) threads.push([quiet(counted(resolved, 'resolved thread'))]);
    const blocks = threads.map((lines) => lines.map((line) => `${bar}${line}`.trimEnd()).join('\n'));
    yield blocks.length === 0 ? piece : `${piece}${blocks.join(`\n${bar.trimEnd()}\n`)}\n`;
  }
}

function threadLines(thread: Thread, chalk: ChalkInstance | undefined, nowMs: number): string[] {
  const { author, postedAt, text, replies, error, id } = thread;
  const [strong, quiet] = [chalk?.bold ?? plain, chalk?.dim ?? plain];
  const lines = [strong(`${safeLine(author)}, ${age(postedAt, nowMs)}`) + quiet(` ${safeLine(id)}`)];
  lines.push(...safeText(text.trimEnd()).split('\n'));
  for (const reply of replies) {
    const head = `${safeLine(reply.author)}, ${age(reply.postedAt, nowMs)}: `;
    const [first = '', ...rest] = safeText(reply.text.trimEnd()).split('\n');
    lines.push(`  ${strong(head)}${first}`, ...rest.map((line) => `  ${line}`));
  }
  if (error !== undefined) lines.push(`  Replies not read: ${safeLine(error.message)}`);
  return lines;
}

/** What a reviewer does next. Each choice runs the command that does it, with its questions, its job and its undo. */

/** @throws DocsError interrupted; with the exit code of a command that failed, which has said why */
async function decide(open: OpenDiff, runLine: RunLine): Promise<void> {
  const { session } = open;
  const run = (words: readonly string[]) => runLine([...words, ...platformWords(session)], session.io);
  const sent = { comments: 0 };
  try {
    await choose(open, run, sent);
  } catch (cause) {
    if (sent.comments === 0 || !(cause instanceof DocsError) || cause.kind !== 'interrupted') throw cause;
    // A question says that nothing was sent: it knows of none but itself.
    const message = `interrupted; ${counted(sent.comments, 'comment')} had been sent`;
    throw new DocsError('interrupted', cause.code, message, { outcome: 'done' });
  }
}

async function choose(open: OpenDiff, run: Run, sent: { comments: number }): Promise<void> {
  const { changeRequestId, spaceId } = open.opened.at;
  const at = ['--space', spaceId];
  for (;;) {
    const choice = await askFor(open.session, { what: 'choice', label: 'Next', choices: choicesOf(open) });
    if (choice === 'leave') return;
    if (choice === 'open') {
      // Without a browser there is still the rest to choose from.
      await run(['open', 'change-request', changeRequestId, ...at]);
      continue;
    }
    const code =
      choice === 'merge'
        ? await run(['change-requests', 'merge', changeRequestId, ...at])
        : await comment(open, choice === 'editor', run);
    if (code !== undefined && code !== 0) throw new CommandEnded(code);
    if (choice === 'merge') return;
    if (code === 0) sent.comments += 1;
  }
}

/** The first is under the cursor: Enter alone changes nothing. */
function choicesOf({ session: { io }, opened: { request } }: OpenDiff): { value: string; name: string }[] {
  const editor = editorOf(io);
  const isOpen = request.status !== 'merged' && request.status !== 'archived';
  return [
    { value: 'leave', name: 'Leave' },
    { value: 'comment', name: 'Comment' },
    ...(editor === undefined ? [] : [{ value: 'editor', name: `Comment in ${safeLine(editor)}` }]),
    ...(isOpen ? [{ value: 'merge', name: 'Merge' }] : []),
    { value: 'open', name: 'Open in the browser' },
  ];
}

type Run = (words: readonly string[]) => Promise<number>;

/** @returns the exit code of the command; undefined where no text was written */
async function comment(
  { session, opened, differences }: OpenDiff,
  edits: boolean,
  run: Run,
): Promise<number | undefined> {
  const pages = differences.filter(
    ({ change }) => change.kind === 'page' && !change.changes.includes('removed'),
  );
  const choices = [
    { value: '', name: 'The change request' },
    ...pages.map(({ change: { id, title } }) => ({ value: id, name: safeLine(title) })),
  ];
  const page =
    pages.length === 0 ? '' : await askFor(session, { what: 'page', label: 'Comment on', choices });
  const folder = await mkdtemp(join(await draftsFolder(session.io), 'comment-'));
  // In a file, a text that begins with @ or is a dash is still a text.
  const file = join(folder, 'comment.md');
  const { spaceId, changeRequestId } = opened.at;
  const where = ['--space', spaceId, '--change-request', changeRequestId];
  const onPage = page === '' ? [] : ['--page-id', page];
  const words = ['comments', 'create', ...where, ...onPage, '--body', `@${file}`];
  let isSent = false;
  try {
    await writeFile(file, edits ? '' : await askText(session, 'Comment:'), { mode: 0o600 });
    if (edits)
      await editFile(session.io, file, {
        hint: 'docs comments create --help',
        instead: 'Type the comment here instead.',
      });
    if ((await readFile(file, 'utf8')).trim() === '') {
      session.printer.note('The comment is empty; nothing was sent.');
      return undefined;
    }
    const code = await run([...words, '--fields', 'id,body.markdown']);
    isSent = code === 0;
    return code;
  } finally {
    await settle(session, { folder, file, words }, isSent);
  }
}

/** Nobody writes a comment twice: its file stays until it was sent. */
async function settle(
  { io, globals, printer }: Session,
  { folder, file, words }: { folder: string; file: string; words: readonly string[] },
  isSent: boolean,
): Promise<void> {
  const text = isSent ? '' : await readFile(file, 'utf8').catch(() => '');
  if (text.trim() === '') return rm(folder, { recursive: true, force: true });
  const command = commandLine(words, io.platform);
  printer.warn(`Your text is in ${file}; "${atPlace(command, globals, io.platform)}" sends it.`);
}

/** The flags of this command line that the next one needs, too. */
function platformWords({ globals, io }: Session): string[] {
  const { caFile, timeout, maxAttempts } = globals;
  const named = { 'ca-file': caFile, timeout, 'max-attempts': maxAttempts };
  return [
    ...shellWords(atPlace('docs change-requests', globals, io.platform)).slice(2),
    ...Object.entries(named).flatMap(([name, value]) => (value === undefined ? [] : [`--${name}`, value])),
    ...(globals.color === false ? ['--no-color'] : []),
    ...(globals.retry === false ? ['--no-retry'] : []),
    ...(globals.debug === true ? ['--debug'] : []),
  ];
}

/** `docs change-requests diff`: reads page after page, and prints each as soon as it is compared. */

/** A comparison that is printed while it is read, and what was counted on the way. */
interface Comparison {
  open: OpenDiff;
  tally: Tally;
}

export const diffReport: Report<Comparison> = {
  formOf(session, { options }) {
    const isData = wantsData(session);
    const form = (['stat', 'md', 'html'] as const).find((name) => options[name] === true);
    if (form !== undefined && isData)
      throw usageError(
        'contradiction',
        `--${form} replaces the list; remove it, or the flags that format the list`,
      );
    return isData && fileForm(session, options) === undefined ? 'rows' : 'text';
  },
  read: async ({ session, input }) => ({ open: await openDiff(session, input), tally: newTally() }),
  rows: ({ open, tally }) => ({ items: pagesOf(changesOf(open, tally)) }),
  async text({ open, tally }, { session, input: { options } }) {
    for (const warning of open.warnings) session.printer.warn(warning);
    const form = fileForm(session, options);
    const isFile = form !== undefined;
    const isSeen = form === 'html' || (!isFile && session.io.stdout.isTTY === true);
    const items = await piecesOf(session, options, isSeen ? removedFirst(open) : open, tally);
    return { items, paged: !isFile, total: open.differences.length };
  },
  end: ({ open, tally }, { form, listed }) =>
    listed.left === true ? undefined : conclude(open, tally, form === 'rows'),
};

/** Who looks at it sees what is lost first; what programs read stays in the order of the pages. */
function removedFirst(open: OpenDiff): OpenDiff {
  const rank = ({ change }: Difference) => (change.change === 'removed' ? 0 : 1);
  const differences = open.differences.toSorted((one, other) => rank(one) - rank(other));
  return { ...open, differences, opened: { ...open.opened, differences } };
}

/** The form that is for a file, by `-o` or by the name that it had before. */
function fileForm(session: Session, options: ManualInput['options']): 'markdown' | 'html' | undefined {
  const format = outputFormat(session);
  if (options.md === true || format === 'markdown') return 'markdown';
  return options.html === true || format === 'html' ? 'html' : undefined;
}

/** Whether rows or a value were asked for. */
function wantsData(session: Session): boolean {
  return isStructured(session) || wantsRows(session);
}

/** The comparison in the form that was asked for, each piece as soon as it is read. */
async function piecesOf(
  session: Session,
  options: ManualInput['options'],
  open: OpenDiff,
  tally: Tally,
): Promise<AsyncIterable<string>> {
  const diff = { opened: open.opened, warnings: open.warnings, parts: partsOf(open, tally), tally };
  const form = fileForm(session, options);
  if (form !== undefined) return form === 'html' ? htmlPieces(diff, reportStyle) : markdownPieces(diff);
  const { io, globals } = session;
  const chalk = await loadChalk(colorLevel(io, globals, 'stdout'));
  if (options.stat !== true) return textPieces(diff, chalk);
  return statPieces(diff, chalk, io.stdout.isTTY === true ? terminalWidth(io) : undefined);
}

async function* changesOf(
  { reading, opened, differences }: OpenDiff,
  tally: Tally,
): AsyncGenerator<ContentChange> {
  for await (const change of readChanges(reading, opened, differences)) {
    countChange(tally, change);
    yield change;
  }
}

/** A page for each item, so that it is printed at once. */
async function* pagesOf(items: AsyncIterable<unknown>): AsyncGenerator<Page> {
  for await (const item of items) yield { items: [item], next: 'more' };
}

async function* partsOf(open: OpenDiff, tally: Tally): AsyncGenerator<DiffPart> {
  for await (const change of changesOf(open, tally)) yield diffPart(change);
}

/** A change request whose lists of pages are read and compared. */
interface OpenDiff {
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
async function openDiff(session: Session, input: ManualInput): Promise<OpenDiff> {
  const { io } = session;
  const changeRequestId = String(input.args['change-request']);
  const concurrency = concurrencyOf(input);
  const at = { changeRequestId, spaceId: await contextId(session, 'space') };
  return showProgress(session, 'Reading lists of pages', async () => {
    const client = checkedClient(await session.client({ connections: concurrency, timeoutPerRequest: true }));
    const reading = { client, concurrency, signal: io.signal };
    const opened = await openChanges(reading, at, aboutRequest(at, io.platform));
    const named = nameOf(session, input, changeRequestId);
    const differences = asked(opened, input, named);
    const isWhole = differences === opened.differences;
    return { session, reading, opened, differences, isWhole, named, warnings: warningsOf(opened, named) };
  });
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
    const message = `page ${unknown} is neither in the change request nor in its space`;
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
    return [
      `${name} is merged; it is compared with the present content of the space, later changes included.`,
    ];
  const warnings: string[] = [];
  if (status === 'archived')
    warnings.push(`${name} is archived; it is compared with the present content of the space.`);
  if (outdated) {
    const pull = status === 'archived' ? '' : ` To pull them, run docs change-requests pull ${named}.`;
    warnings.push(`${name} is behind its space: later changes of the space show up reversed.${pull}`);
  }
  return warnings;
}

/** How much changed; partial (exit 3) where pages were not read, or content changed meanwhile. */
async function conclude(open: OpenDiff, tally: Tally, isData: boolean): Promise<ReportEnding> {
  const { session, reading, opened, named, warnings } = open;
  const { printer } = session;
  const words = tallyWords(tally);
  // An error begins with a small letter.
  const small = words.replace(/^No/, 'no');
  const details = { warnings, unread: tally.unread };
  const hint = `docs change-requests diff ${named}`;
  if (tally.unread.length > 0) {
    if (!isData)
      for (const { kind, title, id, error } of tally.unread)
        printer.warn(`Not read: ${kind} ${title} (${id}): ${error?.message ?? ''}`);
    const retryable = tally.unread.some(({ error }) => error?.retryable === true);
    return { failure: notAllRead(small, { details, retryable, hint }) };
  }
  if (await changedMeanwhile(reading, opened)) {
    const meanwhile =
      'The change request or its space changed while it was read; pages may be of both states';
    const message = sentences(small, meanwhile);
    return {
      failure: new DocsError('partial', 'changed_meanwhile', message, { details, retryable: true, hint }),
    };
  }
  if (isData) for (const warning of warnings) printer.warn(warning);
  const large =
    tally.large === 0 ? '' : ` Too large to compare word by word: ${counted(tally.large, 'page')}.`;
  return { note: `${words}${large}${filesNote(open)}` };
}

/** Where the platform gives no hash of a file, other bytes of the same name and size go unseen. */
function filesNote({ opened: { bySize }, isWhole }: OpenDiff): string {
  return isWhole && bySize > 0 ? ` Compared by name and size only: ${counted(bySize, 'file')}.` : '';
}
