import { usageError } from '../base/errors.js';
import type { Session } from '../cli/declare/session.js';
import { askYes } from '../cli/resolve/prompts.js';
import { checked } from '../output/messages.js';
import { blockOf, type FileChange, writeChange } from './install.js';
import type { Shell } from './scripts/index.js';

/** Shows a change of a start-up file, asks, and writes it. */

export async function installIn(session: Session, shell: Shell, change: FileChange): Promise<void> {
  const { path, before, after } = change;
  if (before === after) {
    return session.printer.done({ id: shell, status: 'up-to-date', path }, `${path} already has the lines.`);
  }
  session.printer.note(`Lines to add to ${path}:\n\n${blockOf(shell)}`);
  if (!(await mayWrite(session, shell, path, 'Add them?'))) return;
  await writeChange(change);
  const sentence = `Installed completion in ${path}. Open a new ${shell} to use it.`;
  await session.printer.done({ id: shell, status: 'installed', path }, checked(session.io, sentence));
}

export async function uninstallFrom(session: Session, shell: Shell, change: FileChange): Promise<void> {
  const { path, before, after } = change;
  if (before === after) {
    return session.printer.done(
      { id: shell, status: 'not-installed', path },
      `${path} does not load the completion of docs.`,
    );
  }
  session.printer.note(`Lines to remove from ${path}: the block marked as completion of docs.`);
  if (!(await mayWrite(session, shell, path, 'Remove them?'))) return;
  await writeChange(change);
  const sentence = `Removed completion from ${path}.`;
  await session.printer.done({ id: shell, status: 'uninstalled', path }, checked(session.io, sentence));
}

/** Whether the file may be changed; says so where `--dry-run` forbids it. @throws usage `not_confirmed` */
async function mayWrite(session: Session, shell: Shell, path: string, question: string): Promise<boolean> {
  const { globals, interactive, printer } = session;
  if (globals.dryRun) {
    await printer.done({ id: shell, status: 'not-written', path }, `Dry run: ${path} was not changed.`);
    return false;
  }
  if (globals.yes) return true;
  if (!interactive) {
    const message = `Changing ${path} requires confirmation, and there is no terminal to ask on. Add --yes.`;
    throw usageError('not_confirmed', message);
  }
  if (await askYes(session, question)) return true;
  throw usageError('not_confirmed', 'Not confirmed; nothing was written.');
}
