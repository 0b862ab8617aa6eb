import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { refuseLink, refuseOwn } from '../../files/asked-file.js';
import { type Command, camel, type ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';

/**
 * Refuses what no flag may write, before anything is read: what docs or a policy owns, and links in place of files.
 * Commands that work on this machine follow links, such as that of a start-up file of the shell.
 * @throws DocsError usage `own_file`; local-io `unsafe_link`
 */
export async function refuseOwnFiles(
  { io }: Pick<Session, 'io'>,
  { options, effect }: Pick<Command, 'options' | 'effect'>,
  input: Pick<ManualInput, 'options'>,
): Promise<void> {
  for (const { name, path } of options) {
    // A file to edit is below the folder of another flag.
    if (path?.use !== 'writes' || name === 'editor') continue;
    for (const word of [input.options[camel(name)] ?? []].flat()) {
      if (typeof word !== 'string' || word === '' || word === '-') continue;
      const typed = resolve(io.cwd, word);
      await refuseOwn(io, typed, word);
      if (effect !== 'local' && !isFolder(typed)) refuseLink(typed, word);
    }
  }
}

/** Whether a path leads to a folder, into which files of other names are written. */
function isFolder(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false; // Links that form a loop.
  }
}
