/** A path as one word of a command line that the person can paste: for hints. */
export function shellWord(text: string, platform: NodeJS.Platform): string {
  if (/^[\w@%+=:,./\\-]+$/.test(text) && (platform === 'win32' || !text.includes('\\'))) return text;
  return platform === 'win32' ? `"${text}"` : `'${text.replaceAll("'", "'\\''")}'`;
}

/** The command that opens a file for mending. */
export function editCommand(path: string, platform: NodeJS.Platform): string {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the braces are the shell's.
  const editor = platform === 'win32' ? 'notepad' : '${EDITOR:-vi}';
  return `${editor} ${shellWord(path, platform)}`;
}

/** The command that gives files back to the person who runs it. */
export function ownCommand(paths: readonly string[], platform: NodeJS.Platform): string {
  const words = paths.map((path) => shellWord(path, platform)).join(' ');
  return platform === 'win32' ? `takeown /f ${words}` : `sudo chown "$(id -u)" ${words}`;
}
