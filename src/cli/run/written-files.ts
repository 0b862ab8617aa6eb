import { statSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { localIoError, systemCode, usageError } from '../../base/errors.js';
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

/**
 * Checks that a file can be written, before anything is read; asks before one is overwritten.
 * @param typed the value of the flag
 * @throws DocsError usage `bad_value`, `file_exists`; local-io
 */
export async function checkNewFile(session: Session, typed: string, flag: string): Promise<void> {
  const { io, globals } = session;
  if (typed === '' || typed === '-')
    throw usageError('bad_value', `${flag} must be the path of a file, not ${JSON.stringify(typed)}`);
  const path = resolve(io.cwd, typed);
  const found = await onDisk(path);
  const folder = await onDisk(dirname(path));
  if (found?.isDirectory()) throw localIoError(systemError('EISDIR'), `cannot write ${typed}`);
  if (!folder?.isDirectory()) throw localIoError(systemError('ENOENT'), `cannot write ${typed}`);
  if (found === undefined || globals.yes) return;
  if (session.interactive) {
    const { askYes } = await import('../resolve/prompts.js');
    if (await askYes(session, `Overwrite ${typed}?`)) return;
  }
  const message = `${typed} already exists; nothing was written. Add --yes to overwrite it, or choose another name.`;
  throw usageError('file_exists', message);
}

function systemError(code: string): Error {
  return Object.assign(new Error(code), { code });
}

async function onDisk(path: string) {
  try {
    return await stat(path);
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT' || systemCode(cause) === 'ENOTDIR') return undefined;
    throw localIoError(cause, `cannot read ${path}`);
  }
}
