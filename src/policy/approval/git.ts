import { devNull } from 'node:os';
import { startChild } from '../../base/child-process.js';
import { notSent } from '../../base/errors.js';
import type { Io } from '../../base/io.js';
import { systemCode } from '../../base/system-errors.js';

/**
 * Git without any configuration but ours: no hooks, no settings of the repository, the user or the system, no
 * variables, no replaced objects, no helpers, no pager, and nothing asked.
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
export type GitAnswer = { ok: true; stdout: Buffer } | { ok: false; why: string };

/**
 * Runs git.
 * @param folder of a repository, for GIT_DIR; undefined for none at all
 * @throws DocsError interrupted
 */
export async function runGit(
  io: Io,
  folder: string | undefined,
  words: readonly string[],
): Promise<GitAnswer> {
  const given = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const all = ['--no-pager', '--no-replace-objects', ...given, ...words];
  const foreign = Object.keys(io.env).filter((name) => /^(?:GIT_|SSH_ASKPASS|PAGER$)/i.test(name));
  const signal = AbortSignal.any([io.signal, AbortSignal.timeout(deadlineMs)]);
  try {
    return await new Promise((done, fail) => {
      const child = startChild(io, 'git', all, {
        own: { ...clean, GIT_DIR: folder ?? devNull },
        without: foreign,
        stdio: ['ignore', 'pipe', 'pipe'],
        windowsHide: true,
        signal,
      });
      const parts: Buffer[] = [];
      let [size, complaint] = [0, ''];
      child.stdout?.on('data', (part: Buffer) => {
        size += part.length;
        if (size > longestOutput) child.kill();
        else parts.push(part);
      });
      child.stderr?.setEncoding('utf8').on('data', (text: string) => {
        complaint = (complaint + text).slice(-10_000);
      });
      child.on('error', fail);
      child.on('close', (code) => {
        const why = complaint.trim().split('\n').at(-1) || `git exited with ${code}`;
        done(code === 0 ? { ok: true, stdout: Buffer.concat(parts) } : { ok: false, why });
      });
    });
  } catch (cause) {
    if (io.signal.aborted) throw notSent('interrupted', 'interrupted', 'Interrupted; nothing was sent.');
    if (signal.aborted) return { ok: false, why: `git took longer than ${deadlineMs / 1000} seconds` };
    const missing = systemCode(cause) === 'ENOENT';
    return { ok: false, why: missing ? 'git not found' : 'git failed to start' };
  }
}
