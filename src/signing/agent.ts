import { startChild } from '../base/child-process.js';
import { usageError } from '../base/errors.js';
import { systemCode } from '../base/system-errors.js';
import type { Namespace } from './namespaces.js';

/** Signing through `ssh-keygen` and the SSH agent, for keys that this process does not hold. */

/** Where a child runs, and its environment. */
export interface Child {
  env: Readonly<Record<string, string | undefined>>;
  cwd: string;
  signal: AbortSignal;
  /** Whether somebody is at the terminal, whom `ssh-keygen` may ask for a passphrase. */
  attended?: boolean;
}

/** @param path of the key @throws DocsError usage `cannot_sign` */
export async function signWithSshKeygen(
  path: string,
  namespace: Namespace,
  message: Uint8Array,
  child: Child,
): Promise<string> {
  const { code, stdout, stderr } = await run(path, namespace, message, child).catch((cause: unknown) => {
    const missing = systemCode(cause) === 'ENOENT' ? 'ssh-keygen not found' : 'ssh-keygen failed to start';
    throw cannotSign(path, missing);
  });
  if (code === 0) return stdout;
  throw cannotSign(path, stderr.trim().split('\n').at(-1) ?? `ssh-keygen exited with ${code}`);
}

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function run(
  path: string,
  namespace: Namespace,
  message: Uint8Array,
  { env, cwd, signal, attended = false }: Child,
): Promise<Ended> {
  const args = ['-Y', 'sign', '-q', '-n', namespace, '-f', path];
  return new Promise((done, fail) => {
    // In a session of its own it has no terminal: it asks for no passphrase, which nobody may be there to type.
    const child = startChild({ env, cwd }, 'ssh-keygen', args, {
      own: { SSH_ASKPASS_REQUIRE: 'never' },
      stdio: 'pipe',
      detached: !attended,
      signal,
    });
    let [stdout, stderr] = ['', ''];
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
    });
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    child.on('error', fail);
    child.on('close', (code) => done({ code, stdout, stderr }));
    // It may end before it has read the message; 'close' reports that.
    child.stdin?.on('error', () => undefined).end(message);
  });
}

function cannotSign(path: string, why: string) {
  const message = `cannot sign with ${path}: a key with a passphrase or on a security key signs through ssh-keygen and the SSH agent (${why}); nothing was written`;
  return usageError('cannot_sign', message, { hint: 'ssh-add <key>' });
}
