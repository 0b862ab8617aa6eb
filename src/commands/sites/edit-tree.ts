import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { startChild } from '../../child-process.js';
import type { ManualInput } from '../../cli/declare/command.js';
import type { Session } from '../../cli/declare/session.js';
import { DocsError, usageError } from '../../errors.js';
import type { Io } from '../../io.js';
import { shellWord } from '../../settings/shell-word.js';
import { type ReadSite, treeOf } from '../../site-tree/read-site.js';
import { treeText } from '../../site-tree/text.js';

/** The tree of a site in the editor of whoever runs the command. */

interface Edited {
  text: string;
  /** What it is called in messages. */
  file: string;
  /** Does something with the text, which stays where that fails. @throws what the work throws */
  keeping(work: () => Promise<void>): Promise<void>;
}

/** What the comments at the top say. */
const help = [
  '',
  'Move lines to move sections and spaces; two spaces for each level.',
  'Change titles and paths of groups and sections, and the paths of spaces.',
  '* marks what opens first. New: [group], [section], [space <id of the space>].',
  'A title with unusual characters stands in quotes, as in JSON.',
  'Save an empty text, or leave it as it is, to change nothing.',
  '',
];

/** @throws DocsError usage `missing_argument` where there is no terminal for an editor */
export function requireEditor({ interactive }: Session, { args }: ManualInput): void {
  if (interactive) return;
  const hint = `docs sites arrange ${String(args.site)} @tree.txt`;
  throw usageError('missing_argument', 'missing argument <tree>: @file, or - for standard input', { hint });
}

/**
 * @returns undefined where the text was left as it is
 * @throws DocsError usage `editor_failed`, `empty_tree`: nothing was changed
 */
export async function editTree(session: Session, read: ReadSite): Promise<Edited | undefined> {
  const { io, printer } = session;
  const before = treeText(treeOf(read), { urls: false, head: help });
  const folder = await mkdtemp(join(tmpdir(), 'docs-tree-'));
  const path = join(folder, 'tree.txt');
  const clear = () => rm(folder, { recursive: true, force: true });
  try {
    await writeFile(path, before, { mode: 0o600 });
    await runEditor(io, path);
    const text = await readFile(path, 'utf8');
    if (text.trim() === '') throw usageError('empty_tree', 'The text is empty; nothing was changed.');
    if (text !== before)
      return { text, file: 'the edited text', keeping: (work) => keeping(session, read, path, work) };
  } catch (cause) {
    await clear();
    throw cause;
  }
  await clear();
  printer.note('The text is as it was; nothing was changed.');
  return undefined;
}

/** Keeps what was written until it is done: nobody writes it twice. */
async function keeping(
  { printer, io }: Session,
  { site }: ReadSite,
  path: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
    await rm(dirname(path), { recursive: true, force: true });
  } catch (cause) {
    const file = shellWord(`@${path}`, io.platform);
    printer.note(`Your text is kept; "docs sites arrange ${site.id} ${file}" takes it as it is.`);
    throw cause;
  }
}

/** @throws DocsError usage `editor_failed` */
async function runEditor(io: Io, path: string): Promise<void> {
  const isWindows = io.platform === 'win32';
  const editor = io.env.VISUAL || io.env.EDITOR || (isWindows ? 'notepad' : 'vi');
  // It may come with flags of its own: `code --wait`.
  const [program, args] = isWindows
    ? (['cmd', ['/d', '/s', '/c', `"${editor} "${path}""`]] as const)
    : (['sh', ['-c', `${editor} "$1"`, 'sh', path]] as const);
  const options = {
    stdio: 'inherit',
    isUsers: true,
    ...(isWindows && { windowsVerbatimArguments: true }),
  } as const;
  const child = startChild(io, program, args, options);
  const code = await new Promise<number | string>((done) => {
    child.once('error', (cause) => done(cause.message));
    child.once('close', (exit, signal) => done(exit ?? String(signal)));
  });
  if (code === 0) return;
  const hint = 'EDITOR=nano docs sites arrange <site>';
  throw new DocsError(
    'usage',
    'editor_failed',
    `The editor ${editor} ended with ${code}; nothing was changed.`,
    {
      outcome: 'not-sent',
      hint,
    },
  );
}
