import { resolve } from 'node:path';
import { Type } from '../api/type.js';
import type { ManualInput } from '../cli/declare/command.js';
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
    option('--install', 'Show the lines, ask, and write them'),
    option('--uninstall', 'Take the lines out again', { conflicts: ['install'] }),
    option('--file <file>', "Start-up file, instead of the shell's own"),
  ],
  returns: Type.Union([
    Type.String({ description: 'The script' }),
    done(oneOf('installed', 'up-to-date', 'uninstalled', 'not-installed', 'not-written'), { path: text }),
  ]),
  examples: {
    'completion bash --install': 'install completion for bash',
    'completion zsh': 'print the script, for a folder of fpath',
    'completion bash --uninstall --yes': 'remove completion',
  },
  danger: 'change',
  local: true,
  async run(session, input) {
    const shell = shellOf(input);
    const { install, uninstall, file } = input.options;
    if (install !== true && uninstall !== true) {
      if (file !== undefined) throw usageError('contradiction', '--file goes with --install or --uninstall.');
      return session.printer.text(scripts[shell]);
    }
    const path = typeof file === 'string' ? resolve(session.io.cwd, file) : startupFile(shell, session.io);
    if (install === true) await installIn(session, shell, withBlock(path, shell));
    else await uninstallFrom(session, shell, withoutBlock(path));
  },
});

function shellOf({ args }: ManualInput): Shell {
  const shell = shells.find((name) => name === args.shell);
  if (shell !== undefined) return shell;
  throw usageError('missing_argument', `<shell> is required: one of ${shells.join(', ')}.`);
}

async function installIn(session: Session, shell: Shell, change: FileChange): Promise<void> {
  const { path, before, after } = change;
  if (before === after) {
    return session.printer.done({ id: shell, status: 'up-to-date', path }, `${path} has the lines already.`);
  }
  session.printer.note(`These lines go into ${path}:\n\n${blockOf(shell)}`);
  if (!(await mayWrite(session, shell, path, 'Write them?'))) return;
  await writeChange(change);
  const sentence = `Completion is in ${path}. Open a new ${shell} to use it.`;
  await session.printer.done({ id: shell, status: 'installed', path }, sentence);
}

async function uninstallFrom(session: Session, shell: Shell, change: FileChange): Promise<void> {
  const { path, before, after } = change;
  if (before === after) {
    return session.printer.done(
      { id: shell, status: 'not-installed', path },
      `${path} has no lines of docs.`,
    );
  }
  session.printer.note(`The lines between the marks of docs go out of ${path}.`);
  if (!(await mayWrite(session, shell, path, 'Take them out?'))) return;
  await writeChange(change);
  await session.printer.done({ id: shell, status: 'uninstalled', path }, `Completion is out of ${path}.`);
}

/** Whether the file may be changed. With `--dry-run` it may not, which is said. */
async function mayWrite(session: Session, shell: Shell, path: string, question: string): Promise<boolean> {
  const { globals, interactive, printer } = session;
  if (globals.dryRun) {
    await printer.done({ id: shell, status: 'not-written', path }, `Dry run: ${path} stays as it is.`);
    return false;
  }
  if (globals.yes) return true;
  if (!interactive) {
    const message = `Changing ${path} needs a yes, and nobody can be asked here. Add --yes.`;
    throw usageError('not_confirmed', message);
  }
  if (await askYes(session, question)) return true;
  throw usageError('not_confirmed', 'Not confirmed; nothing was written.');
}
