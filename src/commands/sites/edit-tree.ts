import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DocsError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { localIoError } from '../../base/system-errors.js';
import { decodeText } from '../../base/text-encoding.js';
import type { ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/place-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { draftsFolder } from '../../cli/run/drafts.js';
import { editFile } from '../../cli/run/editor.js';
import { type LiveSite, treeOf } from '../../site-tree/read-site.js';
import { treeText } from '../../site-tree/text.js';

/** The tree of a site in the editor of whoever runs the command. */

export interface Edited {
  path: string;
  /** What was opened. */
  before: string;
  text: string;
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
 * @throws DocsError usage `empty_tree`; local-io `editor_failed`, or where the text cannot be read: nothing was changed
 */
export async function editTree(session: Session, read: LiveSite): Promise<Edited | undefined> {
  const { io, printer } = session;
  const before = treeText(treeOf(read), { urls: false, head: help });
  const path = join(await mkdtemp(join(await draftsFolder(io), 'tree-')), 'tree.txt');
  const edited: Edited = { path, before, text: before };
  await writeFile(path, before, { mode: 0o600 });
  try {
    await editFile(io, path, `EDITOR=nano docs sites arrange ${shellWord(read.site.id, io.platform)}`);
    edited.text = await readEdited(path);
  } catch (cause) {
    throw await kept(session, read, edited, cause);
  }
  if (edited.text.trim() === '') {
    await clear(edited);
    throw usageError('empty_tree', 'The text is empty; nothing was changed.');
  }
  if (edited.text !== before) return edited;
  await clear(edited);
  printer.note('The text was not changed, so nothing was sent.');
  return undefined;
}

async function readEdited(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw localIoError(cause, `Cannot read the edited text ${path}; nothing was changed`);
  });
  return decodeText(bytes, path).replaceAll(/\r\n?/g, '\n');
}

/** Nobody writes a text twice: it stays until the site is as it says. @throws what the work throws */
export async function keeping(
  session: Session,
  read: LiveSite,
  edited: Edited,
  work: () => Promise<boolean>,
): Promise<void> {
  let isDone = false;
  try {
    isDone = await work();
  } catch (cause) {
    throw await kept(session, read, edited, cause);
  }
  if (isDone) await clear(edited);
  else
    session.printer.note(`Your text is in ${edited.path}; "${again(session, read, edited)}" uses it again.`);
}

/** Keeps the text where it differs from what was opened. @returns the failure, which names its file */
async function kept(session: Session, read: LiveSite, edited: Edited, cause: unknown): Promise<unknown> {
  const text = await readFile(edited.path, 'utf8').catch(() => '');
  if (text === edited.before || text.trim() === '') {
    await clear(edited);
    return cause;
  }
  const command = again(session, read, edited);
  session.printer.warn(`Your text is in ${edited.path}; "${command}" uses it again.`);
  if (!(cause instanceof DocsError)) return cause;
  const { kind, code, message, failure } = cause;
  const next = [{ command, when: 'to go on with your text' }, ...(failure.next ?? [])];
  return new DocsError(kind, code, message, { ...failure, next });
}

function again({ io, globals }: Session, { site }: LiveSite, { path }: Edited): string {
  const words = [site.id, `@${path}`].map((word) => shellWord(word, io.platform));
  return atPlace(`docs sites arrange ${words.join(' ')}`, globals, io.platform);
}

function clear({ path }: Edited): Promise<void> {
  return rm(dirname(path), { recursive: true, force: true });
}
