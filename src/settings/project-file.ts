import fs, { type Stats } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { type DocsError, notSent } from '../base/errors.js';
import type { Io } from '../base/io.js';
import { editCommand, ownCommand } from '../base/shell-word.js';
import { readJsonFile, statsOf } from './own-files.js';
import { homeFolder, projectFileName } from './paths.js';

/** The keys allowed in a project file; any other key makes it untrusted. */
const allowed = ['org', 'space', 'site', 'output', 'fields', 'pageSize', 'profile'] as const;
type ProjectKey = (typeof allowed)[number];

/** A project file, parsed: the types of its values are checked, nothing else. */
export interface ProjectFile {
  path: string;
  values: Readonly<ProjectValues>;
}

type ProjectValue = string | number | readonly string[];
type ProjectValues = Partial<Record<ProjectKey, ProjectValue>>;

/**
 * Finds and reads `.docs.json` in the working folder or the nearest one above it (RELIABILITY.md,
 * "Secrets and origins").
 *
 * The search ends at the home directory if the working folder is inside it, otherwise at the root. File
 * and folder must belong to the current user, to root or, under sudo, to the caller; this applies to root
 * too. A file of another user is refused, not skipped: the command would otherwise act on another
 * organization than its author meant. In a world-writable folder, such as /tmp, it is skipped: there
 * anyone could make every command fail.
 * @throws DocsError configuration `untrusted_project_file` (a key beyond those, a foreign owner),
 *   `invalid_project_file`; local-io `cannot_read_settings`
 */
export function readProjectFile(io: Io): ProjectFile | undefined {
  for (const folder of foldersAbove(io)) {
    const path = join(folder, projectFileName);
    const link = statsOf(io, path, fs.lstatSync);
    if (link !== undefined && isTrusted(io, folder, path, link)) return { path, values: valuesOf(io, path) };
  }
  return undefined;
}

function foldersAbove(io: Io): string[] {
  const folders = [resolve(io.cwd)];
  const home = homeOf(io);
  for (;;) {
    const folder = folders.at(-1) ?? '';
    const above = dirname(folder);
    if (above === folder || (home !== undefined && relative(home, folder) === '')) return folders;
    folders.push(above);
  }
}

function homeOf(io: Io): string | undefined {
  try {
    return fs.realpathSync(homeFolder(io));
  } catch {
    return undefined;
  }
}

function isTrusted(io: Io, folder: string, path: string, link: Stats): boolean {
  const uid = process.getuid?.();
  const around = statsOf(io, folder, fs.statSync);
  if (uid === undefined || around === undefined) return true;
  const caller = uid === 0 && io.env.SUDO_UID ? [Number(io.env.SUDO_UID)] : [];
  const target = link.isSymbolicLink() ? statsOf(io, path, fs.statSync) : link;
  const owners = [around, link, ...(target === undefined ? [] : [target])].map((stats) => stats.uid);
  if (owners.every((owner) => owner === 0 || owner === uid || caller.includes(owner))) return true;
  if ((around.mode & 0o002) !== 0) return false;
  const message = `${path} or its folder belongs to another user; nothing was sent.`;
  const hint = ownCommand([folder, path], io.platform);
  throw notSent('configuration', 'untrusted_project_file', message, { hint, details: { file: path } });
}

function valuesOf(io: Io, path: string): ProjectFile['values'] {
  const value = readJsonFile(io, path, { largestKb: 64, invalid: (what) => invalid(io, path, what) });
  if (value === undefined) throw invalid(io, path, 'is a dangling symbolic link');
  const other = Object.keys(value).find((key) => !(allowed as readonly string[]).includes(key));
  if (other !== undefined) throw untrusted(io, path, other);
  const values: ProjectValues = {};
  for (const key of allowed) {
    if (!Object.hasOwn(value, key)) continue;
    const found = value[key];
    if (!isOfType(key, found)) throw invalid(io, path, `has a value of the wrong type for "${key}"`);
    values[key] = found;
  }
  return values;
}

function isOfType(key: ProjectKey, value: unknown): value is ProjectValue {
  if (typeof value === 'string') return value !== '';
  if (key === 'pageSize') return typeof value === 'number';
  return key === 'fields' && Array.isArray(value) && value.every((field) => typeof field === 'string');
}

/** A key of an untrusted file, safe to print. */
function printable(key: string): string {
  const short = key.length > 60 ? `${key.slice(0, 60)}…` : key;
  const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return JSON.stringify(short).replace(/[^\x20-\x7e…]/g, escaped);
}

function untrusted(io: Io, path: string, key: string): DocsError {
  const message = `${path} may not set ${printable(key)}, only ${allowed.join(', ')}; nothing was sent.`;
  return notSent('configuration', 'untrusted_project_file', message, {
    hint: editCommand(path, io.platform),
    details: { file: path, key, allowed: [...allowed] },
  });
}

function invalid(io: Io, path: string, what: string): DocsError {
  return notSent('configuration', 'invalid_project_file', `${path} ${what}; nothing was sent.`, {
    hint: editCommand(path, io.platform),
    details: { file: path },
  });
}
