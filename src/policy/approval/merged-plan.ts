import { createHash } from 'node:crypto';
import { mkdtemp, readFile, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { devNull, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { runChild } from '../../base/child-process.js';
import { notSent } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { makeFolders } from '../../base/own-files.js';
import { findTool, toolMissing, toolPath } from '../../base/own-tools.js';

/**
 * Approval by merging: the plan's file, byte for byte, is on a branch of a remote. What the local repository says
 * of the remote (its URL, its refs) proves nothing, since whoever can run a command here can write it. So the
 * remote itself is asked for the head of the branch, and from there on each object is hashed.
 */

/** A commit, or why the plan is not merged, as a sentence, with the command to run next. */
type Merged = { commit: string } | { why: string; hint: string };

/** What is looked for. */
export interface MergedPlan {
  /** Absolute path of its file. */
  file: string;
  /** As they were read: what is verified is what is sent. */
  bytes: Uint8Array;
}

/** @throws DocsError interrupted */
export async function findMerged(
  io: Io,
  plan: MergedPlan,
  { remote, branch }: { remote: string; branch: string },
): Promise<Merged> {
  const objects = await objectsOf(dirname(plan.file));
  if (objects === undefined)
    return { why: `${plan.file} is not in a git repository.`, hint: `git clone ${remote}` };
  const head = await headOf(io, remote, branch);
  if ('why' in head) return head;
  const { commit } = head;
  const algorithm = algorithmOf(commit);
  const blob = objectId(algorithm, 'blob', plan.bytes);
  return withObjects(io, objects, algorithm, async (all) => {
    const where = `branch ${branch} of ${remote}`;
    const hint = `git fetch ${remote} ${branch}`;
    const bytes = await all.read('commit', commit);
    const tree = bytes && treeOf(bytes);
    if (tree === undefined)
      return { why: `Commit ${commit}, the head of ${where}, is not in this repository.`, hint };
    for (const path of await all.find(commit, blob))
      if (await isAt(all, { tree, path, blob, algorithm })) return { commit };
    return { why: `The plan is not on ${where}, whose head is ${commit}.`, hint: 'git status' };
  });
}

/** Schemes that say whom they talk to; a path is a repository on this machine. */
const remotes = /^(?:https:\/\/|ssh:\/\/|file:\/\/|\/|[A-Za-z]:[\\/]|[\w.-]+@[\w.-]+:)/;

/** The head of a branch, as the remote tells it now. */
async function headOf(io: Io, remote: string, branch: string): Promise<Merged> {
  const ref = `refs/heads/${branch}`;
  if (!remotes.test(remote))
    return { why: `${remote} is not an https, ssh or file address.`, hint: 'docs policy explain' };
  const answer = await runGit(io, undefined, ['ls-remote', '--', remote, ref]);
  const hint = `git ls-remote ${remote} ${branch}`;
  if (!answer.ok) return { why: `Cannot read branch ${branch} of ${remote}: ${answer.why}.`, hint };
  const lines = answer.stdout.toString('utf8').split('\n');
  const commits = lines.flatMap((line) => {
    const [, id, name] = /^([0-9a-f]{40}|[0-9a-f]{64})\t(.+)$/.exec(line) ?? [];
    return id !== undefined && name === ref ? [id] : [];
  });
  const [commit] = commits;
  return commit === undefined ? { why: `${remote} has no branch ${branch}.`, hint } : { commit };
}

/** Whether a file of a tree has this content, by trees that are what their ids say. */
async function isAt(
  objects: Objects,
  { tree, path, blob, algorithm }: { tree: string; path: string; blob: string; algorithm: Algorithm },
): Promise<boolean> {
  const names = path.split('/');
  let id = tree;
  for (const [at, name] of names.entries()) {
    const bytes = await objects.read('tree', id);
    const entry = bytes && entryOf(bytes, name, algorithm);
    if (entry === undefined) return false;
    const isLast = at === names.length - 1;
    if (isLast) return /^100/.test(entry.mode) && entry.id === blob;
    id = entry.id;
  }
  return false;
}

/**
 * The objects of a repository, read through an empty one of our own that borrows them: its configuration, refs and
 * replacements are never looked at. Each object that matters is hashed here, whatever this version of git checks when it reads.
 */

type Algorithm = 'sha1' | 'sha256';

/** @param id of an object, in hex */
function algorithmOf(id: string): Algorithm {
  return id.length === 64 ? 'sha256' : 'sha1';
}

/** The id that git gives an object. */
function objectId(algorithm: Algorithm, type: 'blob' | 'tree' | 'commit', bytes: Uint8Array): string {
  return createHash(algorithm).update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
}

/** The folder of objects of the repository that a folder is in; undefined where it is in none. */
async function objectsOf(folder: string): Promise<string | undefined> {
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
interface Objects {
  /** @returns undefined where it is missing, of another type, or not what its id says */
  read(type: 'tree' | 'commit', id: string): Promise<Buffer | undefined>;
  /** Paths of the files of a commit that have this content. Not verified. */
  find(commit: string, blob: string): Promise<string[]>;
}

/** @param objects the folder of objects @param use gets the objects; afterwards they are closed */
async function withObjects<T>(
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
function treeOf(bytes: Buffer): string | undefined {
  return /^tree ([0-9a-f]+)\n/.exec(bytes.toString('latin1'))?.[1];
}

/** An entry of a tree. @param bytes of the tree @param name as bytes in Latin-1 */
function entryOf(
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

/**
 * Git without any configuration but ours: no hooks, no settings of the repository, the user or the system, no
 * variables, no replaced objects, no helpers, no pager, and nothing asked. It is the system's git, whatever PATH says.
 */

/** How long it may take, in milliseconds. */
const deadlineMs = 60_000;
/** No output that is used is longer, in bytes. */
const longestOutput = 256 * 1024 * 1024;

const settings = {
  'core.hooksPath': devNull,
  'core.fsmonitor': 'false',
  'core.attributesFile': devNull,
  'credential.helper': '',
};

/** What ssh is given in place of the user's own configuration, which could name another host. */
const ssh = 'ssh -F none -o BatchMode=yes -o StrictHostKeyChecking=yes';

/**
 * The variables of the caller that git gets: where `~/.netrc` and the SSH agent are, and the way out. Others can load
 * libraries into it, or choose its programs and certificates.
 */
const passed = [
  ...['HOME', 'USERPROFILE', 'SYSTEMROOT', 'SSH_AUTH_SOCK', 'TMPDIR', 'TEMP', 'TMP'],
  ...['https_proxy', 'HTTPS_PROXY', 'all_proxy', 'ALL_PROXY', 'no_proxy', 'NO_PROXY'],
];

const clean = {
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_SYSTEM: devNull,
  GIT_CONFIG_GLOBAL: devNull,
  GIT_ATTR_NOSYSTEM: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_GRAFT_FILE: devNull,
  GIT_NO_LAZY_FETCH: '1',
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_PAGER: 'cat',
  GIT_SSH_COMMAND: ssh,
  // The others say nothing about whom they talk to.
  GIT_ALLOW_PROTOCOL: 'https:ssh:file',
  LC_ALL: 'C',
};

/** What git printed, or the last line of what it complained about. */
type GitAnswer = { ok: true; stdout: Buffer } | { ok: false; why: string };

/**
 * Runs git.
 * @param folder of a repository, for GIT_DIR; undefined for none at all
 * @throws DocsError interrupted
 */
async function runGit(io: Io, folder: string | undefined, words: readonly string[]): Promise<GitAnswer> {
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const all = ['--no-pager', '--no-replace-objects', ...given, ...words];
  const git = findTool(io, 'git');
  if (git === undefined) return { ok: false, why: toolMissing('git', io.platform) };
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(deadlineMs)]);
  try {
    const { code, stdout, stderr } = await runChild(io, git, all, {
      own: { ...clean, PATH: toolPath(io.platform), GIT_DIR: folder ?? devNull },
      only: passed,
      windowsHide: true,
      signal,
      most: longestOutput,
    });
    const why = stderr.trim().split('\n').at(-1) || `git exited with ${code}`;
    return code === 0 ? { ok: true, stdout } : { ok: false, why };
  } catch {
    if (io.signal.aborted) throw notSent('interrupted', 'interrupted', 'interrupted; nothing was sent');
    if (signal.aborted) return { ok: false, why: `git took longer than ${deadlineMs / 1000} seconds` };
    return { ok: false, why: 'git failed to start' };
  }
}
