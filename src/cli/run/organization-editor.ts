import { type Stats, statSync } from 'node:fs';
import { isAbsolute, relative, resolve } from 'node:path';
import { usageError } from '../../base/errors.js';
import { shellWord } from '../../base/shell-word.js';
import type { ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';
import { editFile } from './editor.js';
import { folderOf, typedFolder } from './organization-folder.js';
import { reportPage } from './report-page.js';

/**
 * `docs plan --editor [file]`: opens org.yaml, or another file of the folder, before the files are read. What was
 * written stays, whatever the plan says of it.
 * @throws DocsError usage `no_terminal`, `no_such_file`; local-io `editor_failed`
 */
export async function editOrganizationFile(session: Session, input: ManualInput): Promise<void> {
  const { editor } = input.options;
  if (!session.interactive) {
    const message = '--editor needs a terminal, and questions are off here; nothing was opened';
    throw usageError('no_terminal', message);
  }
  const { platform } = session.io;
  const folder = folderOf(session.io, input);
  const name = typeof editor === 'string' ? editor : 'org.yaml';
  const path = resolve(folder, name);
  const inside = relative(folder, path);
  const stats = statOf(path);
  if (inside.startsWith('..') || isAbsolute(inside) || stats?.isFile() !== true) {
    const message = `${name} is not a file in ${typedFolder(input)}; nothing was opened`;
    throw usageError('no_such_file', message, {
      hint: `${platform === 'win32' ? 'dir' : 'ls'} ${shellWord(typedFolder(input), platform)}`,
    });
  }
  // A page that cannot be written is refused before somebody has written a text.
  await reportPage(session, input);
  const hint = `EDITOR=nano docs ${session.line.join(' ')}`;
  await editFile(session.io, path, { hint, instead: `Edit ${name} yourself, and leave out --editor.` });
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch {
    return undefined; // It is not there, or cannot be looked at.
  }
}
