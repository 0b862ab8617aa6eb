import { createHash } from 'node:crypto';
import { mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Io } from '../../base/io.js';
import { makeFolders } from '../../base/own-files.js';
import { runGit } from './git.js';

/**
 * The objects of a repository, read through an empty one of our own that borrows them: its configuration, refs and
 * replacements are never looked at. Each object that matters is hashed here, whatever this version of git checks when it reads.
 */

export type Algorithm = 'sha1' | 'sha256';

/** @param id of an object, in hex */
export function algorithmOf(id: string): Algorithm {
  return id.length === 64 ? 'sha256' : 'sha1';
}

/** The id that git gives an object. */
export function objectId(algorithm: Algorithm, type: 'blob' | 'tree' | 'commit', bytes: Uint8Array): string {
  return createHash(algorithm).update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
}

/** The folder of objects of the repository that a folder is in; undefined where it is in none. */
export async function objectsOf(folder: string): Promise<string | undefined> {
  let at = await realpath(folder);
  for (;;) {
    const found = await gitFolderAt(join(at, '.git'));
    if (found !== undefined) return join(found, 'objects');
    const above = dirname(at);
    if (above === at) return undefined;
    at = above;
  }
}

/** `.git` is a folder, or a file that names it; a further work tree names the common one. */
async function gitFolderAt(path: string): Promise<string | undefined> {
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return undefined;
  const own = found.isDirectory() ? path : resolve(dirname(path), await named(path, /^gitdir: (.+)$/m));
  const common = resolve(own, await named(join(own, 'commondir'), /^(.+)$/m));
  return (await stat(join(common, 'objects')).catch(() => undefined))?.isDirectory() ? common : undefined;
}

async function named(path: string, pattern: RegExp): Promise<string> {
  const text = await readFile(path, 'utf8').catch(() => '');
  return pattern.exec(text)?.[1]?.trim() ?? '.';
}

/** Objects of a repository, each as its id says. */
export interface Objects {
  /** @returns undefined where it is missing, of another type, or not what its id says */
  read(type: 'tree' | 'commit', id: string): Promise<Buffer | undefined>;
  /** Paths of the files of a commit that have this content. Not verified. */
  find(commit: string, blob: string): Promise<string[]>;
}

/** @param objects the folder of objects @param use gets the objects; afterwards they are closed */
export async function withObjects<T>(
  io: Io,
  objects: string,
  algorithm: Algorithm,
  use: (objects: Objects) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'docs-git-'));
  try {
    for (const name of ['objects/info', 'refs']) makeFolders(join(folder, name));
    await writeFile(join(folder, 'HEAD'), 'ref: refs/heads/none\n');
    await writeFile(join(folder, 'config'), configOf(algorithm));
    await writeFile(join(folder, 'objects/info/alternates'), `${JSON.stringify(objects)}\n`);
    return await use({
      async read(type, id) {
        const answer = await runGit(io, folder, ['cat-file', type, id]);
        return answer.ok && objectId(algorithm, type, answer.stdout) === id ? answer.stdout : undefined;
      },
      async find(commit, blob) {
        const answer = await runGit(io, folder, ['ls-tree', '-r', '-z', '--full-tree', commit]);
        const lines = answer.ok ? answer.stdout.toString('latin1').split('\0') : [];
        return lines.flatMap((line) => {
          const [, id, path = ''] = /^100\d+ blob ([0-9a-f]+)\t(.*)$/s.exec(line) ?? [];
          return id === blob ? [path] : [];
        });
      },
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function configOf(algorithm: Algorithm): string {
  if (algorithm === 'sha1') return '[core]\n\trepositoryformatversion = 0\n\tbare = true\n';
  const core = '[core]\n\trepositoryformatversion = 1\n\tbare = true\n';
  return `${core}[extensions]\n\tobjectformat = ${algorithm}\n`;
}

/** The tree of a commit. @param bytes of the commit */
export function treeOf(bytes: Buffer): string | undefined {
  return /^tree ([0-9a-f]+)\n/.exec(bytes.toString('latin1'))?.[1];
}

/** An entry of a tree. @param bytes of the tree @param name as bytes in Latin-1 */
export function entryOf(
  bytes: Buffer,
  name: string,
  algorithm: Algorithm,
): { mode: string; id: string } | undefined {
  const length = algorithm === 'sha1' ? 20 : 32;
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(0, at);
    if (end === -1) return undefined;
    const head = bytes.toString('latin1', at, end);
    const space = head.indexOf(' ');
    if (head.slice(space + 1) === name)
      return { mode: head.slice(0, space), id: bytes.toString('hex', end + 1, end + 1 + length) };
    at = end + 1 + length;
  }
  return undefined;
}
