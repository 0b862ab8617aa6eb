import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../../../src/main.js';
import { startGateway } from '../../e2e/gateway.js';
import { fakeIo } from '../../fake-io.js';
import { openSandbox, type TestSandbox } from '../../sandbox/client.js';

/** A platform that refuses one read, and the program in the same process. */
export interface Refusing {
  sandbox: TestSandbox;
  /** `GET /v1/…` of every request so far. */
  requests: readonly string[];
  /** The read that is refused, and with which status. */
  refused: { line: string; status: number } | undefined;
  docs(words: readonly string[], home: string): Promise<{ code: number; stdout: string; stderr: string }>;
  /** A new home, with the folder `org` of another one. */
  home(from?: string): string;
  close(): Promise<void>;
}

export async function openRefusing(seed: string): Promise<Refusing> {
  const sandbox = await openSandbox({ seed, file: ':memory:' });
  const gateway = await startGateway(sandbox.url);
  const homes: string[] = [];
  const world: Refusing = {
    sandbox,
    requests: gateway.requests,
    refused: undefined,
    async docs(words, home) {
      const env = {
        ...{ HOME: home, DOCS_BASE_URL: gateway.url, DOCS_TOKEN: sandbox.token },
        ...{ DOCS_ORG: sandbox.organizationId, DOCS_CREDENTIAL_STORE: 'file' },
      };
      const io = fakeIo({ env, cwd: home });
      const code = await run(words, Object.assign(io, { now: Date.now }));
      return { code, stdout: io.stdout.text, stderr: io.stderr.text };
    },
    home(from) {
      const home = mkdtempSync(join(tmpdir(), 'docs-refusing-'));
      homes.push(home);
      if (from !== undefined) cpSync(join(from, 'org'), join(home, 'org'), { recursive: true });
      return home;
    },
    async close() {
      await gateway.close();
      await sandbox.close();
      for (const home of homes) rmSync(home, { recursive: true, force: true });
    },
  };
  gateway.rule = (line) => (line === world.refused?.line ? world.refused.status : undefined);
  return world;
}
