import { dirname } from 'node:path';
import type { Io } from '../../base/io.js';
import { runGit } from './git.js';
import {
  type Algorithm,
  algorithmOf,
  entryOf,
  type Objects,
  objectsOf,
  treeOf,
  withObjects,
} from './git-objects.js';

/**
 * Approval by merging: the plan's file, byte for byte, is on a branch of a remote. What the local repository says
 * of the remote (its URL, its refs) proves nothing, since whoever can run a command here can write it. So the
 * remote itself is asked for the head of the branch, and from there on each object is hashed.
 */

/** A commit, or why the plan is not merged, as a sentence, with the command to run next. */
export type Merged = { commit: string } | { why: string; hint: string };

/** What is looked for. */
export interface MergedPlan {
  /** Absolute path of its file. */
  file: string;
  /** The id that git gives the bytes that were read of it. */
  blobId(algorithm: Algorithm): string;
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
  const blob = plan.blobId(algorithm);
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
