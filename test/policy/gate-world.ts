import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { run } from '../../src/main.js';
import { openControl, type SandboxControl } from '../../src/sandbox/control.js';
import { type FakeIoOptions, fakeIo } from '../fake-io.js';
import { openSandbox, type TestSandbox } from '../sandbox/client.js';

/** Commands under policies, against a platform over loopback: not the one of `--sandbox`, so nothing is exempt. */

export interface GateWorld {
  readonly sandbox: TestSandbox;
  readonly control: SandboxControl;
  /** HOME and the working folder. */
  readonly home: string;
  /** The environment of a run, without a policy. */
  readonly env: Readonly<Record<string, string>>;
  /**
   * Runs `docs`.
   * @param policy YAML without `version`, which is in force by DOCS_POLICY; undefined for none
   */
  run(
    words: readonly string[],
    policy?: string,
    io?: FakeIoOptions & { systemPolicies?: readonly string[] },
  ): Promise<GateRan>;
  /** Every request so far, as the world noted it, and as the platform itself did. */
  readonly seen: readonly string[];
  logged(): Promise<string[]>;
  /** Writes a file into the home. @returns its path */
  write(name: string, text: string): string;
  close(): Promise<void>;
}

export interface GateRan {
  code: number;
  stdout: string;
  stderr: string;
  /** `error` of what `--json` prints to stderr; none on success. */
  error: { code: string; hint?: string; message: string; details?: Record<string, unknown> } | undefined;
  /** What the platform saw: `DELETE /v1/spaces/x`. */
  sent: string[];
  /** Of these, what is not a read. */
  writes: string[];
}

export async function openGateWorld(): Promise<GateWorld> {
  const sandbox = await openSandbox();
  const control = await openControl(sandbox.file, sandbox.outside.io);
  const home = mkdtempSync(join(tmpdir(), 'docs-gate-'));
  const write = (name: string, text: string) => {
    const path = join(home, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const seen: string[] = [];
  const noting = await startNoting(sandbox.url, seen);
  const env = {
    HOME: home,
    DOCS_BASE_URL: noting.url,
    DOCS_TOKEN: sandbox.token,
    DOCS_CREDENTIAL_STORE: 'file',
  };
  return {
    sandbox,
    control,
    home,
    env,
    write,
    async run(words, policy, { systemPolicies = [], ...options } = {}) {
      const named =
        policy === undefined ? {} : { DOCS_POLICY: write('policy.yaml', `version: 1\n${policy}`) };
      const outside = fakeIo({ cwd: home, ...options, env: { ...env, ...named, ...options.env } });
      const own = seen.length;
      // Requests that are denied at once wait for each other at the audit chain, whose lock is a real one.
      const code = await run(jsonOf(words), { ...outside, sleep: (ms) => sleep(ms), systemPolicies });
      const sent = seen.slice(own);
      const stderr = outside.stderr.text;
      const writes = sent.filter((one) => !one.startsWith('GET ') && !one.endsWith('/ping'));
      return { code, stdout: outside.stdout.text, stderr, error: errorIn(stderr), sent, writes };
    },
    async logged() {
      // The log is written in batches; a request of its own flushes nothing, so wait for the count.
      for (let tries = 0; tries < 200 && control.requests().length < seen.length; tries += 1)
        await new Promise((done) => setTimeout(done, 10));
      return control.requests().map(({ method, path }) => `${method} ${path}`);
    },
    seen,
    async close() {
      await noting.close();
      control.close();
      await sandbox.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

/** The error is the last line that is JSON; notes may stand before it. */
function errorIn(stderr: string): GateRan['error'] {
  const from = stderr.search(/^\{/m);
  if (from < 0) return undefined;
  try {
    return (JSON.parse(stderr.slice(from)) as { error: GateRan['error'] }).error;
  } catch {
    return undefined;
  }
}

/** The words with `--json`, before what is passed on to another program. */
function jsonOf(words: readonly string[]): string[] {
  const end = words.indexOf('--');
  return end < 0 ? [...words, '--json'] : [...words.slice(0, end), '--json', ...words.slice(end)];
}

/** Stands before the sandbox, whose own log comes late, and notes what comes before it passes it on. */
async function startNoting(target: string, seen: string[]) {
  const server = createServer((incoming, outgoing) => {
    const { method, url = '', headers } = incoming;
    seen.push(`${method} ${url}`);
    const { host: _, ...others } = headers;
    const onward = send(new URL(url, target), { method, headers: others }, (answer) => {
      outgoing.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(outgoing);
    });
    onward.on('error', () => outgoing.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
