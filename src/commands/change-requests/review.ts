import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { ChalkInstance } from 'chalk';
import { DocsError } from '../../base/errors.js';
import { commandLine, shellWords } from '../../base/shell-word.js';
import {
  type ContentChange,
  countChange,
  diffPart,
  newTally,
  type Reviewed,
  type Tally,
  type Thread,
} from '../../change-diff/change.js';
import { type Opened, readComments, readReview, reviewItems } from '../../change-diff/read-changes.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { RunLine, Session } from '../../cli/declare/session.js';
import { askFor, askText } from '../../cli/resolve/prompts.js';
import { draftsFolder, editFile, editorOf } from '../../cli/run/editor.js';
import type { Report } from '../../cli/run/run-report.js';
import { loadChalk, plain } from '../../output/colors.js';
import { colorLevel } from '../../output/terminal.js';
import { age, counted, safeLine, safeText } from '../../output/text.js';
import { conclude, type OpenDiff, openDiff, pagesOf, wantsData } from './diff.js';
import { textReport } from './diff-forms.js';

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
    const text = reviewText(chalk, open.reading.client.platformNowMs ?? io.now());
    return { items: piecesOf(text, open, reviewed), paged: true, total };
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

async function* piecesOf(
  text: ReviewText,
  { opened }: OpenDiff,
  reviewed: AsyncIterable<Reviewed>,
): AsyncGenerator<string> {
  yield text.begin(opened);
  for await (const one of reviewed) yield text.item(one);
}

/** A change request for its reviewer: the changes, and under each page what was said about it. */
interface ReviewText {
  begin(opened: Opened): string;
  item(reviewed: Reviewed): string;
}

const bar = '  | ';

/** @param chalk undefined for no colour @param nowMs by the platform's clock, for ages */
function reviewText(chalk: ChalkInstance | undefined, nowMs: number): ReviewText {
  const report = textReport(chalk);
  const [strong, quiet] = [chalk?.bold ?? plain, chalk?.dim ?? plain];
  const threadLines = (thread: Thread): string[] => {
    const { author, postedAt, text, replies, error, id } = thread;
    const lines = [strong(`${safeLine(author)}, ${age(postedAt, nowMs)}`) + quiet(` ${safeLine(id)}`)];
    lines.push(...safeText(text.trimEnd()).split('\n'));
    for (const reply of replies) {
      const head = `${safeLine(reply.author)}, ${age(reply.postedAt, nowMs)}: `;
      const [first = '', ...rest] = safeText(reply.text.trimEnd()).split('\n');
      lines.push(`  ${strong(head)}${first}`, ...rest.map((line) => `  ${line}`));
    }
    if (error !== undefined) lines.push(`  Replies not read: ${safeLine(error.message)}`);
    return lines;
  };
  return {
    begin({ request: { number, subject, status, createdBy, updatedAt } }) {
      const author = createdBy === undefined ? '' : ` by ${safeLine(createdBy.displayName)}`;
      const facts = `${safeLine(status)}${author}, updated ${age(updatedAt, nowMs)}`;
      return `${strong(`Change request ${number}: ${safeLine(subject)}`)}\n${facts}\n\n`;
    },
    item({ comments, ...reviewed }) {
      const head =
        reviewed.kind === 'change-request'
          ? `\n${strong('Comments on the change request')}\n`
          : report.changed(diffPart(reviewed as ContentChange));
      const resolved = comments.filter(({ status }) => status === 'resolved').length;
      const threads = comments.filter(({ status }) => status !== 'resolved').map(threadLines);
      if (resolved > 0) threads.push([quiet(counted(resolved, 'resolved thread'))]);
      const blocks = threads.map((lines) => lines.map((line) => `${bar}${line}`.trimEnd()).join('\n'));
      return blocks.length === 0 ? head : `${head}${blocks.join(`\n${bar.trimEnd()}\n`)}\n`;
    },
  };
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
    const message = `Interrupted; ${counted(sent.comments, 'comment')} had been sent.`;
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
    if (edits) await editFile(session.io, file, 'docs comments create --help');
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

/** A command that was chosen failed, and has said why. */
class CommandEnded extends DocsError {
  readonly #code: number;

  constructor(code: number) {
    super('partial', 'command_failed', `The command exited with code ${code}`);
    this.#code = code;
  }

  override get isTold(): boolean {
    return true;
  }

  override get exitCode(): number {
    return this.#code;
  }
}
