import { accessSync, constants, statSync } from 'node:fs';
import { posix, win32 } from 'node:path';
import type { Io } from './io.js';

/**
 * The programs that docs itself needs, and on whose answers it relies: git for approvals by merging, ssh-keygen for
 * signatures. They are found in folders of the system, never by PATH: whoever may start docs chooses that.
 */

export type Tool = 'git' | 'ssh-keygen';

const posixFolders = [
  '/usr/bin',
  '/usr/local/bin',
  '/opt/homebrew/bin',
  '/run/current-system/sw/bin',
  '/bin',
];

/** %ProgramFiles% can be set by the caller, too. */
const windowsFolders = [
  'C:\\Program Files\\Git\\cmd',
  'C:\\Program Files\\Git\\usr\\bin',
  'C:\\Windows\\System32\\OpenSSH',
  'C:\\Windows\\System32',
];

/** Where tools are looked for, in order. */
export function toolFolders(platform: NodeJS.Platform): readonly string[] {
  return platform === 'win32' ? windowsFolders : posixFolders;
}

/** The PATH of such a program: it starts others, such as ssh. */
export function toolPath(platform: NodeJS.Platform): string {
  return toolFolders(platform).join(platform === 'win32' ? win32.delimiter : posix.delimiter);
}

/** The absolute path of a program; undefined where no folder has it. */
export function findTool(
  { platform }: Pick<Io, 'platform'>,
  tool: Tool,
  folders: readonly string[] = toolFolders(platform),
): string | undefined {
  const { join } = platform === 'win32' ? win32 : posix;
  return folders
    .map((folder) => join(folder, platform === 'win32' ? `${tool}.exe` : tool))
    .find((path) => isProgram(path));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** The end of a sentence about a program that no folder has. */
export function toolMissing(tool: Tool, platform: NodeJS.Platform): string {
  return `${tool} not found in ${toolFolders(platform).join(', ')}`;
}
