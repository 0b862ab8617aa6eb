import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
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
  /**
   * Runs `docs`.
   * @param policy YAML without `version`, which is in force by DOCS_POLICY; undefined for none
   */
  run(
    words: readonly string[],
    policy?: string,
    io?: FakeIoOptions & { systemPolicies?: readonly string[] },
  ): Promise<GateRan>;
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
    write,
    async run(words, policy, { systemPolicies = [], ...options } = {}) {
      const named = policy === undefined ? {} : { DOCS_POLICY: write('policy.yaml', `version: 1\n${policy}`) };
      const outside = fakeIo({ cwd: home, ...options, env: { ...env, ...named, ...options.env } });
      const before = control.requests().length;
      const code = await run([...words, '--json'], { ...outside, systemPolicies });
      const sent = control
        .requests()
        .slice(before)
        .map(({ method, path }) => `${method} ${path}`);
      const stderr = outside.stderr.text;
      const writes = sent.filter((one) => !one.startsWith('GET ') && !one.endsWith('/ping'));
      return { code, stdout: outside.stdout.text, stderr, error: errorIn(stderr), sent, writes };
    },
    async close() {
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
