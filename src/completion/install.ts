import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, posix, win32 } from 'node:path';
import { DocsError } from '../errors.js';
import { writeFileAtomically } from '../files/atomic-write.js';
import { localIoError } from '../files/local-io-error.js';
import type { Io } from '../io.js';
import { homeFolder } from '../settings/paths.js';
import { systemCode } from '../system-error.js';
import { type Shell, scripts } from './scripts/index.js';

/** A few marked lines in the start-up file of a shell, which load the completion at its first use. */

const begin = '# >>> docs completion >>>';
const end = '# <<< docs completion <<<';

/**
 * The lines for each shell. Starting the shell stays as fast as it was, and an update of docs needs no
 * new lines: the script is asked for at the first completion.
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
  // A profile has nothing that is loaded later, so the script itself stands there.
  powershell: scripts.powershell.trimEnd().split('\n'),
};

/** The marked lines that `--install` writes. */
export function blockOf(shell: Shell): string {
  const about = `# Written by docs completion ${shell} --install; --uninstall takes it out.`;
  return `${[begin, about, ...loaders[shell], end].join('\n')}\n`;
}

/** The start-up file of a shell. */
export function startupFile(shell: Shell, io: Io): string {
  const { join } = io.platform === 'win32' ? win32 : posix;
  const home = homeFolder(io);
  const folder = (variable: string, usual: string): string => io.env[variable] || join(home, usual);
  switch (shell) {
    case 'bash':
      // A terminal of macOS starts login shells, which read this one alone.
      return join(home, io.platform === 'darwin' ? '.bash_profile' : '.bashrc');
    case 'zsh':
      return join(folder('ZDOTDIR', ''), '.zshrc');
    case 'fish':
      return join(folder('XDG_CONFIG_HOME', '.config'), 'fish', 'completions', 'docs.fish');
    case 'powershell': {
      const name = 'Microsoft.PowerShell_profile.ps1';
      return io.platform === 'win32'
        ? join(home, 'Documents', 'PowerShell', name)
        : join(folder('XDG_CONFIG_HOME', '.config'), 'powershell', name);
    }
  }
}

/** A start-up file as it is, and as it would be. */
export interface FileChange {
  path: string;
  before: string;
  after: string;
}

/**
 * The file with the block at its end, or in the place of an older one.
 * @throws DocsError local-io where the file cannot be read, or its marks do not pair
 */
export function withBlock(path: string, shell: Shell): FileChange {
  const before = textOf(path);
  const block = blockOf(shell);
  const found = marked(path, before);
  if (found !== undefined) return { path, before, after: found.above + block + found.below };
  const gap = before === '' ? '' : before.endsWith('\n') ? '\n' : '\n\n';
  return { path, before, after: before + gap + block };
}

/** The file without the block, and without the blank line that came with it. */
export function withoutBlock(path: string): FileChange {
  const before = textOf(path);
  const found = marked(path, before);
  if (found === undefined) return { path, before, after: before };
  return { path, before, after: found.above.replace(/\n\n$/, '\n') + found.below };
}

/** Writes the change: whole or not at all, with the permissions that the file had. */
export async function writeChange({ path, after }: FileChange): Promise<void> {
  const mode = modeOf(path);
  try {
    mkdirSync(dirname(path), { recursive: true });
  } catch (error) {
    throw localIoError(error, `Cannot write ${path}`);
  }
  await writeFileAtomically(path, after);
  chmodSync(path, mode ?? 0o644);
}

function modeOf(path: string): number | undefined {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats === undefined ? undefined : stats.mode & 0o777;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return '';
    throw localIoError(error, `Cannot read ${path}`);
  }
}

/** What stands above and below the block; undefined where there is none. */
function marked(path: string, text: string): { above: string; below: string } | undefined {
  const from = text.indexOf(`${begin}\n`);
  const to = text.indexOf(end);
  if (from < 0 && to < 0) return undefined;
  const nextBegin = text.indexOf(begin, from + 1);
  if (from < 0 || to < from || (nextBegin >= 0 && nextBegin < to)) throw unpaired(path);
  const after = to + end.length;
  return { above: text.slice(0, from), below: text.slice(after).replace(/^\r?\n/, '') };
}

function unpaired(path: string): DocsError {
  const message = `${path}: the lines "${begin}" and "${end}" do not pair; mend them by hand.`;
  return new DocsError('local-io', 'broken_marks', message, { outcome: 'not-sent' });
}
