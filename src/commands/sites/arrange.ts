import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { DocsError, localIoError, usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import { decodeText } from '../../base/text-encoding.js';
import { defined } from '../../base/values.js';
import type { GroupEntry, ManualInput } from '../../cli/declare/command.js';
import { atPlace } from '../../cli/declare/global-flags.js';
import type { Session } from '../../cli/declare/session.js';
import { readSource } from '../../cli/parse/typed-text.js';
import { beginChange } from '../../cli/run/carry-out.js';
import { draftsFolder, editFile } from '../../cli/run/editor.js';
import { isStructured, noteSaid, wantsRows } from '../../cli/run/output.js';
import { checkedReadingOf } from '../../cli/run/reading-of.js';
import { checkNewFile } from '../../cli/run/written-files.js';
import { writeAskedFile } from '../../files/asked-file.js';
import { csvWriter } from '../../output/formats.js';
import type { View } from '../../output/printer.js';
import { showProgress } from '../../output/progress.js';
import { terminalWidth } from '../../output/terminal.js';
import { counted, safeLine } from '../../output/text.js';
import { addressNotes, brokenLinks, redirectRows } from '../../site-tree/addresses.js';
import {
  type Arrangement,
  type ArrangeOptions,
  leftToDo,
  planArrange,
  readTree,
} from '../../site-tree/plan-arrange.js';
import { type LiveSite, readLiveSite, treeOf } from '../../site-tree/read-site.js';
import { type ParsedTree, type TreeNode, treeText } from '../../site-tree/text.js';
import type { Reading } from '../../snapshot/unread.js';
import { propose } from '../shared/propose.js';

/**
 * `docs sites tree` prints the tree of a site; `docs sites arrange` makes a text of it a plan, and the plan a job.
 */

const reads = 'Reading the site';

interface Arranging {
  reading: Reading;
  site: string;
  tree: ParsedTree;
  options: ArrangeOptions;
}

/**
 * @throws DocsError usage `bad_tree`, `empty_tree`, `missing_lines`; partial `left_over`, `arrange_goes_on`; as
 *   `propose`
 */
export async function arrangeSite(
  session: Session,
  input: ManualInput,
  groups: readonly GroupEntry[],
): Promise<void> {
  await beginChange(session, { results: { plan: true } });
  const redirects = typeof input.options.redirects === 'string' ? input.options.redirects : undefined;
  if (redirects !== undefined) await checkNewFile(session, redirects, '--redirects');
  const typed = typeof input.args.tree === 'string' ? input.args.tree : undefined;
  if (typed === undefined) requireEditor(session, input);
  const given = typed === undefined ? undefined : await givenText(session, typed);
  // Mistakes in the text itself are reported before anything is read.
  const tree = given && readTree(given.text, given);
  const reading = await checkedReadingOf(session, input);
  const site = String(input.args.site);
  const read = await showProgress(session, reads, () =>
    readLiveSite(reading.client, reading.organizationId, site),
  );
  const prune = input.options.prune === true;
  if (tree !== undefined && given !== undefined)
    return arrange(
      session,
      input,
      groups,
      { reading, site, tree, options: { file: given.file, prune } },
      read,
    );
  const edited = await editTree(session, read);
  if (edited === undefined) return;
  await keeping(session, read, edited, async () => {
    const file = 'the edited text';
    const own = readTree(edited.text, { file });
    const now = await showProgress(session, reads, () =>
      readLiveSite(reading.client, reading.organizationId, site),
    );
    refuseChanged(read, now);
    const arranging = { reading, site, tree: own, options: { file, prune } };
    await arrange(session, input, groups, arranging, now);
    return session.globals.dryRun !== true && session.savePlan === undefined;
  });
}

/** A text says all of a tree, so it would take back what others have done since. @throws DocsError conflict `site_changed` */
function refuseChanged(before: LiveSite, now: LiveSite): void {
  const textOf = (one: LiveSite) => treeText(treeOf(one), { urls: false });
  if (textOf(before) === textOf(now)) return;
  const { id, title } = now.site;
  const message = `the site ${safeLine(title)} changed while you edited its tree; nothing was changed`;
  throw new DocsError('conflict', 'site_changed', message, {
    outcome: 'not-sent',
    lines: ['Your text would take those changes back; apply it as it is only if it may.'],
    hint: `docs sites tree ${id}`,
  });
}

async function arrange(
  session: Session,
  input: ManualInput,
  groups: readonly GroupEntry[],
  arranging: Arranging,
  read: LiveSite,
): Promise<void> {
  const { reading, tree, options } = arranging;
  const found = await showProgress(session, reads, () => planArrange(reading, read, tree, options));
  tellRedirects(session, input, found);
  const isApplied = await propose(session, input, groups, {
    command: 'sites arrange',
    organization: reading.organizationId,
    drafts: found.drafts,
    risks: found.risks,
    notes: [...found.notes, ...addressNotes(found.addresses)],
    impact: (open) => brokenLinks({ ...reading, ...open }, read, found.addresses),
    nothing: `The site ${read.site.title} is as in ${options.file}.`,
    agreed: () => writeRedirects(session, input, found),
  });
  if (isApplied) await readBack(session, arranging);
}

/** The text that an argument names. @throws DocsError usage `invalid_input`; as `readSource` */
async function givenText(session: Session, typed: string): Promise<{ text: string; file: string }> {
  if (typed === '-') return { text: await readSource(session, '-', '<tree>'), file: 'standard input' };
  if (typed.startsWith('@')) {
    const file = typed.slice(1);
    return { text: await readSource(session, file, '<tree>'), file };
  }
  const word = shellWord(`@${typed}`, session.io.platform);
  throw usageError('invalid_input', `<tree>: expected @file or -, not ${JSON.stringify(typed)}`, {
    hint: `docs sites arrange <site> ${word}`,
  });
}

function tellRedirects({ globals, printer }: Session, { options }: ManualInput, found: Arrangement): void {
  const count = redirectRows(found.addresses).length - 1;
  const { redirects: file } = options;
  if (typeof file !== 'string') {
    if (count > 0)
      printer.note(`${counted(count, 'redirect')} to add; --redirects <file> writes them as CSV.`);
  } else if (globals.dryRun) printer.note(`Dry run: did not write ${file}.`);
}

/** Before anything is sent: afterwards no read tells the old addresses. */
async function writeRedirects(session: Session, { options }: ManualInput, found: Arrangement): Promise<void> {
  const { io } = session;
  const rows = redirectRows(found.addresses);
  const { redirects: file } = options;
  if (typeof file !== 'string') return;
  await writeAskedFile(io, resolve(io.cwd, file), (await csvWriter(false))(rows));
  await noteSaid(session, `Wrote ${counted(rows.length - 1, 'redirect')} to ${file}.`);
}

/** An answer of the platform alone proves nothing. @throws DocsError partial `arrange_goes_on` */
async function readBack(session: Session, { reading, site, tree, options }: Arranging): Promise<void> {
  const { globals, io } = session;
  const left = await showProgress(session, reads, async () => {
    const read = await readLiveSite(reading.client, reading.organizationId, site);
    return (await leftToDo(reading, read, tree, options)).filter(({ change }) => change !== undefined);
  });
  if (left.length === 0) {
    const said = `Arranged the site as in ${options.file}; reading it again confirms that.`;
    return noteSaid(session, `Read again: the site is as in ${options.file}.`, said);
  }
  const hint = atPlace(`docs sites tree ${site}`, globals, io.platform);
  throw new DocsError(
    'partial',
    'arrange_goes_on',
    `read again: ${counted(left.length, 'change')} left until the site is as in ${options.file}`,
    { hint, retryable: true, details: { left: left.length } },
  );
}

/** The tree of a site in the editor of whoever runs the command. */

interface Edited {
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
  '* marks the item that opens first. New: [group], [section], [space <id of the space>].',
  'Put a title with unusual characters in quotes, as in JSON.',
  'Save an empty or unchanged text to change nothing.',
  '',
];

/** @throws DocsError usage `missing_argument` where there is no terminal for an editor */
function requireEditor({ interactive }: Session, { args }: ManualInput): void {
  if (interactive) return;
  const hint = `docs sites arrange ${String(args.site)} @tree.txt`;
  throw usageError('missing_argument', 'missing argument <tree>: @file, or - for standard input', { hint });
}

/**
 * @returns undefined where the text was left as it is
 * @throws DocsError usage `empty_tree`; local-io `editor_failed`, or where the text cannot be read: nothing was changed
 */
async function editTree(session: Session, read: LiveSite): Promise<Edited | undefined> {
  const { io, printer } = session;
  const before = treeText(treeOf(read), { urls: false, head: help });
  const path = join(await mkdtemp(join(await draftsFolder(io), 'tree-')), 'tree.txt');
  const edited: Edited = { path, before, text: before };
  await writeFile(path, before, { mode: 0o600 });
  try {
    const hint = `EDITOR=nano docs sites arrange ${shellWord(read.site.id, io.platform)}`;
    await editFile(io, path, { hint, instead: 'Pass @file, or - for standard input, instead.' });
    edited.text = await readEdited(path);
  } catch (cause) {
    throw await kept(session, read, edited, cause);
  }
  if (edited.text.trim() === '') {
    await clear(edited);
    throw usageError('empty_tree', 'the text is empty; nothing was changed');
  }
  if (edited.text !== before) return edited;
  await clear(edited);
  printer.note('The text was not changed, so nothing was sent.');
  return undefined;
}

async function readEdited(path: string): Promise<string> {
  const bytes = await readFile(path).catch((cause: unknown) => {
    throw localIoError(cause, `cannot read the edited text ${path}; nothing was changed`);
  });
  return decodeText(bytes, path).replaceAll(/\r\n?/g, '\n');
}

/** Nobody writes a text twice: it stays until the site is as it says. @throws what the work throws */
async function keeping(
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
  const { next = [] } = cause.failure;
  return cause.changed({ next: [{ command, when: 'to go on with your text' }, ...next] });
}

function again({ io, globals }: Session, { site }: LiveSite, { path }: Edited): string {
  const words = [site.id, `@${path}`].map((word) => shellWord(word, io.platform));
  return atPlace(`docs sites arrange ${words.join(' ')}`, globals, io.platform);
}

function clear({ path }: Edited): Promise<void> {
  return rm(dirname(path), { recursive: true, force: true });
}

/** `docs sites tree`: text for people and their editors, or a row for each part. @throws DocsError as the reads */
export async function printTree(session: Session, input: ManualInput, view: View): Promise<void> {
  const { io, printer, settings } = session;
  const isText = !isStructured(session) && !wantsRows(session) && settings.fields === undefined;
  await printer.check(view);
  const reading = await checkedReadingOf(session, input);
  const site = await readLiveSite(reading.client, reading.organizationId, String(input.args.site));
  const tree = treeOf(site);
  if (!isText) {
    await printer.list([...rowsOf(tree.nodes, 0)], { ...view, depth: 'depth' });
    return;
  }
  const columns = io.stdout.isTTY === true ? terminalWidth(io) : undefined;
  const text = treeText(tree, { urls: input.options.urls !== false, columns });
  await printer.painted(text);
  if (tree.nodes.length === 0) printer.note(view.empty ?? '');
}

function* rowsOf(
  nodes: readonly TreeNode[],
  depth: number,
  parent?: string,
): Generator<Record<string, unknown>> {
  for (const { kind, id, space, title, path, isDefault, url, children } of nodes) {
    yield defined({ kind, depth, title, path, default: isDefault, url, id, space, parent });
    yield* rowsOf(children, depth + 1, id);
  }
}
