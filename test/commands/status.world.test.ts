import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { run } from '../../src/main.js';
import { fakeIo } from '../fake-io.js';

/** `docs status` on terminals that are too narrow for all that it tells. */

let home: string;
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'docs-status-'));
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

async function status(columns: number, env: Readonly<Record<string, string>>) {
  const io = fakeIo({
    cwd: home,
    terminals: ['stdout', 'stderr'],
    columns,
    env: { HOME: home, NO_COLOR: '1', ...env },
  });
  await run(['status'], io);
  return { stdout: io.stdout.text, stderr: io.stderr.text };
}

describe('docs status on a narrow terminal', () => {
  const address = 'https://documents.platform.example';

  it('keeps the address whole, and gives up the sources for it', async () => {
    const { stdout } = await status(60, { DOCS_BASE_URL: `${address}/base` });
    expect(stdout).toContain(`address       ${address}/base`);
    expect(stdout).not.toContain('…');
  });

  it('keeps the sources where both have room', async () => {
    const { stdout } = await status(80, { DOCS_BASE_URL: address });
    expect(stdout).toContain(`${address}  DOCS_BASE_URL`);
  });

  it('says below what keeps the sign-in from working', async () => {
    const env = { DOCS_BASE_URL: 'http://127.0.0.1:9', DOCS_TOKEN: 'secret-token', DOCS_RETRIES: '0' };
    const { stdout, stderr } = await status(60, env);
    expect(stdout).toMatch(/^sign-in +does not work +DOCS_TOKEN$/m);
    expect(stderr.replaceAll('\n', ' ')).toContain('127.0.0.1:9');
  });
});
