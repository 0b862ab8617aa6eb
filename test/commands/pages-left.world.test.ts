import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { run } from '../../src/main.js';
import { type ImpactWorld, openImpactWorld } from '../access/impact/world.js';
import { fakeIo } from '../fake-io.js';
import { seedId } from '../sandbox/client.js';

/** What becomes of a page where the reader of the output leaves: `docs … --html page.html | head`. */

let world: ImpactWorld;
let home: string;
beforeAll(async () => {
  world = await openImpactWorld();
  home = mkdtempSync(join(tmpdir(), 'docs-left-'));
  await docs(['backup', 'run', '--out', 'backup']);
  await docs(['backup', 'run', '--out', 'without', '--no-access']);
  await docs(['teams', 'create', '--title', 'New']);
  await docs(['backup', 'run', '--out', 'backup']);
  await docs(['pull']);
  await docs(['plan', '--save-plan', 'plan.json']);
});
beforeEach(() => rmSync(join(home, 'page.html'), { force: true }));
afterAll(async () => {
  await world.close();
  rmSync(home, { recursive: true, force: true });
});

async function docs(words: readonly string[], { leaves = false } = {}) {
  const { url, tokens, organizationId } = world.sandbox;
  const DOCS_TOKEN = tokens.find(({ name }) => name === 'admin')?.token ?? '';
  const env = { HOME: home, DOCS_BASE_URL: url, DOCS_TOKEN, DOCS_ORG: organizationId };
  const io = fakeIo({ env, cwd: home, now: new Date().toISOString() });
  if (leaves) io.stdout.failWith = 'EPIPE';
  const code = await run(words, io);
  return { code, stderr: io.stderr.text };
}

test.each([
  ['links check', ['links', 'check', '--status', 'ok']],
  ['backup diff', ['backup', 'diff', 'without', 'backup']],
])('%s, which prints as it reads: there is none, and it says so', async (_name, words) => {
  const { code, stderr } = await docs([...words, '--html', 'page.html'], { leaves: true });
  expect(code).toBe(0);
  expect(stderr).toContain('Did not write page.html: not all of it was read.\n');
  expect(existsSync(join(home, 'page.html'))).toBe(false);
});

test.each([
  ['impact', ['impact', 'delete', 'space', seedId('space guide')]],
  ['plan', ['plan']],
  ['plan show', ['plan', 'show', 'plan.json']],
])('%s, which reads all before it prints: it is written', async (_name, words) => {
  const { code, stderr } = await docs([...words, '--html', 'page.html'], { leaves: true });
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringMatching(/^Wrote page\.html \([\d.]+ kB\)\.\n$/),
  });
  expect(existsSync(join(home, 'page.html'))).toBe(true);
});
