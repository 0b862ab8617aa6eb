import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { refuseDenied, refuseLink, refuseOwn } from '../../files/asked-file.js';
import { type Command, camel, type ManualInput } from '../declare/command.js';
import type { Session } from '../declare/session.js';

/** The files and directories that the flags of a command line name to be written. */

/** One of them. */
export interface WrittenFile {
  /** Absolute. */
  path: string;
  /** As typed. */
  name: string;
  isFolder: boolean;
  /** Whether this command writes it, and not only what it starts, or with another flag. */
  isNow: boolean;
}

/** @param cwd what paths are relative to */
export function writtenFiles(
  { options }: Pick<Command, 'options'>,
  input: Pick<ManualInput, 'options'>,
  cwd: string,
): WrittenFile[] {
  return options.flatMap(({ name, path, value }) => {
    // A file to edit is below the folder of another flag.
    if (path?.use !== 'writes' || name === 'editor') return [];
    const isTyped = path.with === undefined || input.options[camel(path.with)] !== undefined;
    const isNow = isTyped && path.later !== true;
    return [input.options[camel(name)] ?? []].flat().flatMap((word) => {
      if (typeof word !== 'string' || word === '' || word === '-') return [];
      return [{ path: resolve(cwd, word), name: word, isFolder: value === '<folder>', isNow }];
    });
  });
}

/**
 * Refuses what no flag may write, before anything is read: what docs or a policy owns, links in place of files, and what
 * a policy does not let a command write. Commands that work on this machine follow links, such as that of a start-up file
 * of the shell.
 * @throws DocsError usage `own_file`; local-io `unsafe_link`; forbidden `policy_denied`
 */
export async function refuseFiles(
  { io }: Pick<Session, 'io'>,
  command: Pick<Command, 'options' | 'effect'>,
  input: Pick<ManualInput, 'options'>,
): Promise<void> {
  for (const { path, name, isFolder, isNow } of writtenFiles(command, input, io.cwd)) {
    await refuseOwn(io, path, name);
    if (command.effect !== 'local' && !isDirectory(path)) refuseLink(path, name);
    if (isNow) await refuseDenied(io, path, name, isFolder);
  }
}

/** Whether a path leads to a folder, into which files of other names are written. */
function isDirectory(path: string): boolean {
  try {
    return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true;
  } catch {
    return false; // Links that form a loop.
  }
}
