import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DocsError } from '../../../base/errors.js';
import { shellWord } from '../../../base/shell-word.js';
import { atPlace, wordsOf } from '../../../cli/declare/place-flags.js';
import type { RunLine } from '../../../cli/declare/run-line.js';
import type { Session } from '../../../cli/declare/session.js';
import { askFor, askText } from '../../../cli/resolve/prompts.js';
import { draftsFolder } from '../../../cli/run/drafts.js';
import { editFile, editorOf } from '../../../cli/run/editor.js';
import { counted } from '../../../output/counted.js';
import { safeLine } from '../../../output/safe-text.js';
import type { OpenDiff } from '../diff/open.js';

/** What a reviewer does next. Each choice runs the command that does it, with its questions, its job and its undo. */

/** @throws DocsError interrupted; with the exit code of a command that failed, which has said why */
export async function decide(open: OpenDiff, runLine: RunLine): Promise<void> {
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
  const command = ['docs', ...words.map((word) => shellWord(word, io.platform))].join(' ');
  printer.warn(`Your text is in ${file}; "${atPlace(command, globals, io.platform)}" sends it.`);
}

/** The flags of this command line that the next one needs, too. */
function platformWords({ globals, io }: Session): string[] {
  const { caFile, timeout, maxAttempts } = globals;
  const named = { 'ca-file': caFile, timeout, 'max-attempts': maxAttempts };
  return [
    ...wordsOf(atPlace('docs change-requests', globals, io.platform)).slice(2),
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
