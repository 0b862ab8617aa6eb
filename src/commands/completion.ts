import { resolve } from 'node:path';
import { Type } from '../api/type.js';
import { manual } from '../cli/declare/define.js';
import type { Session } from '../cli/declare/session.js';
import { option } from '../cli/declare/standing-flags.js';
import { askYes } from '../cli/resolve/prompts.js';
import {
  blockOf,
  type FileChange,
  startupFile,
  withBlock,
  withoutBlock,
  writeChange,
} from '../completion/install.js';
import { type Shell, scripts, shells } from '../completion/scripts/index.js';
import { usageError } from '../errors.js';
import { done, oneOf, text } from '../output/printed-shapes.js';

/** `docs completion`: the script of a shell, and the lines that load it. */

export const completion = manual({
  name: 'completion',
  summary: 'Set up shell completion',
  why:
    'Prints the completion script; --install adds a marked block that loads it to the start-up file of the ' +
    'shell. Ids are completed with their titles from a cache that is a few minutes old at most.',
  args: {
    '<shell>': {
      description: `One of ${shells.join(', ')}`,
      choices: shells,
      closed: true,
      choiceError: 'unknown_shell',
    },
  },
  options: [
    option('--install', 'Add the lines to the start-up file, after showing them'),
    option('--uninstall', 'Remove the lines from the start-up file', { conflicts: ['install'] }),
    option('--file <file>', "Start-up file; default: the shell's own"),
  ],
  returns: Type.Union([
    Type.String({ description: 'The script' }),
    done(oneOf('installed', 'up-to-date', 'uninstalled', 'not-installed', 'not-written'), { path: text }),
  ]),
  examples: {
    'completion bash --install': 'install completion for bash',
    'completion zsh': 'print the script, to save in a folder of fpath',
    'completion bash --uninstall --yes': 'remove completion',
  },
  danger: 'change',
  local: true,
  async run(session, { args, options }) {
    const shell = args.shell as Shell;
    const { install, uninstall, file } = options;
    if (install !== true && uninstall !== true) {
      if (file !== undefined) throw usageError('contradiction', '--file requires --install or --uninstall.');
      return session.printer.text(scripts[shell]);
    }
    const path = typeof file === 'string' ? resolve(session.io.cwd, file) : startupFile(shell, session.io);
    if (install === true) await installIn(session, shell, withBlock(path, shell));
    else await uninstallFrom(session, shell, withoutBlock(path));
  },
});

async function installIn(session: Session, shell: Shell, change: FileChange): Promise<void> {
  const { path, before, after } = change;
  if (before === after) {
    return session.printer.done({ id: shell, status: 'up-to-date', path }, `${path} already has the lines.`);
  }
  session.printer.note(`Lines to add to ${path}:\n\n${blockOf(shell)}`);
  if (!(await mayWrite(session, shell, path, 'Add them?'))) return;
  await writeChange(change);
  const sentence = `Installed completion in ${path}. Open a new ${shell} to use it.`;
  await session.printer.done({ id: shell, status: 'installed', path }, sentence);
}

async function uninstallFrom(session: Session, shell: Shell, change: FileChange): Promise<void> {
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
  await session.printer.done({ id: shell, status: 'uninstalled', path }, `Removed completion from ${path}.`);
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
