import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'vitest';
import { run } from '../../src/main.js';
import type { SandboxControl } from '../../src/sandbox/control.js';
import { type FakeIoOptions, fakeIo } from '../fake-io.js';
import { openSandbox, type TestSandbox } from '../sandbox/client.js';
import { controlOf } from '../sandbox/control-of.js';

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
  /** Puts platform and home back to how they were at the start. */
  reset(): Promise<void>;
  /** Writes a file into the home. @returns its path */
  write(name: string, text: string): string;
  close(): Promise<void>;
}

/** Where Node says that a server of this process got a request. */
const started = 'http.server.request.start';

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
  const control = await controlOf(sandbox);
  const home = mkdtempSync(join(tmpdir(), 'docs-gate-'));
  const write = (name: string, text: string) => {
    const path = join(home, name);
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
    return path;
  };
  const seen: string[] = [];
  const { host } = new URL(sandbox.url);
  // Before the sandbox answers, while its own log comes late.
  const note = (message: unknown) => {
    const { method, url, headers } = (message as { request: IncomingMessage }).request;
    if (headers.host === host) seen.push(`${method} ${url}`);
  };
  subscribe(started, note);
  const env = {
    HOME: home,
    DOCS_BASE_URL: sandbox.url,
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
      await expect.poll(() => control.requests().length).toBeGreaterThanOrEqual(seen.length);
      return control.requests().map(({ method, path }) => `${method} ${path}`);
    },
    async reset() {
      await control.reset();
      rmSync(home, { recursive: true });
      mkdirSync(home);
      seen.length = 0;
    },
    seen,
    async close() {
      unsubscribe(started, note);
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
