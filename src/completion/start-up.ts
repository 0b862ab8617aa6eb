import { chmodSync, statSync } from 'node:fs';
import { dirname, posix, win32 } from 'node:path';
import { DocsError, localIoError, notSent, onDiskSync, usageError } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { makeFolders, readOwnFile } from '../base/own-files.js';
import { writeFileAtomically } from '../base/write-file.js';
import type { Session } from '../cli/declare/session.js';
import { askToGoOn } from '../cli/resolve/prompts.js';
import { checked } from '../output/messages.js';
import { homeFolder } from '../settings/paths.js';
import { type Shell, scripts } from './scripts.js';

const begin = '# >>> docs completion >>>';
const end = '# <<< docs completion <<<';

/**
 * The lines for each shell. They load the script at the first completion, so the shell starts as fast as
 * before and an update of docs needs no new lines.
 */
const loaders: Record<Shell, readonly string[]> = {
  bash: [
    '_docs_load() {',
    '  unset -f _docs_load',
    '  eval "$(command docs completion bash 2>/dev/null)" && return 124',
    '}',
    'complete -F _docs_load docs',
  ],
  zsh: [
    // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the shell's.
    'if (( ! ${+functions[compdef]} )); then autoload -Uz compinit && compinit -i; fi',
    '_docs() {',
    '  unfunction _docs',
    '  eval "$(command docs completion zsh 2>/dev/null)" && _docs "$@"',
    '}',
    'compdef _docs docs',
  ],
  fish: ['command docs completion fish 2>/dev/null | source'],
  // PowerShell cannot load a completer on first use, so the block contains the script.
  powershell: scripts.powershell.trimEnd().split('\n'),
};

/** The marked lines that `--install` writes. */
function blockOf(shell: Shell): string {
  const about = `# Written by docs completion ${shell} --install; --uninstall removes it.`;
  return `${[begin, about, ...loaders[shell], end].join('\n')}\n`;
}

/** The start-up file of a shell. */
export function startupFile(shell: Shell, io: Io): string {
  const { join } = io.platform === 'win32' ? win32 : posix;
  const home = homeFolder(io);
  const folder = (variable: string, usual: string): string => io.env[variable] || join(home, usual);
  // Terminals on macOS start login shells, which read only this file.
  if (shell === 'bash') return join(home, io.platform === 'darwin' ? '.bash_profile' : '.bashrc');
  if (shell === 'zsh') return join(folder('ZDOTDIR', ''), '.zshrc');
  const config = folder('XDG_CONFIG_HOME', '.config');
  if (shell === 'fish') return join(config, 'fish', 'completions', 'docs.fish');
  const around = io.platform === 'win32' ? join(home, 'Documents', 'PowerShell') : join(config, 'powershell');
  return join(around, 'Microsoft.PowerShell_profile.ps1');
}

/** A start-up file before and after a change, a character for each byte: what it is written in stays as it is. */
interface FileChange {
  path: string;
  before: string;
  after: string;
}

/**
 * Adds the block at the end of the file, or replaces an older one.
 * @throws DocsError local-io if the file cannot be read, is UTF-16, or its markers do not match
 */
export function withBlock(path: string, shell: Shell): FileChange {
  const before = textOf(path);
  const block = Buffer.from(blockOf(shell)).toString('latin1');
  const found = marked(path, before);
  if (found) return { path, before, after: found.above + block + found.below };
  const gap = before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  return { path, before, after: before + gap + block };
}

/** Removes the block and the blank line before it. */
export function withoutBlock(path: string): FileChange {
  const before = textOf(path);
  const found = marked(path, before);
  const after = found ? found.above.replace(/\n\n$/, '\n') + found.below : before;
  return { path, before, after };
}

/** Writes the change atomically and keeps the permissions of the file. */
async function writeChange({ path, after }: FileChange): Promise<void> {
  const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0o644) & 0o777;
  onDiskSync(`cannot write ${path}`, () => makeFolders(dirname(path)));
  await writeFileAtomically(path, Buffer.from(after, 'latin1'));
  chmodSync(path, mode);
}

function textOf(path: string): string {
  let text: string;
  try {
    text = readOwnFile(path, { follow: true })?.toString('latin1') ?? '';
  } catch (error) {
    throw error instanceof DocsError ? error : localIoError(error, `cannot read ${path}`);
  }
  if (!/^(?:\xff\xfe|\xfe\xff)/.test(text)) return text;
  throw notSent('local-io', 'bad_encoding', `${path} is UTF-16; save it as UTF-8. Nothing was written.`);
}

/** The text above and below the block; undefined if there is no block. */
function marked(path: string, text: string): { above: string; below: string } | undefined {
  const from = text.search(new RegExp(`${begin}\\r?\\n`));
  const to = text.indexOf(end);
  if (from < 0 && to < 0) return undefined;
  const nextBegin = text.indexOf(begin, from + 1);
  if (from < 0 || to < from || (nextBegin >= 0 && nextBegin < to)) {
    const message = `${path}: the marker lines "${begin}" and "${end}" do not match; edit the file by hand`;
    throw notSent('local-io', 'broken_marks', message);
  }
  const after = to + end.length;
  return { above: text.slice(0, from), below: text.slice(after).replace(/^\r?\n/, '') };
}

/** Shows a change of a start-up file, asks, and writes it. */
export async function carryOutChange(session: Session, shell: Shell, change: FileChange, installs: boolean) {
  const { path, before, after } = change;
  const { printer } = session;
  if (before === after) {
    const status = installs ? 'up-to-date' : 'not-installed';
    const said = installs ? 'already has the lines' : 'does not load the completion of docs';
    return printer.done({ id: shell, status, path }, `${path} ${said}.`);
  }
  printer.note(
    installs
      ? `Lines to add to ${path}:\n\n${blockOf(shell)}`
      : `Lines to remove from ${path}: the block marked as completion of docs.`,
  );
  if (!(await mayWrite(session, shell, path, installs ? 'Add them?' : 'Remove them?'))) return;
  await writeChange(change);
  const status = installs ? 'installed' : 'uninstalled';
  const sentence = installs
    ? `Installed completion in ${path}. Open a new ${shell} to use it.`
    : `Removed completion from ${path}.`;
  await printer.done({ id: shell, status, path }, checked(session.io, sentence));
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
    const message = `changing ${path} requires confirmation, and there is no terminal to ask on. Add --yes.`;
    throw usageError('not_confirmed', message);
  }
  await askToGoOn(session, question, 'written');
  return true;
}
