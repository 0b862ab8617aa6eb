/**
 * Quotes a path as one word of a command line, for hints that can be pasted. On Windows for cmd and PowerShell alike,
 * as far as they agree: neither has a quotation in which `%` or `$` stand for themselves in the other.
 */
export function shellWord(text: string, platform: NodeJS.Platform): string {
  if (platform === 'win32') return windowsWord(text);
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}

/** PowerShell reads `@name` as a variable, and `a,b` as two words. Programs read `\\"` as a quotation mark. */
function windowsWord(text: string): string {
  if (/^(?!@)[\w@%+=:./\\-]+$/.test(text)) return text;
  return `"${text.replaceAll(/(\\*)"/g, '$1$1\\"').replace(/\\+$/, '$&$&')}"`;
}

/** The words after `docs` as a command line that can be pasted. */
export function commandLine(words: readonly string[], platform: NodeJS.Platform): string {
  return ['docs', ...words.map((word) => shellWord(word, platform))].join(' ');
}

/** The words of a command line with further ones where flags may stand: before `--`. */
export function withFlags(line: readonly string[], ...flags: readonly string[]): string[] {
  const end = line.indexOf('--');
  return line.toSpliced(end < 0 ? line.length : end, 0, ...flags);
}

const quotedWord = () => /(?:'[^']*'|\\'|"[^"]*"|[^\s'"\\]|\\)+/g;

/** What `shellWords` would drop: a quotation mark that is not closed. */
export function unquotedRest(command: string): string {
  return command.replace(quotedWord(), '').trim();
}

/** The words of a command line, without their quotes; nothing is expanded. */
export function shellWords(command: string): string[] {
  const words = command.match(quotedWord()) ?? [];
  return words.map((word) =>
    word.replace(/'([^']*)'|"([^"]*)"|\\'/g, (all, one, two) => one ?? two ?? all.slice(1)),
  );
}

/** The command that opens a file in an editor. */
export function editCommand(path: string, platform: NodeJS.Platform): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the shell's.
  const editor = platform === 'win32' ? 'notepad' : '${EDITOR:-vi}';
  return `${editor} ${shellWord(path, platform)}`;
}

/** The command that makes the current user the owner of files. */
export function ownCommand(paths: readonly string[], platform: NodeJS.Platform): string {
  const words = paths.map((path) => shellWord(path, platform)).join(' ');
  return platform === 'win32' ? `takeown /f ${words}` : `sudo chown "$(id -u)" ${words}`;
}
