import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agentVariableNames } from '../../src/base/callers.js';
import { run } from '../../src/main.js';
import { fakeIo } from '../fake-io.js';
import { openSandbox, type TestSandbox } from '../sandbox/client.js';

/** Standard output and the exit code are the same, byte for byte, whether an agent runs the program or not. */

let sandbox: TestSandbox;
let home: string;
beforeAll(async () => {
  sandbox = await openSandbox();
  home = mkdtempSync(join(tmpdir(), 'docs-agent-'));
});
afterAll(async () => {
  await sandbox.close();
  rmSync(home, { recursive: true, force: true });
});

const commands: readonly (readonly string[])[] = [
  ['members', 'list'],
  ['members', 'list', '--json'],
  ['spaces', 'list', '--fields', 'title,id'],
  ['teams', 'list', '-o', 'csv', '--limit', '1'],
  // A title instead of an id, which a terminal allows.
  ['teams', 'get', 'Writers'],
  ['teams', 'get', 'Writers', '--by-title', '--json'],
  ['teams', 'create', '--title', 'New', '--dry-run'],
  ['teams', 'delete', 'Writers', '--by-title', '--dry-run', '--json'],
  ['spaces', 'delete', 'nothing-of-this-name'],
  ['spaces', 'delete', 'nothing-of-this-name', '--json'],
  ['members', 'update', 'x'],
  ['nonsense'],
  ['--help'],
  ['members', '--help'],
  ['help', 'exit-codes'],
  ['status', '--json'],
  ['jobs', 'list'],
  ['audit', 'list'],
  ['audit', 'verify', '--json'],
  ['commands'],
  ['schema', 'teams', 'create'],
  ['completion', 'bash'],
  ['__complete', 'mem'],
  ['config', 'list'],
];

async function output(words: readonly string[], isTerminal: boolean, env: Record<string, string> = {}) {
  const terminals = isTerminal ? (['stdin', 'stdout', 'stderr'] as const) : [];
  const place = { DOCS_BASE_URL: sandbox.url, DOCS_TOKEN: sandbox.token, DOCS_ORG: sandbox.organizationId };
  const own = { HOME: home, USER: 'ada', DOCS_CREDENTIAL_STORE: 'file', TERM: 'xterm-256color' };
  const io = fakeIo({ terminals, cwd: home, env: { ...own, ...place, ...env } });
  const code = await run(words, io);
  return { code, stdout: io.stdout.text };
}

describe.each([
  ['on a terminal', true],
  ['in a pipe', false],
])('%s', (_, isTerminal) => {
  // Which variable names the agent makes no difference (test/policy/actor); the first command is run with each.
  it.each(commands.map((words, at) => [words.join(' '), words, at] as const))(
    'docs %s',
    async (_line, words, at) => {
      const without = await output(words, isTerminal);
      for (const variable of at === 0 ? agentVariableNames : ['AI_AGENT', 'CLAUDECODE']) {
        const value = variable === 'AI_AGENT' ? 'some-tool@1.0' : '1';
        const withAgent = await output(words, isTerminal, { [variable]: value });
        expect({ variable, ...withAgent }).toEqual({ variable, ...without });
      }
    },
  );
});

it('the table has a command of every kind that succeeds, and some that fail', async () => {
  const codes = await Promise.all(commands.map(async (words) => (await output(words, false)).code));
  expect(codes.filter((code) => code === 0).length).toBeGreaterThan(15);
  expect(codes.filter((code) => code === 2).length).toBeGreaterThan(1);
});
